// Where in a line's rows a time is, and what values a stretch of it has.

import type { Line } from "./data";

/** The first row at or after that time. */
export function rowAt(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row nearest to that time, gap or not; -1: there is none. */
export function nearestRow(times: Float64Array, time: number): number {
  const after = rowAt(times, time);
  if (after === 0) return times.length > 0 ? 0 : -1;
  if (after === times.length) return after - 1;
  return times[after]! - time < time - times[after - 1]! ? after : after - 1;
}

export interface Extremes {
  low: number;
  high: number;
}

/** Rows that are in sight, with one more at either end, so that lines go on to the edge. */
export function rowsIn(times: Float64Array, from: number, to: number): [first: number, last: number] {
  return [Math.max(0, rowAt(times, from) - 1), Math.min(times.length, rowAt(times, to) + 1)];
}

/** What a line has in rows that follow each other, drawn as one; lengths are those of `times`. */
export interface Run {
  times: number[];
  mean: number[];
  low: number[];
  high: number[];
}

/** Rows [first, last) without a gap between them, `together` of them as one point. */
export function runsOf(line: Line, first: number, last: number, together: number): Run[] {
  const found: Run[] = [];
  let run: Run | undefined;
  let count = 0; // of the rows in the last point
  for (let row = first; row < last; row += 1) {
    const mean = line.mean[row]!;
    if (Number.isNaN(mean)) {
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = { times: [], mean: [], low: [], high: [] };
      found.push(run);
      count = together;
    }
    count = count === together ? 1 : count + 1;
    addTo(run, count, line, row);
  }
  return found;
}

/** As the first row of a new point, or as that many of the last one. */
function addTo(run: Run, count: number, line: Line, row: number): void {
  const [time, mean, low, high] = [line.clock.times[row]!, line.mean[row]!, line.low[row]!, line.high[row]!];
  if (count === 1) {
    run.times.push(time);
    run.mean.push(mean);
    run.low.push(low);
    run.high.push(high);
    return;
  }
  const at = run.times.length - 1;
  run.times[at]! += (time - run.times[at]!) / count;
  run.mean[at]! += (mean - run.mean[at]!) / count;
  run.low[at] = Math.min(run.low[at]!, low);
  run.high[at] = Math.max(run.high[at]!, high);
}

/** Of all lines between two times; undefined where nothing was told. */
export function extremes(lines: Line[], from: number, to: number): Extremes | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (const line of lines) {
    const [first, last] = rowsIn(line.clock.times, from, to);
    for (let row = first; row < last; row += 1) {
      if (line.low[row]! < low) low = line.low[row]!;
      if (line.high[row]! > high) high = line.high[row]!;
    }
  }
  return low <= high ? { low, high } : undefined;
}
