// What all charts have in common: the stretch of time that is shown, and the moment that is pointed at.

import type { Span } from "../canvas/pen";
import { onceAFrame } from "../canvas/time_frame";
import { View } from "../canvas/view";
import type { MonitorData } from "./data";

const LEAST_WALL = 1000;

export class Shared {
  readonly view: View;
  readonly start: number; // since the epoch
  cursor: number | undefined;
  chosen: Span | undefined; // what is about to be zoomed into
  /** All are drawn again with the next frame. */
  readonly changed = onceAFrame(() => this.followers.forEach((draw) => draw()));
  private readonly followers: (() => void)[] = [];

  constructor(data: MonitorData) {
    this.view = new View(Math.max(LEAST_WALL, data.wall));
    this.start = data.start;
  }

  follow(draw: () => void): void {
    this.followers.push(draw);
  }
}
