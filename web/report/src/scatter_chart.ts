// What a search measured: a point a configuration, what nothing beats in both connected, and the pick beside the default.

import type { ScatterChart, Spot } from "./data";
import type { ValueAxis } from "./frame";
import { linear, logarithmic, withRoom, type Scale } from "./scale";
import type { SizeAxis } from "./size_axis";
import { colourOf, FRONT, PICK, type Theme } from "./style";

const FLOOR = 0.25; // of the axis

interface Place {
  sizes: SizeAxis;
  scale: Scale;
  theme: Theme;
}

/** The axis across: its stops are the points. */
export function acrossAxis(chart: ScatterChart, log: boolean): SizeAxis {
  const scale = log ? logarithmic(10) : linear;
  const values = chart.points.map((point) => point.x);
  const known = chart.bound === undefined ? values : [...values, chart.bound.value];
  return {
    sizes: chart.points.map((_, index) => index),
    title: chart.across,
    scale,
    position: (stop) => scale.to(chart.points[stop]?.x ?? 1),
    range: withRoom(known, scale, false, 0.02 * Math.max(...known)),
  };
}

export function scatterValues(chart: ScatterChart, scale: Scale): ValueAxis {
  const values = chart.points.map((point) => point.y);
  return { scale, range: withRoom(values, scale, false, 0.02 * Math.max(...values)), decimals: 0 };
}

function place(spot: Spot, at: Place): [number, number] {
  return [at.sizes.scale?.to(spot.x) ?? spot.x, at.scale.to(spot.y)];
}

function dots(name: string, spots: Spot[], itemStyle: object, at: Place): object {
  return { type: "scatter", name, data: spots.map((spot) => place(spot, at)), symbolSize: 8, itemStyle, emphasis: { disabled: true }, z: 3 };
}

function front(spots: Spot[], at: Place): object {
  const colour = colourOf(FRONT, at.theme);
  const itemStyle = { color: colour };
  const data = spots.map((spot) => place(spot, at));
  const line = { type: "line", symbol: "circle", symbolSize: 9, showAllSymbol: true, lineStyle: { color: colour, width: 2 } };
  return { ...line, name: "front", data, itemStyle, emphasis: { disabled: true }, z: 4 };
}

/** A ring or a square around a point, with its name below it (above, near the floor), towards the middle. */
function mark(spot: Spot, values: ValueAxis, at: Place): object {
  const [x, y] = place(spot, at);
  const { low, high } = at.sizes.range;
  const onFloor = y < values.range.low + FLOOR * (values.range.high - values.range.low);
  const colour = spot.mark === "default" ? at.theme.text : colourOf(PICK, at.theme);
  const label = {
    show: true,
    formatter: spot.mark,
    position: onFloor ? "top" : "bottom",
    align: x > (low + high) / 2 ? "right" : "left",
    distance: 12,
    color: at.theme.text,
    fontSize: 12,
    textBorderColor: at.theme.background,
    textBorderWidth: 3,
  };
  return {
    type: "scatter",
    name: spot.mark,
    data: [{ value: [x, y], label }],
    symbol: spot.mark === "default" ? "rect" : "circle",
    symbolSize: 18,
    itemStyle: { color: "transparent", borderColor: colour, borderWidth: spot.mark === "default" ? 1.6 : 2.4 },
    silent: true,
    z: 5,
  };
}

function bound(value: number, values: ValueAxis, at: Place): object {
  const x = at.sizes.scale?.to(value) ?? value;
  const lineStyle = { color: at.theme.dim, width: 1.5, type: [5, 4] };
  const data = [[x, values.range.low], [x, values.range.high]];
  return { type: "line", name: "bound", data, symbol: "none", silent: true, lineStyle, z: 1, tooltip: { show: false } };
}

export function scatterSeries(chart: ScatterChart, at: Place): object[] {
  const faint = { color: at.theme.line, opacity: 0.7 };
  const hollow = { color: at.theme.background, borderColor: at.theme.line, borderWidth: 1.5 };
  const values = scatterValues(chart, at.scale);
  const limit = chart.bound === undefined ? [] : [bound(chart.bound.value, values, at)];
  return [
    ...limit,
    dots("outside", chart.points.filter((spot) => spot.outside && !spot.front), hollow, at),
    dots("measured", chart.points.filter((spot) => !spot.outside && !spot.front), faint, at),
    front(chart.points.filter((spot) => spot.front), at),
    ...chart.points.filter((spot) => spot.mark !== "").map((spot) => mark(spot, values, at)),
  ];
}
