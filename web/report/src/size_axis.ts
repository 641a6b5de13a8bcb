// The axis of batch sizes: where a size stands, and which sizes have room for a label.

import { linear, logarithmic, tickLabel, ticks, type Range, type Scale } from "./scale";

export interface SizeAxis {
  readonly sizes: number[];
  readonly title: string;
  readonly scale?: Scale; // where marks stand at its round values, not at the sizes
  position(size: number): number;
  readonly range: Range;
}

const TITLE = "batch size (samples)";
const MARGIN = 0.45; // of the distance between neighbours, beyond the outer sizes
const DIGIT = 7.5; // pixels
const GAP = 8;

function closest(positions: number[]): number {
  const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
  return gaps.length > 0 ? Math.min(...gaps) : 1;
}

/** Sizes where their value puts them. */
export function scaledAxis(sizes: number[], log: boolean): SizeAxis {
  const scale: Scale = log ? logarithmic(2) : linear;
  const positions = sizes.map((size) => scale.to(size));
  const low = Math.min(...positions);
  const high = Math.max(...positions);
  const room = log || sizes.length < 2 ? MARGIN : Math.max(0.04 * (high - low), MARGIN * closest(positions) * 0.5);
  return { sizes, title: TITLE, position: (size) => scale.to(size), range: { low: low - room, high: high + room } };
}

/** Sizes one step apart, for bars and boxes. */
export function evenAxis(sizes: number[]): SizeAxis {
  const places = new Map(sizes.map((size, index) => [size, index]));
  return {
    sizes,
    title: TITLE,
    position: (size) => places.get(size) ?? 0,
    range: { low: -0.6, high: sizes.length - 0.4 },
  };
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size));
}

export interface Mark {
  at: number; // position
  text: string;
}

/** The ends first, then powers of two: they matter most where not all have room. */
function labelledSizes(axis: SizeAxis, pixels: number): Mark[] {
  const last = axis.sizes.length - 1;
  const rank = (size: number): number =>
    size === axis.sizes[0] || size === axis.sizes[last] ? 0 : isPowerOfTwo(size) ? 1 : 2;
  const perUnit = pixels / (axis.range.high - axis.range.low);
  const half = (size: number): number => (DIGIT * String(size).length) / 2;
  const chosen: number[] = [];
  for (const size of [...axis.sizes].sort((a, b) => rank(a) - rank(b) || a - b)) {
    const place = axis.position(size) * perUnit;
    const free = chosen.every((other) => Math.abs(place - axis.position(other) * perUnit) >= half(size) + half(other) + GAP);
    if (free) chosen.push(size);
  }
  return chosen.map((size) => ({ at: axis.position(size), text: String(size) }));
}

/** Round values from left to right, as many as have room. */
function labelledTicks(axis: SizeAxis, scale: Scale, pixels: number): Mark[] {
  const perUnit = pixels / (axis.range.high - axis.range.low);
  let end = -Infinity;
  return ticks(axis.range, scale)
    .map((value) => ({ at: scale.to(value), text: tickLabel(value, 0) }))
    .filter((mark) => {
      const half = (DIGIT * mark.text.length) / 2;
      if (mark.at * perUnit - half < end + GAP) return false;
      end = mark.at * perUnit + half;
      return true;
    });
}

export function labelled(axis: SizeAxis, pixels: number): Mark[] {
  return axis.scale === undefined ? labelledSizes(axis, pixels) : labelledTicks(axis, axis.scale, pixels);
}

/** Where ticks stand: at every size, or with the labels. */
export function tickPlaces(axis: SizeAxis, shown: Mark[]): number[] {
  return axis.scale === undefined ? axis.sizes.map((size) => axis.position(size)) : shown.map((mark) => mark.at);
}

export function nearestSize(axis: SizeAxis, position: number): number {
  const distance = (size: number): number => Math.abs(axis.position(size) - position);
  return axis.sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best), axis.sizes[0] ?? 0);
}
