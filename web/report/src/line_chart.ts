// An estimate at each batch size, with its interval: one line a series.

import type { LineChart, LineSeries, Point } from "./data";
import type { ValueAxis } from "./frame";
import { errorBars } from "./marks";
import { withRoom, type Scale } from "./scale";
import type { SizeAxis } from "./size_axis";
import { colourOf, dashOf, symbolOf, type Theme } from "./style";

const LEAST_RATIO_SPAN = 0.08;
const LEAST_SPAN = 0.02;
const MOST_LABELS = 10;
const FAR = 0.12; // of the axis

export function lineValues(chart: LineChart, scale: Scale): ValueAxis {
  const points = chart.series.flatMap((series) => series.points);
  const values = points.flatMap((point) => [point.value, point.low, point.high, point.reference]);
  const known = values.filter((value): value is number => value !== undefined);
  const least = chart.decimals === 2 ? LEAST_RATIO_SPAN : LEAST_SPAN * Math.max(...known.map(Math.abs), 1e-9);
  return { scale, range: withRoom(known, scale, chart.fromZero, least), decimals: chart.decimals };
}

interface Place {
  sizes: SizeAxis;
  scale: Scale;
  theme: Theme;
}

function drawable(points: Point[], scale: Scale): Point[] {
  return scale.logarithmic ? points.filter((point) => point.value > 0) : points;
}

function reference(chart: LineChart, series: LineSeries, at: Place): object[] {
  const points = series.points.filter((point) => point.reference !== undefined);
  if (points.length === 0) return [];
  let data = points.map((point) => [at.sizes.position(point.size), at.scale.to(point.reference ?? 0)]);
  // A level is drawn across; a single size still shows it.
  const level = data[0]?.[1] ?? 0;
  if (data.every((pair) => pair[1] === level)) data = [[at.sizes.range.low, level], [at.sizes.range.high, level]];
  const colour = chart.sharedReference ? at.theme.dim : colourOf(series.colour, at.theme);
  const lineStyle = { color: colour, width: 1.5, type: chart.sharedReference ? [7, 5] : [2, 3] };
  return [{ type: "line", name: "reference", data, symbol: "none", silent: true, lineStyle, z: 1, tooltip: { show: false } }];
}

function line(series: LineSeries, at: Place): object {
  const colour = colourOf(series.colour, at.theme);
  const data = drawable(series.points, at.scale).map((point) => {
    const hollow = series.hollow || point.verdict === "suspect";
    return {
      value: [at.sizes.position(point.size), at.scale.to(point.value)],
      itemStyle: hollow ? { color: at.theme.background, borderColor: colour, borderWidth: 2 } : { color: colour },
    };
  });
  return {
    type: "line",
    name: "value",
    data,
    symbol: symbolOf(series.style),
    symbolSize: 8,
    showAllSymbol: true,
    lineStyle: { color: colour, width: 2, type: dashOf(series.dash) },
    emphasis: { disabled: true },
    z: 4,
  };
}

/**
 * Values in words: beyond the end of the interval, on the side that the line leaves free; beside the point where the
 * end is so far away that the number would seem to be the end's.
 */
function labels(series: LineSeries, at: Place, span: number): object {
  const points = drawable(series.points, at.scale);
  const data = points.map((point, index) => {
    const below = (points[index + 1]?.value ?? -Infinity) > point.value;
    const end = (below ? point.low : point.high) ?? point.value;
    const value = at.scale.to(point.value);
    const place = at.scale.logarithmic && end <= 0 ? -Infinity : at.scale.to(end);
    const far = Math.abs(place - value) > FAR * span;
    const distance = point.verdict === "proven" ? 11 : far || place === value ? 7 : 4;
    const position = far ? [6, below ? 6 : -16] : below ? "bottom" : "top";
    return {
      value: [at.sizes.position(point.size), far ? value : place],
      label: { show: true, position, distance, formatter: point.text.split(" ")[0] ?? "" },
    };
  });
  return {
    type: "scatter",
    name: "label",
    data,
    symbolSize: 0,
    silent: true,
    label: { color: at.theme.text, fontSize: 11, textBorderColor: at.theme.background, textBorderWidth: 3 },
    labelLayout: { hideOverlap: true },
    z: 6,
  };
}

function rings(series: LineSeries, at: Place): object[] {
  const data = drawable(series.points, at.scale)
    .filter((point) => point.verdict === "proven")
    .map((point) => [at.sizes.position(point.size), at.scale.to(point.value)]);
  if (data.length === 0) return [];
  const itemStyle = { color: "transparent", borderColor: at.theme.text, borderWidth: 1.8 };
  return [{ type: "scatter", name: "proven", data, symbol: "circle", symbolSize: 19, itemStyle, silent: true, z: 5 }];
}

export function lineSeries(chart: LineChart, shown: LineSeries[], at: Place): object[] {
  const { low, high } = lineValues(chart, at.scale).range;
  const span = high - low;
  const labelled = chart.series.length === 1 && at.sizes.sizes.length <= MOST_LABELS;
  return shown.flatMap((series, index) => {
    const bars = drawable(series.points, at.scale)
      .filter((point) => point.low !== undefined && point.high !== undefined)
      .filter((point) => !at.scale.logarithmic || (point.low ?? 0) > 0)
      .map((point) => [at.sizes.position(point.size), at.scale.to(point.low ?? 0), at.scale.to(point.high ?? 0)]);
    const level = chart.sharedReference && index > 0 ? [] : reference(chart, series, at);
    const intervals = bars.length > 0 ? [errorBars(bars, colourOf(series.colour, at.theme))] : [];
    return [...level, line(series, at), ...intervals, ...rings(series, at), ...(labelled ? [labels(series, at, span)] : [])];
  });
}
