// What all charts have in common: the stretch of time that is shown, and the moment that is pointed at.

import { View } from "../trace/view";
import type { MonitorData } from "./data";

const LEAST_WALL = 1000;

export class Shared {
  readonly view: View;
  readonly start: number; // since the epoch
  cursor: number | undefined;
  chosen: { from: number; to: number } | undefined; // what is about to be zoomed into
  private readonly followers: (() => void)[] = [];
  private waiting = false;

  constructor(data: MonitorData) {
    this.view = new View(Math.max(LEAST_WALL, data.wall));
    this.start = data.start;
  }

  follow(draw: () => void): void {
    this.followers.push(draw);
  }

  /** All are drawn again with the next frame. */
  changed(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.followers.forEach((draw) => draw());
    });
  }
}
