// Where on the drawing things stand, from the top down: times, steps, a lane for each device, and its memory.

import type { TimelineData } from "./data";

export interface Lane {
  top: number; // of the lane; its words stand above it
  height: number;
  index: number; // of the device, or of the memory
}

export interface Layout {
  steps: number; // the top of their band; where there are none, that of the first lane
  below: number; // what is above all lanes
  devices: Lane[];
  memory: Lane[];
  height: number;
}

export const BAND = 20; // pixels, as are all here
const WORDS = 22;
const BETWEEN = 8;
const MEMORY = 52;

function laneHeight(devices: number): number {
  if (devices <= 2) return devices === 1 ? 96 : 64;
  return devices <= 8 ? 40 : 24;
}

export function layoutOf(data: TimelineData): Layout {
  let at = BAND;
  const steps = at;
  if (data.steps.length > 0) at += BAND;
  const below = at;
  const lane = (index: number, height: number): Lane => {
    const made = { top: at + WORDS, height, index };
    at += WORDS + height + BETWEEN;
    return made;
  };
  const devices = data.devices.map((_, index) => lane(index, laneHeight(data.devices.length)));
  const memory = data.memory.flatMap((one, index) => (one.moments.length > 0 ? [lane(index, MEMORY)] : []));
  return { steps, below, devices, memory, height: at };
}

/** The lane at that height with the words above it. */
export function laneAt(lanes: Lane[], y: number): Lane | undefined {
  return lanes.find((lane) => y >= lane.top - WORDS && y < lane.top + lane.height + BETWEEN);
}
