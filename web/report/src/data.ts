// What the page carries, as written by the report library (libs/showing/report/src/page/html_charts.cpp). Texts are shown as they
// stand there, so that a number reads the same in a table, a chart and a text report.

export type Verdict = "ok" | "suspect" | "proven" | "untestable";

export interface Point {
  size: number;
  value: number;
  low?: number;
  high?: number;
  reference?: number;
  verdict: Verdict;
  text: string;
  mark?: "best" | "slow" | "fast"; // best: what is to be set; slow and fast: proven to be off its law
  label?: string; // what stands beside it, in words: "+26 %, proven"
}

/** What the values are held against: a law between the sizes, with how far off it is nothing. */
export interface Curve {
  name: string;
  band: string; // empty: none
  points: [size: number, value: number, low: number, high: number][];
}

/** A level that is not to be crossed. */
export interface Limit {
  value: number;
  text: string;
}

export interface LineSeries {
  name: string;
  style: number;
  colour: string;
  dash: number;
  hollow: boolean;
  points: Point[];
}

interface ChartBase {
  id: string;
  place: string; // the element of the page that it stands in
  title: string; // what it shows, found
  axis: string;
  note: string;
}

export interface LineChart extends ChartBase {
  kind: "line";
  logarithmic: boolean;
  fromZero: boolean;
  decimals: number;
  reference: string;
  sharedReference: boolean;
  stems?: boolean; // from zero to each value, in place of a line
  curves?: Curve[];
  limit?: Limit;
  series: LineSeries[];
}

/** The same measurements seen in several ways, one at a time. */
export interface ViewsChart extends ChartBase {
  kind: "views";
  views: { name: string; chart: LineChart }[];
}

export interface Box {
  size: number;
  low: number;
  q1: number;
  median: number;
  q3: number;
  high: number;
  points: number[];
  above: number;
  below: number;
  text: string;
}

export interface BoxSeries {
  name: string;
  style: number;
  colour: string;
  boxes: Box[];
}

export interface BoxChart extends ChartBase {
  kind: "box";
  logarithmic: boolean;
  decimals: number;
  bottom: number;
  top: number;
  series: BoxSeries[];
}

export interface Part {
  share: number;
  ms: number;
  text: string;
}

export interface Bar {
  size: number;
  mean: number;
  text: string;
  parts: Part[];
}

export interface Phase {
  name: string;
  colour: string;
  style: number;
}

export interface StackChart extends ChartBase {
  kind: "stack";
  phases: Phase[];
  bars: Bar[];
}

/** How points look that are alike. */
export interface Look {
  name: string;
  colour: string;
  style: number;
  hollow: boolean;
  joined: boolean; // by a line, from left to right
}

/** One configuration, or one visit. */
export interface Spot {
  x: number;
  y: number;
  low?: number;
  high?: number;
  name: string;
  label: string; // beside it; empty: none
  text: string;
  look: number; // of the chart's styles
  mark: "" | "recommended" | "nearest" | "default" | "slow" | "disturbed";
}

export interface ScatterChart extends ChartBase {
  kind: "scatter";
  across: string;
  stops: string; // what arrow keys step through: "points", "visits"
  logarithmic: boolean;
  logAcross: boolean;
  decimals: number;
  bound?: Limit; // upright
  level?: Limit; // across
  styles: Look[];
  points: Spot[]; // by x
}

/** What is drawn at one time. */
export type DrawnChart = LineChart | BoxChart | StackChart | ScatterChart;
export type Chart = DrawnChart | ViewsChart;

export interface Report {
  charts: Chart[];
  dark: Record<string, string>; // the twin of each colour on a dark background
}

export function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

export function readReport(): Report {
  return JSON.parse(textOf("report-data")) as Report;
}

export function readCsv(): string {
  return JSON.parse(textOf("report-csv")) as string;
}

export function readAnalysis(): string {
  return textOf("report-analysis");
}

/** Where a reader can stop, from left to right: all batch sizes of a chart, or the numbers of its points. */
export function stopsOf(chart: Chart): number[] {
  if (chart.kind === "views") return [...new Set(chart.views.flatMap((view) => stopsOf(view.chart)))].sort((a, b) => a - b);
  if (chart.kind === "scatter") return chart.points.map((_, index) => index);
  const sizes = new Set<number>();
  if (chart.kind === "line") chart.series.forEach((one) => one.points.forEach((point) => sizes.add(point.size)));
  if (chart.kind === "box") chart.series.forEach((one) => one.boxes.forEach((box) => sizes.add(box.size)));
  if (chart.kind === "stack") chart.bars.forEach((bar) => sizes.add(bar.size));
  return [...sizes].sort((a, b) => a - b);
}
