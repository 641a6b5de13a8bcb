// The whole timeline at a glance, with what is shown of it: to be dragged, also by its ends.

import type { View } from "../canvas/view";
import { element } from "../dom";
import type { Theme } from "../style";
import { paintColumns, type Brush } from "./paint";
import { sumOfLanes, type Spans } from "./spans";

const HEIGHT = 30;
const GRIP = 7; // pixels beside an end that take hold of it
const LEAST = 3; // pixels, however little is shown

export class Minimap {
  readonly root = element("canvas", { class: "minimap", "aria-hidden": "true" });
  private picture: HTMLCanvasElement | undefined;
  private width = 0;
  private held: "from" | "to" | "middle" | undefined;
  private last = 0; // where the pointer was

  constructor(
    private readonly spans: Spans[],
    private readonly view: View,
    private readonly changed: () => void,
  ) {
    this.root.addEventListener("pointerdown", (event) => this.onDown(event));
    this.root.addEventListener("pointermove", (event) => this.onMove(event));
    for (const end of ["pointerup", "pointercancel"] as const) this.root.addEventListener(end, () => (this.held = undefined));
  }

  /** Anew: the width or the colours have changed. */
  prepare(width: number, ratio: number, brushes: Brush[]): void {
    this.width = width;
    this.root.width = Math.round(width * ratio);
    this.root.height = Math.round(HEIGHT * ratio);
    this.picture = document.createElement("canvas");
    this.picture.width = this.root.width;
    this.picture.height = this.root.height;
    const context = this.picture.getContext("2d");
    if (context === null || this.root.width === 0) return;
    const image = context.createImageData(this.root.width, this.root.height);
    const area = { pixels: new Uint32Array(image.data.buffer), width: image.width, top: 0, height: image.height };
    paintColumns(area, sumOfLanes(this.spans, this.view.wall, image.width), brushes);
    context.putImageData(image, 0, 0);
  }

  draw(theme: Theme): void {
    const context = this.root.getContext("2d");
    if (context === null || this.picture === undefined || this.root.width === 0) return;
    const ratio = this.root.width / this.width;
    const [from, to] = this.ends().map((x) => x * ratio) as [number, number];
    const { width, height } = this.root;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.picture, 0, 0);
    context.fillStyle = theme.background;
    context.globalAlpha = 0.65;
    context.fillRect(0, 0, from, height);
    context.fillRect(to, 0, width - to, height);
    context.globalAlpha = 1;
    context.strokeStyle = theme.text;
    context.lineWidth = 2 * ratio;
    context.strokeRect(from + ratio, ratio, Math.max(ratio, to - from - 2 * ratio), height - 2 * ratio);
  }

  private ends(): [from: number, to: number] {
    const scale = this.width / this.view.wall;
    const from = Math.min(this.view.from * scale, this.width - LEAST);
    return [from, Math.max(from + LEAST, this.view.to * scale)];
  }

  private at(event: PointerEvent): number {
    return event.clientX - this.root.getBoundingClientRect().left;
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const x = this.at(event);
    const [from, to] = this.ends();
    const wide = to - from > 3 * GRIP;
    this.held = wide && Math.abs(x - from) < GRIP ? "from" : wide && Math.abs(x - to) < GRIP ? "to" : "middle";
    this.root.setPointerCapture(event.pointerId);
    this.last = x;
    this.moveTo(x, x < from || x > to);
  }

  private onMove(event: PointerEvent): void {
    const x = this.at(event);
    const [from, to] = this.ends();
    const atEnd = to - from > 3 * GRIP && (Math.abs(x - from) < GRIP || Math.abs(x - to) < GRIP);
    this.root.style.cursor = atEnd ? "ew-resize" : "grab";
    if (this.held === "middle") this.view.pan(((x - this.last) / this.width) * this.view.wall);
    else if (this.held !== undefined) this.moveTo(x, false);
    this.last = x;
    if (this.held !== undefined) this.changed();
  }

  private moveTo(x: number, jump: boolean): void {
    const time = (x / this.width) * this.view.wall;
    if (this.held === "from") this.view.show(Math.min(time, this.view.to), this.view.to);
    if (this.held === "to") this.view.show(this.view.from, Math.max(time, this.view.from));
    if (jump) this.view.show(time - this.view.span / 2, time + this.view.span / 2);
    this.changed();
  }
}
