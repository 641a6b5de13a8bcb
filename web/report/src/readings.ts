// What a chart says at one batch size, in words: for the tooltip, for the reader of a screen, and for the table.

import { stopsOf, type Chart, type Point, type Spot } from "./data";

export interface Reading {
  name: string;
  text: string;
  colour: string;
}

const VERDICTS: Partial<Record<Point["verdict"], string>> = { proven: ", proven anomaly", suspect: ", suspect" };

function pointText(point: Point): string {
  const best = point.mark === "best" ? ", recommended" : "";
  return point.text + best + (VERDICTS[point.verdict] ?? "");
}

const MARKS: Record<Spot["mark"], string> = {
  "": "",
  recommended: "; recommended",
  nearest: "; nearest to the bounds",
  default: "; the default",
  slow: "; proven anomaly",
  disturbed: "",
};


function spotText(spot: Spot): string {
  return spot.text + MARKS[spot.mark];
}

/** What a stop is called: "batch 4", or the point's setting. */
export function stopName(chart: Chart, stop: number): string {
  return chart.kind === "scatter" ? (chart.points[stop]?.name ?? "") : `batch ${stop}`;
}

export function seriesNames(chart: Chart): string[] {
  if (chart.kind === "scatter") return ["measured"];
  if (chart.kind === "views") {
    return chart.views.flatMap((view) => {
      const names = seriesNames(view.chart);
      return names.length === 1 ? [view.name] : names.map((name) => `${view.name}: ${name}`);
    });
  }
  if (chart.kind === "stack") return [...chart.phases.map((phase) => phase.name), "whole iteration"];
  return chart.series.map((series) => series.name);
}

/** One entry a series, in their order; without text where the series has nothing at this size. */
export function readings(chart: Chart, size: number): Reading[] {
  switch (chart.kind) {
    case "views":
      return chart.views.flatMap((view) => readings(view.chart, size));
    case "line":
      return chart.series.map((series) => {
        const point = series.points.find((one) => one.size === size);
        return { name: series.name, colour: series.colour, text: point ? pointText(point) : "" };
      });
    case "box":
      return chart.series.map((series) => {
        const box = series.boxes.find((one) => one.size === size);
        return { name: series.name, colour: series.colour, text: box?.text ?? "" };
      });
    case "scatter": {
      const spot = chart.points[size];
      return [{ name: "", colour: "", text: spot === undefined ? "" : spotText(spot) }];
    }
    case "stack": {
      const bar = chart.bars.find((one) => one.size === size);
      const parts = chart.phases.map((phase, index) => {
        return { name: phase.name, colour: phase.colour, text: bar?.parts[index]?.text ?? "" };
      });
      return [...parts, { name: "whole iteration", colour: "", text: bar?.text ?? "" }];
    }
  }
}

/** "Batch 4. 97.2 ±1.2 samples/s." */
export function spoken(chart: Chart, size: number): string {
  const stated = readings(chart, size).filter((reading) => reading.text !== "");
  const words = stated.map((reading) => (reading.name === "" ? reading.text : `${reading.name}: ${reading.text}`));
  const name = stopName(chart, size);
  return [name.charAt(0).toUpperCase() + name.slice(1), ...words].join(". ");
}

export function allReadings(chart: Chart): { size: number; readings: Reading[] }[] {
  return stopsOf(chart).map((size) => ({ size, readings: readings(chart, size) }));
}
