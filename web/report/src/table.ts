// The same numbers as a table, for whoever reads tables rather than charts.

import type { Chart } from "./data";
import { element } from "./dom";
import { allReadings, seriesNames, stopName } from "./readings";

export function numbersTable(chart: Chart): HTMLElement {
  const scatter = chart.kind === "scatter";
  const head = element("tr", {}, element("th", { scope: "col" }, scatter ? (chart.stops === "visits" ? "visit" : "setting") : "batch size"));
  for (const name of seriesNames(chart)) head.append(element("th", { scope: "col" }, name));
  const body = element("tbody");
  for (const { size, readings } of allReadings(chart)) {
    const row = element("tr", {}, element("th", { scope: "row" }, scatter ? stopName(chart, size) : String(size)));
    for (const reading of readings) row.append(element("td", {}, reading.text === "" ? "–" : reading.text));
    body.append(row);
  }
  const table = element("table", {}, element("caption", {}, chart.axis === "" ? chart.title : `${chart.title} (${chart.axis})`), element("thead", {}, head), body);
  const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${chart.title}, numbers` }, table);
  return element("details", { class: "numbers" }, element("summary", {}, "Numbers"), scroll);
}
