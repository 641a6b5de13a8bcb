// What stands at a place of the timeline, in words: a stretch where it is wide enough to be meant, else the shares of what
// is there.

import type { Gap, TimelineData } from "./data";
import { element } from "../dom";
import { memoryAt } from "./memory_lane";
import type { Span, Spans } from "./spans";
import { duration, megabytes, moment, percent } from "./words";

export const WIDE = 3; // pixels from which on a stretch is read by itself

export interface Line {
  part?: number; // whose colour it has
  name: string;
  text: string;
}

export interface Reading {
  title: string;
  from: number;
  to: number;
  lines: Line[];
}

export interface At {
  data: TimelineData;
  spans: Spans;
  device: number;
  time: number;
  pixel: number; // nanoseconds
}

/** What the host did, as far as that is known. */
export function gapLines(gap: Gap): Line[] {
  const known: [name: string, text: string][] = [
    ["host call", gap.call],
    ["inside", gap.inside],
    ["source", gap.source],
    ["on", gap.thread],
  ];
  const lines = known.filter(([, text]) => text !== "").map(([name, text]) => ({ name, text }));
  return gap.call === "" && gap.source === "" ? [{ name: "host activity", text: "nothing recorded" }, ...lines] : lines;
}

function ofParts(data: TimelineData, lengths: ArrayLike<number>): Line[] {
  const parts = Array.from(lengths, (ns, part) => ({ ns, part })).filter((one) => one.ns > 0);
  const wall = parts.reduce((sum, one) => sum + one.ns, 0);
  parts.sort((a, b) => b.ns - a.ns);
  return parts.map(({ ns, part }) => ({ part, name: data.parts[part]?.name ?? "", text: `${percent(ns / wall)}, ${duration(ns)}` }));
}

function ofSpan(at: At, piece: Span): Reading {
  const device = at.data.devices[at.device];
  const wall = device?.wall ?? 0;
  const span = piece.end - piece.start;
  if (piece.part === -2) return { title: "excluded", from: piece.start, to: piece.end, lines: [{ name: "for", text: duration(span) }] };
  const name = at.data.parts[piece.part]?.name ?? "several short periods";
  const lines: Line[] = [
    { name: "from", text: moment(piece.start, Math.min(at.pixel, span / 10), at.data.wall) },
    { name: "for", text: duration(span) },
    { name: "share", text: `${percent(span / wall)} of the device's time` },
  ];
  const gap = at.data.gaps.find((one) => one.device === at.device && piece.start >= one.start && piece.end <= one.end);
  if (piece.part < 0) lines.push(...ofParts(at.data, piece.lengths));
  if (gap !== undefined) lines.push(...gapLines(gap));
  return { title: name, from: piece.start, to: piece.end, lines };
}

export function read(at: At): Reading | undefined {
  const piece = at.spans.at(at.time);
  if (piece === undefined) return undefined;
  if (piece.end - piece.start >= WIDE * at.pixel) return ofSpan(at, piece);
  const from = Math.max(at.spans.start, at.time - 1.5 * at.pixel);
  const to = Math.min(at.spans.end, at.time + 1.5 * at.pixel);
  const lines = ofParts(at.data, at.spans.between(from, to));
  return { title: `${duration(to - from)} from ${moment(from, at.pixel, at.data.wall)} on`, from, to, lines };
}

export function readMemory(data: TimelineData, index: number, time: number, pixel: number): Reading | undefined {
  const memory = data.memory[index];
  const found = memory === undefined ? undefined : memoryAt(memory, time);
  if (memory === undefined || found === undefined) return undefined;
  const lines = [{ name: "allocated", text: megabytes(found[1]) }];
  if (found[2] > 0) lines.push({ name: "reserved", text: megabytes(found[2]) });
  return { title: `Memory of ${memory.name} at ${moment(time, pixel, data.wall)}`, from: time, to: time, lines };
}

export function spoken(reading: Reading): string {
  return [reading.title, ...reading.lines.map((line) => `${line.name} ${line.text}`)].join(", ");
}

/** Rows of a box beside the pointer. */
export function shown(reading: Reading, data: TimelineData): HTMLElement[] {
  const rows = reading.lines.map((line) => {
    const look = line.part === undefined ? undefined : data.parts[line.part];
    const mark = element("span", { class: look === undefined ? "tip-none" : `tip-mark mark-${look.key}`, "aria-hidden": "true" });
    const parts = [element("span", { class: "tip-name" }, line.name), element("span", { class: "tip-text" }, line.text)];
    return element("div", { class: "tip-row" }, ...(look === undefined ? [] : [mark]), ...parts);
  });
  return [element("strong", {}, reading.title), ...rows];
}
