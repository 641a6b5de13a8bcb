// An estimate at each batch size, with its interval: one line a series, and what it is held against.

import type { Curve, LineChart, LineSeries, Point } from "./data";
import type { ValueAxis } from "./frame";
import { band, errorBars, stems } from "./marks";
import { clip, withIntervals, type Range, type Scale } from "./scale";
import type { SizeAxis } from "./size_axis";
import { ANOMALY, colourOf, dashOf, PICK, symbolOf, type Theme } from "./style";

const LEAST_RATIO_SPAN = 0.08;
const LEAST_SPAN = 0.02;
const MOST_LABELS = 10;
const LETTER = 7; // pixels, of a label
const FAR = 0.12; // of the axis

function numbers(values: (number | undefined)[]): number[] {
  return values.filter((value): value is number => value !== undefined);
}

export function lineValues(chart: LineChart, scale: Scale): ValueAxis {
  const points = chart.series.flatMap((series) => series.points);
  const known = numbers([...points.flatMap((point) => [point.value, point.reference]), chart.limit?.value]);
  const ends = numbers(points.flatMap((point) => [point.low, point.high]));
  const least = chart.decimals === 2 ? LEAST_RATIO_SPAN : LEAST_SPAN * Math.max(...known.map(Math.abs), 1e-9);
  const values = chart.stems === true ? [...known, 0] : known;
  return { scale, range: withIntervals(values, ends, scale, chart.fromZero, least), decimals: chart.decimals };
}

interface Place {
  sizes: SizeAxis;
  scale: Scale;
  theme: Theme;
  range: Range;
  width: number;
}

function drawable(points: Point[], scale: Scale): Point[] {
  return scale.logarithmic ? points.filter((point) => point.value > 0) : points;
}

function level(value: number, at: Place, look: object): object {
  const data = [[at.sizes.range.low, at.scale.to(value)], [at.sizes.range.high, at.scale.to(value)]];
  return { type: "line", name: "reference", data, symbol: "none", silent: true, lineStyle: look, z: 1, tooltip: { show: false } };
}

function reference(chart: LineChart, series: LineSeries, at: Place): object[] {
  const points = series.points.filter((point) => point.reference !== undefined);
  if (points.length === 0) return [];
  const colour = chart.sharedReference ? at.theme.dim : colourOf(series.colour, at.theme);
  const lineStyle = { color: colour, width: 1.5, type: chart.sharedReference ? [7, 5] : [2, 3] };
  // A level is drawn across; a single size still shows it.
  const first = points[0]?.reference ?? 0;
  if (points.every((point) => point.reference === first)) return [level(first, at, lineStyle)];
  const data = points.map((point) => [at.sizes.position(point.size), at.scale.to(point.reference ?? 0)]);
  return [{ type: "line", name: "reference", data, symbol: "none", silent: true, lineStyle, z: 1, tooltip: { show: false } }];
}

function curves(chart: LineChart, at: Place): object[] {
  return (chart.curves ?? []).flatMap((curve: Curve) => {
    const points = curve.points.filter(([, value, low]) => !at.scale.logarithmic || Math.min(value, low) > 0);
    const data = points.map(([size, value]) => [at.sizes.position(size), at.scale.to(value)]);
    const edges = points.map(([size, , low, high]): [number, number, number] => {
      return [at.sizes.position(size), at.scale.to(low), at.scale.to(high)];
    });
    const lineStyle = { color: at.theme.dim, width: 1.5, type: [7, 5] };
    const line = { type: "line", name: "law", data, symbol: "none", silent: true, lineStyle, z: 1, tooltip: { show: false } };
    return curve.band === "" ? [line] : [band(edges, at.theme.dim), line];
  });
}

function line(chart: LineChart, series: LineSeries, at: Place): object {
  const colour = colourOf(series.colour, at.theme);
  const data = drawable(series.points, at.scale).map((point) => {
    const own = point.mark === "slow" ? colourOf(ANOMALY, at.theme) : colour;
    const hollow = series.hollow || point.verdict === "suspect";
    return {
      value: [at.sizes.position(point.size), at.scale.to(point.value)],
      itemStyle: hollow ? { color: at.theme.background, borderColor: own, borderWidth: 2 } : { color: own },
    };
  });
  return {
    type: "line",
    name: "value",
    data,
    symbol: symbolOf(series.style),
    symbolSize: 8,
    showAllSymbol: true,
    lineStyle: { color: colour, width: chart.stems === true ? 0 : 2, type: dashOf(series.dash) },
    emphasis: { disabled: true },
    z: 4,
  };
}

function words(point: Point, alone: boolean): string {
  const stated = alone ? [point.text.split(" ")[0] ?? "", point.label ?? ""] : [point.label ?? ""];
  return stated.filter((one) => one !== "").join("\n");
}

/** Values and what stands out, beside the points, on the side that the line leaves free. */
function labels(series: LineSeries, at: Place, alone: boolean): object {
  const points = drawable(series.points, at.scale);
  const perUnit = at.width / (at.sizes.range.high - at.sizes.range.low);
  const data = points.flatMap((point, index) => {
    const text = words(point, alone);
    if (text === "") return [];
    const value = at.scale.to(point.value);
    const below = (points[index + 1]?.value ?? -Infinity) > point.value && value > at.range.low + 0.22 * (at.range.high - at.range.low);
    const x = at.sizes.position(point.size);
    const half = (LETTER * Math.max(...text.split("\n").map((one) => one.length))) / 2;
    const ends = [(x - at.sizes.range.low) * perUnit, (at.sizes.range.high - x) * perUnit];
    const align = (ends[0] ?? 0) < half ? "left" : (ends[1] ?? 0) < half ? "right" : "center";
    const colour = point.mark === "slow" ? colourOf(ANOMALY, at.theme) : at.theme.text;
    const fontWeight = point.label === undefined ? "normal" : "bold";
    const distance = point.mark === undefined ? 7 : 12;
    // Beyond the end of the interval; beside the point where that is so far away that the words would seem to be its own.
    const end = (below ? point.low : point.high) ?? point.value;
    const place = at.scale.logarithmic && end <= 0 ? value : clip(at.scale.to(end), at.range).at;
    const far = Math.abs(place - value) > FAR * (at.range.high - at.range.low);
    const last = (ends[1] ?? 0) < 2 * half + 12;
    const side = last ? "left" : "right";
    const neighbor = points[last ? index - 1 : index + 1]?.value ?? -Infinity;
    // Off the line that goes on at that side.
    const verticalAlign = neighbor > point.value ? "top" : "bottom";
    const beside = { position: side, align: last ? "right" : "left", verticalAlign, distance: 10 };
    const label = { show: true, ...(far ? beside : { position: below ? "bottom" : "top", align, distance }), formatter: text, color: colour, fontWeight };
    return [{ value: [x, far ? value : place], label }];
  });
  // What has words of its own goes first where not all have room.
  data.sort((a, b) => Number(b.label.fontWeight === "bold") - Number(a.label.fontWeight === "bold"));
  return {
    type: "scatter",
    name: "label",
    data,
    symbolSize: 0,
    itemStyle: { opacity: 1 }, // or its words would be faint, as its dots are usually
    silent: true,
    label: { fontSize: 11, lineHeight: 14, minMargin: 4, textBorderColor: at.theme.background, textBorderWidth: 3 },
    labelLayout: { hideOverlap: true },
    z: 6,
  };
}

function rings(series: LineSeries, at: Place): object[] {
  const marked = drawable(series.points, at.scale).filter((point) => point.mark !== undefined);
  if (marked.length === 0) return [];
  const colours = { best: PICK, slow: ANOMALY, fast: series.colour };
  const data = marked.map((point) => ({
    value: [at.sizes.position(point.size), at.scale.to(point.value)],
    itemStyle: { color: "transparent", borderColor: colourOf(colours[point.mark ?? "best"], at.theme), borderWidth: 2.2 },
  }));
  return [{ type: "scatter", name: "marked", data, symbol: "circle", symbolSize: 18, silent: true, z: 5 }];
}

function intervals(series: LineSeries, at: Place): object[] {
  const bars = drawable(series.points, at.scale).flatMap((point) => {
    if (point.low === undefined || point.high === undefined) return [];
    const to = (value: number): number => (at.scale.logarithmic && value <= 0 ? -Infinity : at.scale.to(value));
    return [{ x: at.sizes.position(point.size), low: clip(to(point.low), at.range), high: clip(to(point.high), at.range) }];
  });
  return bars.length > 0 ? [errorBars(bars, colourOf(series.colour, at.theme))] : [];
}

function stemsOf(chart: LineChart, series: LineSeries, at: Place): object[] {
  if (chart.stems !== true) return [];
  const data = series.points.map((point): [number, number] => [at.sizes.position(point.size), point.value]);
  return [level(0, at, { color: at.theme.line, width: 1.2 }), stems(data, colourOf(series.colour, at.theme))];
}

export function lineSeries(chart: LineChart, shown: LineSeries[], place: Omit<Place, "range">): object[] {
  const at: Place = { ...place, range: lineValues(chart, place.scale).range };
  const alone = chart.series.length === 1 && at.sizes.sizes.length <= MOST_LABELS;
  const limit = chart.limit === undefined ? [] : [level(chart.limit.value, at, { color: colourOf(ANOMALY, at.theme), width: 1.5, type: [5, 4] })];
  const series = shown.flatMap((one, index) => [
    ...(chart.sharedReference && index > 0 ? [] : reference(chart, one, at)),
    ...stemsOf(chart, one, at),
    line(chart, one, at),
    ...intervals(one, at),
    ...rings(one, at),
    labels(one, at, alone),
  ]);
  return [...curves(chart, at), ...limit, ...series];
}
