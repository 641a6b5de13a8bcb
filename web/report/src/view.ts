// What is drawn of a chart for a choice of scales and series.

import { boxSeries, boxValues } from "./box_chart";
import { stopsOf, type Chart, type DrawnChart } from "./data";
import { frameOption, type Frame, type ValueAxis } from "./frame";
import type { EChartsOption } from "./library";
import { lineSeries, lineValues } from "./line_chart";
import { linear, logarithmic } from "./scale";
import { acrossAxis, scatterSeries, scatterValues } from "./scatter_chart";
import { evenAxis, nearestSize, scaledAxis, type SizeAxis } from "./size_axis";
import { stackSeries, stackValues } from "./stack_chart";
import type { Theme } from "./style";
import { tooltip } from "./tooltip";

export interface Choice {
  view: number; // of a chart of several
  logSizes: boolean;
  logValues: boolean;
  shares: boolean;
  hidden: Set<number>;
}

/** The one that is drawn. */
export function chosen(chart: Chart, view: number): DrawnChart {
  if (chart.kind !== "views") return chart;
  const found = chart.views[view] ?? chart.views[0];
  if (found === undefined) throw new Error("a chart without views");
  return found.chart;
}

export function firstChoice(chart: DrawnChart, view = 0): Choice {
  const logValues = chart.kind !== "stack" && chart.logarithmic;
  const logSizes = chart.kind !== "scatter" || chart.logAcross;
  return { view, logSizes, logValues, shares: true, hidden: new Set() };
}

export function sizeAxisOf(chart: DrawnChart, choice: Choice): SizeAxis {
  if (chart.kind === "scatter") return acrossAxis(chart, choice.logSizes);
  return chart.kind === "line" ? scaledAxis(stopsOf(chart), choice.logSizes) : evenAxis(stopsOf(chart));
}

function visible<T>(all: T[], choice: Choice): T[] {
  return all.filter((_, index) => !choice.hidden.has(index));
}

interface Drawn {
  values: ValueAxis;
  series: object[];
}

function drawn(chart: DrawnChart, choice: Choice, sizes: SizeAxis, theme: Theme, width: number): Drawn {
  const at = { sizes, scale: choice.logValues ? logarithmic(10) : linear, theme, width };
  switch (chart.kind) {
    case "line":
      return { values: lineValues(chart, at.scale), series: lineSeries(chart, visible(chart.series, choice), at) };
    case "box":
      return { values: boxValues(chart, at.scale), series: boxSeries(chart, visible(chart.series, choice), at) };
    case "scatter":
      return { values: scatterValues(chart, at.scale), series: scatterSeries(chart, at) };
    case "stack":
      return { values: stackValues(chart, choice.shares), series: stackSeries(chart, choice.shares, sizes, theme, width) };
  }
}

export function optionOf(chart: DrawnChart, choice: Choice, theme: Theme, width: number): EChartsOption {
  const sizes = sizeAxisOf(chart, choice);
  const { values, series } = drawn(chart, choice, sizes, theme, width);
  const frame: Frame = {
    width,
    theme,
    sizes,
    values,
    tooltip: (position) => tooltip(chart, nearestSize(sizes, position), theme),
  };
  return { ...frameOption(frame), series } as EChartsOption;
}
