// What a plot shows: lines of numbers, or findings.

import type { Area } from "./area";

export interface ReadingLine {
  colour: number | undefined; // of the lines
  name: string;
  text: string;
}

/** What stands at a place, in words. */
export interface Reading {
  title: string;
  time: number; // that is meant
  lines: ReadingLine[];
}

export interface Content {
  readonly label: string; // for those who hear it
  readonly height: number; // of the plot, in pixels
  readonly wordLines: number; // below the axis
  draw(area: Area): void;
  read(time: number, y: number, pixel: number): Reading | undefined;
  /** The next moment to stop at, from there on. */
  next(time: number, direction: 1 | -1): { time: number; y: number } | undefined;
  press(time: number, y: number, pixel: number): void;
}
