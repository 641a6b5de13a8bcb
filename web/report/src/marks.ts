// Marks that the chart library has no series for, drawn from positions on both axes.

import type { CustomSeriesOption } from "echarts/charts";
import type { Clipped } from "./scale";

type RenderItem = NonNullable<CustomSeriesOption["renderItem"]>;
type Api = Parameters<RenderItem>[1];

const CAP = 4; // half a bar's end, pixels

function place(api: Api, x: number, y: number): [number, number] {
  const [left = 0, top = 0] = api.coord([x, y]);
  return [left, top];
}

/** Towards the outside of the axis, which the mark goes beyond. */
function beyond(left: number, top: number, direction: number): string {
  return `M${left - CAP} ${top + 6 * direction}L${left} ${top}L${left + CAP} ${top + 6 * direction}`;
}

/** An upright line from low to high, with ends, or with arrows where the axis ends first. */
export function errorBars(bars: { x: number; low: Clipped; high: Clipped }[], colour: string): CustomSeriesOption {
  return {
    type: "custom",
    name: "interval",
    data: bars.map((bar) => [bar.x, bar.low.at, bar.high.at]),
    encode: { x: 0, y: [1, 2] },
    silent: true,
    clip: true,
    z: 3,
    renderItem: (params, api) => {
      const x = Number(api.value(0));
      const [left, bottom] = place(api, x, Number(api.value(1)));
      const [, top] = place(api, x, Number(api.value(2)));
      const bar = bars[params.dataIndex];
      const cap = (at: number): string => `M${left - CAP} ${at}h${2 * CAP}`;
      const low = bar?.low.beyond ? beyond(left, bottom, -1) : cap(bottom);
      const high = bar?.high.beyond ? beyond(left, top, 1) : cap(top);
      const path = `M${left} ${bottom}L${left} ${top}${low}${high}`;
      return { type: "path", shape: { pathData: path }, style: { stroke: colour, fill: "none", lineWidth: 1.6 } };
    },
  };
}

/** What lies between two lines; data: [x, low, high]. */
export function band(data: [number, number, number][], colour: string): CustomSeriesOption {
  return {
    type: "custom",
    name: "band",
    data: [[data[0]?.[0] ?? 0, data[0]?.[1] ?? 0]],
    silent: true,
    clip: true,
    z: 0,
    tooltip: { show: false },
    renderItem: (_, api) => {
      const points = [...data.map(([x, low]) => place(api, x, low)), ...data.map(([x, , high]) => place(api, x, high)).reverse()];
      return { type: "polygon", shape: { points }, style: { fill: colour, opacity: 0.14 } };
    },
  };
}

/** An upright line from zero to each value; data: [x, value]. */
export function stems(data: [number, number][], colour: string): CustomSeriesOption {
  return {
    type: "custom",
    name: "stem",
    data,
    silent: true,
    clip: true,
    z: 2,
    renderItem: (_, api) => {
      const [left, top] = place(api, Number(api.value(0)), Number(api.value(1)));
      const [, zero] = place(api, 0, 0);
      return { type: "path", shape: { pathData: `M${left} ${zero}V${top}` }, style: { stroke: colour, fill: "none", lineWidth: 3, opacity: 0.45 } };
    },
  };
}

export interface BoxLook {
  colour: string;
  line: string;
  fill: number;
  width: number; // in steps of the axis
  offset: number;
}

/** What one box is drawn from: [x, whisker, quartile, median, quartile, whisker, index of its points]. */
export type BoxDatum = [number, number, number, number, number, number, number];

const GOLDEN = 0.618034;

/** Points side by side without order, so that equal times do not cover each other. */
function cloud(api: Api, points: number[], centre: number, half: number): string {
  return points
    .map((point, index) => {
      const shift = ((index * GOLDEN) % 1) * 2 - 1;
      const [, top] = place(api, 0, point);
      return `M${(centre + shift * half - 1.3).toFixed(1)} ${top.toFixed(1)}a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0`;
    })
    .join("");
}

function arrows(api: Api, at: number, centre: number, direction: number): string {
  const [, top] = place(api, 0, at);
  return `M${centre - 5} ${top + 8 * direction}L${centre} ${top}L${centre + 5} ${top + 8 * direction}Z`;
}

export interface Strays {
  points: number[][];
  above: number[];
  below: number[];
  top: number;
  bottom: number;
}

export function boxes(data: BoxDatum[], strays: Strays, look: BoxLook): CustomSeriesOption {
  return {
    type: "custom",
    name: "box",
    data,
    encode: { x: 0, y: [1, 5] },
    silent: true,
    clip: true,
    z: 3,
    renderItem: (_, api) => {
      const value = (dimension: number): number => Number(api.value(dimension));
      const centre = place(api, value(0) + look.offset, 0)[0];
      const half = Math.max(2, (place(api, look.width, 0)[0] - place(api, 0, 0)[0]) / 2);
      const y = (dimension: number): number => place(api, 0, value(dimension))[1];
      const whiskers = [1, 5].map((end) => `M${centre} ${y(end === 1 ? 2 : 4)}V${y(end)}M${centre - half * 0.5} ${y(end)}h${half}`);
      const frame = { x: centre - half, y: y(4), width: 2 * half, height: y(2) - y(4) };
      const index = value(6);
      const dots = cloud(api, strays.points[index] ?? [], centre, half * 0.8);
      const beyond =
        ((strays.above[index] ?? 0) > 0 ? arrows(api, strays.top, centre, 1) : "") +
        ((strays.below[index] ?? 0) > 0 ? arrows(api, strays.bottom, centre, -1) : "");
      const stroke = { stroke: look.line, fill: "none", lineWidth: 1.2 };
      return {
        type: "group",
        children: [
          { type: "rect", shape: frame, style: { fill: look.colour, opacity: look.fill } },
          { type: "path", shape: { pathData: dots }, style: { fill: look.line, opacity: 0.35 } },
          { type: "rect", shape: frame, style: { ...stroke } },
          { type: "path", shape: { pathData: whiskers.join("") }, style: stroke },
          { type: "path", shape: { pathData: `M${centre - half} ${y(3)}h${2 * half}` }, style: { ...stroke, lineWidth: 2.4 } },
          { type: "path", shape: { pathData: beyond }, style: { fill: look.line } },
        ],
      };
    },
  };
}
