// The legend below a chart: a button for each line that shows and hides it, and words for its limit.

import { drawing, element, toggle } from "../dom";
import { dashOf } from "../style";
import type { Chart } from "./data";
import type { LineContent } from "./line_content";
import { amount } from "./words";

function sample(attributes: Record<string, string>): SVGElement {
  const line = drawing("line", { x1: "0", y1: "6", x2: "34", y2: "6", "stroke-width": "2", ...attributes });
  return drawing("svg", { viewBox: "0 0 34 12", class: "sample", "aria-hidden": "true" }, line);
}

function lineSample(index: number): SVGElement {
  const dash = dashOf(index);
  const pattern = dash === "solid" ? {} : { "stroke-dasharray": dash.map((part) => part * 0.6).join(" ") };
  return sample({ class: `line-stroke-${index}`, ...pattern });
}

export function lineLegend(chart: Chart, content: LineContent, changed: () => void): HTMLElement {
  const list = element("ul", { class: "legend" });
  // Of a training that is the only one.
  if (chart.bySteps && chart.lines.length === 1) return list;
  chart.lines.forEach((line, index) => {
    if (chart.lines.length === 1) {
      list.append(element("li", {}, lineSample(index), element("span", {}, line.name)));
      return;
    }
    const button = element("button", { type: "button", "aria-pressed": "true" }, lineSample(index), line.name);
    button.addEventListener("click", () => {
      if (!content.hidden.delete(index)) content.hidden.add(index);
      button.setAttribute("aria-pressed", String(!content.hidden.has(index)));
      changed();
    });
    list.append(element("li", {}, button));
  });
  if (chart.limit !== undefined) {
    list.append(element("li", {}, sample({ class: "limit-stroke", "stroke-dasharray": "5 4" }), element("span", {}, `${chart.limit.text}: ${amount(chart.limit.value, chart.unit)}`)));
  }
  return list;
}

/** Switches of what has a wide range. */
export function switches(chart: Chart, content: LineContent, changed: () => void): HTMLElement[] {
  if (!chart.bySteps || chart.unit === "%") return [];
  const button = toggle("log y", false, (on) => ((content.logarithmic = on), changed()));
  return [element("div", { class: "switches", role: "group", "aria-label": `${chart.title}: scale` }, button)];
}
