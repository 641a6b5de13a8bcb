// The box that follows the pointer, built of text nodes: a name can hold anything.

import type { Chart } from "./data";
import { element } from "./dom";
import { readings, stopName, type Reading } from "./readings";
import { colourOf, type Theme } from "./style";

const MOST_ROWS = 12;

function row(reading: Reading, theme: Theme, alone: boolean): HTMLElement {
  const mark = element("span", { class: "tip-mark", "aria-hidden": "true" });
  if (reading.colour !== "") mark.style.backgroundColor = colourOf(reading.colour, theme);
  const text = element("span", { class: "tip-text" }, reading.text);
  if (alone) return element("div", { class: "tip-row" }, mark, text);
  return element("div", { class: "tip-row" }, mark, element("span", { class: "tip-name" }, reading.name), text);
}

export function tooltip(chart: Chart, size: number, theme: Theme): HTMLElement {
  const rows = readings(chart, size).filter((reading) => reading.text !== "");
  return element(
    "div",
    { class: "tip" },
    element("strong", {}, stopName(chart, size)),
    ...rows.slice(0, MOST_ROWS).map((reading) => row(reading, theme, rows.length === 1)),
    ...(rows.length > MOST_ROWS ? [element("div", { class: "tip-row" }, `and ${rows.length - MOST_ROWS} more`)] : []),
  );
}
