// The stretch of time that is shown.

const LEAST = 200; // nanoseconds

export class View {
  from = 0;
  to: number;

  constructor(readonly wall: number) {
    this.to = wall;
  }

  get span(): number {
    return this.to - this.from;
  }

  isComplete(): boolean {
    return this.span >= this.wall;
  }

  /** As near as it can be to that. */
  show(from: number, to: number): void {
    const span = Math.min(this.wall, Math.max(Math.min(LEAST, this.wall), to - from));
    const start = (from + to - span) / 2;
    this.from = Math.max(0, Math.min(this.wall - span, start));
    this.to = this.from + span;
  }

  full(): void {
    this.show(0, this.wall);
  }

  /** What is at `around` stays there; factors above 1 show less. */
  zoom(factor: number, around: number): void {
    const span = this.span / factor;
    if (factor > 1 && span < LEAST) return;
    const from = around - (around - this.from) / factor;
    // At an end of the trace the other end makes room.
    const start = Math.max(0, Math.min(this.wall - Math.min(span, this.wall), from));
    this.show(start, start + span);
  }

  pan(by: number): void {
    this.show(this.from + by, this.to + by);
  }

  /** With as little moving as that takes. */
  bringInto(from: number, to: number): void {
    if (to > this.to) this.pan(to - this.to);
    if (from < this.from) this.pan(from - this.from);
  }
}
