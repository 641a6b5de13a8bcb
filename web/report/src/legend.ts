// The legend below a chart: a button for each series that shows and hides it, and words for the other marks.

import type { DrawnChart, LineChart, ScatterChart, Spot } from "./data";
import { drawing, element } from "./dom";
import { ANOMALY, colourOf, dashOf, PICK, type Theme } from "./style";

function lineSample(colour: string, dash: number, hollow: boolean): SVGElement {
  const pattern = dashOf(dash);
  const stroke = pattern === "solid" ? {} : { "stroke-dasharray": pattern.map((part) => part * 0.6).join(" ") };
  return drawing(
    "svg",
    { viewBox: "0 0 34 12", class: "sample", "aria-hidden": "true" },
    drawing("line", { x1: "0", y1: "6", x2: "34", y2: "6", stroke: colour, "stroke-width": "2", ...stroke }),
    drawing("circle", { cx: "17", cy: "6", r: "4", fill: hollow ? "none" : colour, stroke: colour, "stroke-width": "1.5" }),
  );
}

function areaSample(colour: string, hatched: boolean): SVGElement {
  const lines = hatched
    ? [drawing("path", { d: "M2 12L14 0M10 12L22 0M18 12L30 0", stroke: "#fff", "stroke-width": "2", opacity: "0.75" })]
    : [];
  return drawing(
    "svg",
    { viewBox: "0 0 30 12", class: "sample", "aria-hidden": "true" },
    drawing("rect", { width: "30", height: "12", fill: colour, stroke: "currentColor", "stroke-width": "0.5" }),
    ...lines,
  );
}

function sample(...parts: SVGElement[]): SVGElement {
  return drawing("svg", { viewBox: "0 0 34 12", class: "sample", "aria-hidden": "true" }, ...parts);
}

function dot(fill: string, stroke: string): SVGElement {
  return drawing("circle", { cx: "17", cy: "6", r: "3.5", fill, stroke, "stroke-width": "1.5" });
}

function ring(colour: string): SVGElement {
  return sample(drawing("circle", { cx: "17", cy: "6", r: "5", fill: "none", stroke: colour, "stroke-width": "2" }));
}

function dashed(colour: string): SVGElement {
  const dash = { stroke: colour, "stroke-width": "1.5", "stroke-dasharray": "5 4" };
  return sample(drawing("line", { x1: "0", y1: "6", x2: "34", y2: "6", ...dash }));
}

/** As the points of that style look. */
function spot(style: number, fill: string, stroke: string): SVGElement {
  const look = { fill, stroke, "stroke-width": "1.5" };
  if (style % 6 === 0) return dot(fill, stroke);
  const paths = ["", "M13.5 2.5h7v7h-7Z", "M17 2L21 10H13Z", "M17 1.5L21.5 6L17 10.5L12.5 6Z", "M17 10L13 2H21Z", "M17 2L21 5L19.5 10H14.5L13 5Z"];
  return drawing("path", { d: paths[style % 6] ?? "", ...look });
}

function scatterEntries(chart: ScatterChart, theme: Theme): Entry[] {
  const found: Entry[] = [];
  const has = (mark: Spot["mark"]): boolean => chart.points.some((point) => point.mark === mark);
  chart.styles.forEach((look, index) => {
    if (!chart.points.some((point) => point.look === index)) return;
    const colour = colourOf(look.colour, theme);
    found.push({ name: look.name, sample: look.joined ? lineSample(colour, 0, false) : sample(spot(look.style, look.hollow ? "none" : colour, colour)) });
  });
  if (has("recommended")) found.push({ name: "recommended", sample: ring(colourOf(PICK, theme)) });
  if (has("nearest")) found.push({ name: "nearest to the bounds", sample: ring(colourOf(PICK, theme)) });
  const square = drawing("rect", { x: "12", y: "1", width: "10", height: "10", fill: "none", stroke: theme.text, "stroke-width": "1.6" });
  if (has("default")) found.push({ name: "default", sample: sample(square) });
  const anomaly = colourOf(ANOMALY, theme);
  if (has("slow")) found.push({ name: "proven anomaly", sample: sample(dot(anomaly, anomaly)) });
  if (has("disturbed")) found.push({ name: "the machine was disturbed", sample: sample(dot(anomaly, anomaly)) });
  for (const limit of [chart.bound, chart.level]) {
    if (limit !== undefined) found.push({ name: limit.text, sample: dashed(theme.dim) });
  }
  return found;
}

/** What stands beside the series; none of it can be hidden. */
function lineMarks(chart: LineChart, theme: Theme): Entry[] {
  const points = chart.series.flatMap((series) => series.points);
  const has = (mark: string): boolean => points.some((point) => point.mark === mark);
  const found: Entry[] = [];
  for (const curve of chart.curves ?? []) {
    found.push({ name: curve.band === "" ? curve.name : `${curve.name}, ${curve.band}`, sample: dashed(theme.dim) });
  }
  if (has("best")) found.push({ name: "recommended", sample: ring(colourOf(PICK, theme)) });
  const anomaly = colourOf(ANOMALY, theme);
  if (has("slow")) found.push({ name: "proven anomaly", sample: sample(dot(anomaly, anomaly)) });
  if (chart.limit !== undefined) found.push({ name: chart.limit.text, sample: dashed(anomaly) });
  return found;
}

interface Entry {
  name: string;
  sample: SVGElement;
}

function entries(chart: DrawnChart, theme: Theme): Entry[] {
  switch (chart.kind) {
    case "line":
      return chart.series.map((one) => {
        return { name: one.name, sample: lineSample(colourOf(one.colour, theme), one.dash, one.hollow) };
      });
    case "box":
      return chart.series.map((one) => ({ name: one.name, sample: areaSample(colourOf(one.colour, theme), false) }));
    case "scatter":
      return scatterEntries(chart, theme);
    case "stack":
      return chart.phases.map((one) => {
        return { name: one.name, sample: areaSample(colourOf(one.colour, theme), one.style % 2 === 1) };
      });
  }
}

/** `changed` gets the indices of the series to show. */
export function legend(chart: DrawnChart, theme: Theme, hidden: Set<number>, changed: () => void): HTMLElement {
  const list = element("ul", { class: "legend" });
  const all = entries(chart, theme);
  const marks = chart.kind === "line" ? lineMarks(chart, theme) : [];
  const canHide = (chart.kind === "line" || chart.kind === "box") && chart.series.length > 1;
  all.forEach((entry, index) => {
    if (!canHide) {
      list.append(element("li", {}, entry.sample, element("span", {}, entry.name)));
      return;
    }
    const button = element("button", { type: "button", "aria-pressed": String(!hidden.has(index)) }, entry.sample, entry.name);
    button.addEventListener("click", () => {
      if (!hidden.delete(index)) hidden.add(index);
      button.setAttribute("aria-pressed", String(!hidden.has(index)));
      changed();
    });
    list.append(element("li", {}, button));
  });
  for (const entry of marks) list.append(element("li", {}, entry.sample, element("span", {}, entry.name)));
  return list;
}
