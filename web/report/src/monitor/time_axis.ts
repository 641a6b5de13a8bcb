// Round moments for the axis of time.

import { clock, date } from "./words";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((count) => count * DAY),
];

export interface Tick {
  time: number; // from the start
  text: string;
}

/** No two nearer than `apart` milliseconds; `start` is since the epoch. */
export function timeTicks(start: number, from: number, to: number, apart: number): Tick[] {
  const step = STEPS.find((one) => one >= apart) ?? 728 * DAY;
  const found: Tick[] = [];
  for (let at = Math.ceil((start + from) / step) * step; at <= start + to; at += step) {
    const isDay = at % DAY === 0 && start + to - (start + from) > HOUR;
    found.push({ time: at - start, text: isDay ? date(at) : clock(at, step) });
  }
  return found;
}
