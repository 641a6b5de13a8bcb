// What the page of a trace carries, as written by libs/showing/report/src/traces/timeline_data.cpp. Times are nanoseconds from the
// start of the timeline.

import { textOf } from "../data";

/** How a part of a device's time is drawn; its colours are the variables --part-KEY and --ink-KEY. */
export interface Look {
  key: string;
  name: string;
  idle: boolean;
  weave: string; // lines over the colour, as a path in a tile of 8 by 8
}

/** Of what is known to be idle, for what: "data loading". */
export function brief(look: Look | undefined): string {
  return look?.name.replace("idle: ", "") ?? "";
}

export interface Device {
  name: string;
  brief: string; // where there is little room
  start: number; // of the first thing it did
  end: number;
  wall: number; // of the time between that counts
  from: number; // of its first stretch
  unit: number;
  spans: number;
  pieces: number; // in these
  packed: string; // see spans.ts
}

export interface Step {
  number: number;
  name: string;
  start: number;
  end: number;
}

/** A long time in which a device did nothing, and what the host did; texts are empty where nothing is known. */
export interface Gap {
  device: number;
  start: number;
  end: number;
  cause: number; // of the styles
  parts: number[];
  call: string;
  inside: string;
  source: string;
  thread: string;
}

export interface Memory {
  name: string;
  counted: boolean; // from what was held when the recording began
  moments: [time: number, allocated: number, reserved: number][];
}

export interface TimelineData {
  wall: number;
  parts: Look[];
  devices: Device[];
  steps: Step[];
  gaps: Gap[]; // as the rows of their table
  memory: Memory[];
}

export function readTimeline(): TimelineData {
  return JSON.parse(textOf("timeline-data")) as TimelineData;
}

export function readCsv(): string {
  return JSON.parse(textOf("trace-csv")) as string;
}

export function readJson(): string {
  return textOf("trace-json");
}
