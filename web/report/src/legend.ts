// The legend below a chart: a button for each series that shows and hides it, and words for the other marks.

import type { Chart, ScatterChart, Spot } from "./data";
import { drawing, element } from "./dom";
import { colourOf, dashOf, FRONT, PICK, type Theme } from "./style";

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

function scatterEntries(chart: ScatterChart, theme: Theme): Entry[] {
  const marked = (mark: Spot["mark"]): boolean => chart.points.some((point) => point.mark === mark);
  const found: Entry[] = [
    { name: "nothing measured beats it in both", sample: lineSample(colourOf(FRONT, theme), 0, false) },
    { name: "measured", sample: sample(dot(theme.line, theme.line)) },
  ];
  if (chart.points.some((point) => point.outside)) {
    found.push({ name: "beyond the bounds, or not chosen from", sample: sample(dot("none", theme.line)) });
  }
  for (const mark of ["recommended", "nearest"] as const) {
    const ring = drawing("circle", { cx: "17", cy: "6", r: "5", fill: "none", stroke: colourOf(PICK, theme), "stroke-width": "2" });
    if (marked(mark)) found.push({ name: mark === "nearest" ? "nearest to the bounds" : mark, sample: sample(ring) });
  }
  const square = drawing("rect", { x: "12", y: "1", width: "10", height: "10", fill: "none", stroke: theme.text, "stroke-width": "1.6" });
  if (marked("default")) found.push({ name: "default", sample: sample(square) });
  if (chart.bound !== undefined) {
    const dash = { stroke: theme.dim, "stroke-width": "1.5", "stroke-dasharray": "5 4" };
    found.push({ name: chart.bound.text, sample: sample(drawing("line", { x1: "0", y1: "6", x2: "34", y2: "6", ...dash })) });
  }
  return found;
}

interface Entry {
  name: string;
  sample: SVGElement;
}

function entries(chart: Chart, theme: Theme): Entry[] {
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
export function legend(chart: Chart, theme: Theme, hidden: Set<number>, changed: () => void): HTMLElement {
  const list = element("ul", { class: "legend" });
  const all = entries(chart, theme);
  const canHide = (chart.kind === "line" || chart.kind === "box") && all.length > 1;
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
  return list;
}
