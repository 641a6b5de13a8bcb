// What the page carries, as written by the report library (libs/report/src/page/html_charts.cpp). Texts are shown as they
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
  title: string;
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
  series: LineSeries[];
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

/** One configuration that a search measured. */
export interface Spot {
  x: number;
  y: number;
  name: string;
  text: string;
  front: boolean; // nothing measured beats it in both
  outside: boolean; // beyond the bounds, or not chosen from
  mark: "" | "recommended" | "nearest" | "default";
}

export interface ScatterChart extends ChartBase {
  kind: "scatter";
  place: string;
  across: string;
  logarithmic: boolean;
  logAcross: boolean;
  bound?: { value: number; text: string };
  points: Spot[]; // by x
}

export type Chart = LineChart | BoxChart | StackChart | ScatterChart;

export interface Report {
  charts: Chart[];
}

function textOf(id: string): string {
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
  if (chart.kind === "scatter") return chart.points.map((_, index) => index);
  const sizes = new Set<number>();
  if (chart.kind === "line") chart.series.forEach((one) => one.points.forEach((point) => sizes.add(point.size)));
  if (chart.kind === "box") chart.series.forEach((one) => one.boxes.forEach((box) => sizes.add(box.size)));
  if (chart.kind === "stack") chart.bars.forEach((bar) => sizes.add(bar.size));
  return [...sizes].sort((a, b) => a - b);
}
