// What the page of a monitor's log carries, as written by libs/showing/monitor_report/src/page/chart_data.cpp. There, times are in
// microseconds; here, in milliseconds from the start of what is shown.

import { textOf } from "../data";

/** When something was told: a row for each point that is drawn. */
export interface Clock {
  times: Float64Array;
  steps: (number | null)[] | undefined; // of the last reading of the row; null: a gap
  most: number; // readings of a row
}

export interface Line {
  name: string;
  clock: Clock;
  mean: Float64Array; // NaN: nothing was told
  low: Float64Array; // of the same array where every row is one reading
  high: Float64Array;
}

export interface Limit {
  value: number;
  text: string;
}

export interface Chart {
  id: string;
  title: string;
  unit: string;
  fromZero: boolean;
  bySteps: boolean;
  limit: Limit | undefined;
  lines: Line[];
}

export type Look = "bad" | "caution" | "plain";

/** A finding, and while it held. */
export interface Band {
  from: number;
  to: number;
  is_active: boolean; // still, at the end
  look: Look;
  what: string;
  when: string;
  card: number; // of its finding, from 1: one that came and went has several bands
}

export interface MonitorData {
  start: number; // since the epoch
  wall: number;
  charts: Chart[];
  bands: Band[];
}

interface Packed {
  start: number;
  wall: number;
  clocks: { times: number[]; steps?: (number | null)[]; most: number }[];
  charts: {
    id: string;
    title: string;
    unit: string;
    fromZero: boolean;
    bySteps: boolean;
    limit?: Limit;
    lines: { name: string; clock: number; mean: Values; low?: Values; high?: Values }[];
  }[];
  bands: Band[];
}

type Values = (number | null)[];

const UNIT = 1000; // microseconds

function numbers(values: Values): Float64Array {
  return Float64Array.from(values, (value) => value ?? NaN);
}

function clockOf(packed: Packed["clocks"][number]): Clock {
  let at = 0;
  const times = Float64Array.from(packed.times, (since) => (at += since) / UNIT);
  return { times, steps: packed.steps, most: packed.most };
}

const NEVER: Clock = { times: new Float64Array(), steps: undefined, most: 0 };

export function readMonitor(): MonitorData {
  const packed = JSON.parse(textOf("monitor-data")) as Packed;
  const clocks = packed.clocks.map(clockOf);
  const charts = packed.charts.map((chart): Chart => {
    const lines = chart.lines.map((line): Line => {
      const mean = numbers(line.mean);
      const ends = { low: line.low ? numbers(line.low) : mean, high: line.high ? numbers(line.high) : mean };
      return { name: line.name, clock: clocks[line.clock] ?? NEVER, mean, ...ends };
    });
    return { ...chart, limit: chart.limit, lines };
  });
  const bands = packed.bands.map((band) => ({ ...band, from: band.from / UNIT, to: band.to / UNIT }));
  return { start: packed.start / UNIT, wall: packed.wall / UNIT, charts, bands };
}
