// The place of a drawing: its pixels, and the times that they stand for.

import { drawPointer, tickAlign, upright, type Span } from "../canvas/pen";
import type { Theme } from "../style";
import type { Band, Look } from "./data";
import { timeTicks } from "./time_axis";

export const LEFT = 58; // pixels, as are all here
export const RIGHT = 12;
export const TOP = 10;
export const TIMES = 20; // what a line of words below the axis takes
const LABEL = 92;

export interface Area {
  context: CanvasRenderingContext2D;
  theme: Theme;
  lines: string[]; // their colours
  styles: Record<Look, string>;
  width: number; // of all of it
  height: number; // of what lies above the axis of time
  start: number; // since the epoch
  from: number;
  to: number;
  cursor: number | undefined;
  chosen: Span | undefined;
}

export function plotWidth(area: Area): number {
  return Math.max(1, area.width - LEFT - RIGHT);
}

export function xOf(area: Area, time: number): number {
  return LEFT + ((time - area.from) / (area.to - area.from)) * plotWidth(area);
}

/** The colour variables of the style that the page has now. */
export function coloursOf(): Pick<Area, "lines" | "styles"> {
  const style = getComputedStyle(document.documentElement);
  const variable = (name: string): string => style.getPropertyValue(name).trim();
  const lines = Array.from({ length: 8 }, (_, index) => variable(`--line-${index}`));
  return { lines, styles: { bad: variable("--bad"), caution: variable("--caution"), plain: variable("--accent") } };
}

/** What is drawn into the plot alone. */
export function clipped(area: Area, draw: () => void): void {
  const { context } = area;
  context.save();
  context.beginPath();
  context.rect(LEFT, 0, plotWidth(area), TOP + area.height + 1);
  context.clip();
  draw();
  context.restore();
}

/** Moments along the bottom; `below` says what else stands under one. */
export function drawTimeAxis(area: Area, below: (time: number) => string): void {
  const { context, theme } = area;
  const bottom = TOP + area.height;
  const apart = (LABEL / plotWidth(area)) * (area.to - area.from);
  context.fillStyle = theme.dim;
  context.strokeStyle = theme.line;
  context.textBaseline = "middle";
  context.beginPath();
  for (const tick of timeTicks(area.start, area.from, area.to, apart)) {
    const x = xOf(area, tick.time);
    upright(context, x, bottom, bottom + 4);
    context.textAlign = tickAlign(x, LEFT, area.width);
    const place = Math.max(LEFT - 8, Math.min(area.width, x));
    context.fillText(tick.text, place, bottom + 13);
    context.fillText(below(tick.time), place, bottom + 13 + TIMES - 4);
  }
  context.moveTo(LEFT, bottom + 0.5);
  context.lineTo(area.width - RIGHT, bottom + 0.5);
  context.stroke();
}

/** While findings held, behind what is drawn. */
export function drawBands(area: Area, bands: Band[]): void {
  const { context } = area;
  for (const band of bands) {
    if (band.look === "plain" || band.to < area.from || band.from > area.to) continue;
    const left = Math.max(LEFT, xOf(area, band.from));
    const right = Math.min(area.width - RIGHT, xOf(area, band.to));
    context.fillStyle = area.styles[band.look];
    context.globalAlpha = 0.1;
    context.fillRect(left, TOP, Math.max(1.5, right - left), area.height);
    context.globalAlpha = 0.7;
    if (band.from >= area.from) context.fillRect(Math.round(left), TOP, 1, area.height);
    context.globalAlpha = 1;
  }
}

/** The moment that is pointed at, and what is about to be zoomed into. */
export function drawCursor(area: Area): void {
  const { context, theme, cursor, chosen } = area;
  const inSight = cursor !== undefined && cursor >= area.from && cursor <= area.to;
  const span = chosen && { from: xOf(area, chosen.from), to: xOf(area, chosen.to) };
  drawPointer(context, theme.text, TOP, TOP + area.height, inSight ? xOf(area, cursor) : undefined, span);
}
