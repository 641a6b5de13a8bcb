// Times and values as texts.

import { threeDigits } from "../trace/words";

const SECOND = 1000;
const DAY = 86400 * SECOND;

function padded(value: number, digits: number): string {
  return String(Math.floor(value)).padStart(digits, "0");
}

export function date(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Of a moment since the epoch, UTC, with as many parts as tell it from one so much later: "12:00", "12:00:03.250". */
export function clock(time: number, resolution: number): string {
  const text = new Date(time).toISOString();
  if (resolution >= 60 * SECOND) return text.slice(11, 16);
  return resolution >= SECOND ? text.slice(11, 19) : text.slice(11, 23);
}

/** "2026-10-01 12:00:03". */
export function moment(time: number, resolution: number): string {
  return `${date(time)} ${clock(time, Math.min(resolution, 30 * SECOND))}`;
}

/** "14 min 3 s". */
export function duration(ms: number): string {
  if (ms < SECOND) return `${threeDigits(ms)} ms`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 120) return `${threeDigits(ms / SECOND)} s`;
  if (seconds < 3600) return `${padded(seconds / 60, 1)} min ${seconds % 60} s`;
  if (ms < 2 * DAY) return `${padded(seconds / 3600, 1)} h ${padded((seconds % 3600) / 60, 1)} min`;
  const hours = Math.round(ms / (3600 * SECOND));
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** "98.2 %". */
export function amount(value: number, unit: string): string {
  const size = Math.abs(value);
  const text = size >= 1000 ? value.toFixed(0) : size >= 1 || size === 0 ? threeDigits(value) : Number(value.toPrecision(3)).toString();
  return unit === "" ? text : `${text} ${unit}`;
}
