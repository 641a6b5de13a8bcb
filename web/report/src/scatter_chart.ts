// Points by two measures: what was measured by throughput and latency, or visits over time.

import type { Look, ScatterChart, Spot } from "./data";
import type { ValueAxis } from "./frame";
import { errorBars } from "./marks";
import { clip, linear, logarithmic, withIntervals, withRoom, type Scale } from "./scale";
import type { SizeAxis } from "./size_axis";
import { ANOMALY, colourOf, PICK, symbolOf, type Theme } from "./style";

const FLOOR = 0.25; // of the axis
const LETTER = 7; // pixels, of a label
const MARKED = new Set<Spot["mark"]>(["recommended", "nearest", "default"]);

interface Place {
  sizes: SizeAxis;
  values: ValueAxis;
  scale: Scale;
  theme: Theme;
  width: number;
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
  const ends = chart.points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]);
  const known = chart.level === undefined ? values : [...values, chart.level.value];
  return { scale, range: withIntervals(known, ends, scale, false, 0.02 * Math.max(...values)), decimals: chart.decimals };
}

function place(spot: Spot, at: Place): [number, number] {
  return [at.sizes.scale?.to(spot.x) ?? spot.x, at.scale.to(spot.y)];
}

function dots(look: Look, spots: Spot[], at: Place): object[] {
  if (spots.length === 0) return [];
  const colour = colourOf(look.colour, at.theme);
  const data = spots.map((spot) => {
    const own = spot.mark === "slow" || spot.mark === "disturbed" ? colourOf(ANOMALY, at.theme) : colour;
    const hollow = { color: at.theme.background, borderColor: own, borderWidth: 1.5 };
    return { value: place(spot, at), itemStyle: { opacity: 1, ...(look.hollow ? hollow : { color: own }) } };
  });
  const common = { name: look.name, data, symbol: symbolOf(look.style), symbolSize: look.joined ? 9 : 8, emphasis: { disabled: true } };
  if (!look.joined) return [{ ...common, type: "scatter", z: 3 }];
  return [{ ...common, type: "line", showAllSymbol: true, lineStyle: { color: colour, width: 2 }, z: 4 }];
}

/** A ring or a square around a point. */
function mark(spot: Spot, at: Place): object {
  const colour = spot.mark === "default" ? at.theme.text : colourOf(PICK, at.theme);
  return {
    type: "scatter",
    name: spot.mark,
    data: [place(spot, at)],
    symbol: spot.mark === "default" ? "rect" : "circle",
    symbolSize: 18,
    itemStyle: { color: "transparent", borderColor: colour, borderWidth: spot.mark === "default" ? 1.6 : 2.4 },
    silent: true,
    z: 5,
  };
}

/** Beside each point, towards the middle of the chart; of marked ones below it (above, near the floor). */
function labels(spots: Spot[], at: Place): object {
  const { low, high } = at.sizes.range;
  const { range } = at.values;
  const perUnit = at.width / (high - low);
  const shown = [...spots].filter((spot) => spot.label !== "").sort((a, b) => Number(b.mark !== "") - Number(a.mark !== ""));
  const data = shown.map((spot) => {
    const [x, y] = place(spot, at);
    const onFloor = y < range.low + FLOOR * (range.high - range.low);
    const pixels = LETTER * spot.label.length;
    const align = (x - low) * perUnit < pixels / 2 ? "left" : (high - x) * perUnit < pixels / 2 ? "right" : "center";
    const marked = MARKED.has(spot.mark);
    const colour = spot.mark === "slow" ? colourOf(ANOMALY, at.theme) : at.theme.text;
    const below = marked && !onFloor;
    // Beyond the end of the interval; beside the point where that leaves the chart.
    const end = at.scale.to((below ? spot.low : spot.high) ?? spot.y);
    const last = (high - x) * perUnit < pixels + 16;
    const beside = { position: last ? "left" : "right", align: last ? "right" : "left", distance: 12 };
    const inside = end > range.low && end < range.high;
    const distance = marked ? 12 : 6; // from its ring
    const where = inside ? { position: below ? "bottom" : "top", align, distance } : beside;
    const label = { show: true, formatter: spot.label, ...where, color: colour, fontWeight: spot.mark === "" ? "normal" : "bold" };
    return { value: [x, inside ? end : y], label };
  });
  return {
    type: "scatter",
    name: "label",
    data,
    symbolSize: 0,
    itemStyle: { opacity: 1 }, // or its words would be faint, as its dots are usually
    silent: true,
    label: { fontSize: 12, minMargin: 4, textBorderColor: at.theme.background, textBorderWidth: 3 },
    labelLayout: { hideOverlap: true },
    z: 6,
  };
}

function straight(name: string, data: number[][], theme: Theme): object {
  const lineStyle = { color: theme.dim, width: 1.5, type: [5, 4] };
  return { type: "line", name, data, symbol: "none", silent: true, lineStyle, z: 1, tooltip: { show: false } };
}

function limits(chart: ScatterChart, at: Place): object[] {
  const found: object[] = [];
  if (chart.bound !== undefined) {
    const x = at.sizes.scale?.to(chart.bound.value) ?? chart.bound.value;
    found.push(straight("bound", [[x, at.values.range.low], [x, at.values.range.high]], at.theme));
  }
  if (chart.level !== undefined) {
    const y = at.scale.to(chart.level.value);
    found.push(straight("level", [[at.sizes.range.low, y], [at.sizes.range.high, y]], at.theme));
  }
  return found;
}

function intervals(spots: Spot[], at: Place): object[] {
  const to = (value: number): number => (at.scale.logarithmic && value <= 0 ? -Infinity : at.scale.to(value));
  const bars = spots
    .filter((spot) => spot.low !== undefined && spot.high !== undefined)
    .map((spot) => ({
      x: place(spot, at)[0],
      low: clip(to(spot.low ?? 0), at.values.range),
      high: clip(to(spot.high ?? 0), at.values.range),
    }));
  return bars.length > 0 ? [errorBars(bars, at.theme.line)] : [];
}

export function scatterSeries(chart: ScatterChart, where: Omit<Place, "values">): object[] {
  const at: Place = { ...where, values: scatterValues(chart, where.scale) };
  return [
    ...limits(chart, at),
    ...intervals(chart.points, at),
    ...chart.styles.flatMap((look, index) => dots(look, chart.points.filter((spot) => spot.look === index), at)),
    ...chart.points.filter((spot) => MARKED.has(spot.mark)).map((spot) => mark(spot, at)),
    labels(chart.points, at),
  ];
}
