// A canvas over time that is zoomed and moved, pointed at and stepped through: what those of a trace and of a monitor have in
// common.

import { element } from "../dom";
import { follow } from "./gestures";
import type { View } from "./view";

export const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const NEARER = 1.6; // a button or a key

/** What a drawing does with what happens to its frame; places are in pixels, of the frame. */
export interface Drawing {
  changed(): void; // what is shown has
  refresh(): void; // after the width has changed
  press(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  twice(x: number): void; // pressed so
  choose(from: number, to: number, done: boolean): void; // a time, along the ruler
  isRuler(y: number): boolean;
  centre(): number; // what a key zooms around
  keys: Record<string, () => void>; // beside those that zoom and move
}

export class TimeFrame {
  readonly root: HTMLElement;
  readonly canvas = element("canvas");
  readonly live = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly tip = element("div", { class: "tip floating", "aria-hidden": "true" });
  width = 0; // in pixels of the page
  ratio = 1; // of the screen's to these

  constructor(
    readonly view: View,
    role: string,
    label: string,
    private readonly margins: { left: number; right: number },
    private readonly drawing: Drawing,
  ) {
    const attributes = { class: "frame", tabindex: "0", role: "application", "aria-roledescription": role, "aria-label": label };
    this.root = element("div", attributes, this.canvas, this.tip);
    this.listen();
  }

  /** As wide as it is now; a frame that is folded keeps its width. */
  fit(height: number): void {
    this.width = this.root.clientWidth || this.width;
    this.ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
  }

  /** Nothing where there is nothing to draw on. */
  context(): CanvasRenderingContext2D | undefined {
    return this.canvas.width === 0 ? undefined : (this.canvas.getContext("2d") ?? undefined);
  }

  /** The time that a pixel stands for. */
  pixel(): number {
    return this.view.span / Math.max(1, this.width - this.margins.left - this.margins.right);
  }

  timeAt(x: number): number {
    const { view } = this;
    return Math.max(view.from, Math.min(view.to, view.from + (x - this.margins.left) * this.pixel()));
  }

  xOf(time: number): number {
    return this.margins.left + (time - this.view.from) / this.pixel();
  }

  showTip(content: Node[], x: number, y: number): void {
    this.tip.replaceChildren(...content);
    this.tip.dataset["shown"] = "yes";
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = x + 14 + width > this.width ? x - 14 - width : x + 14;
    this.tip.style.left = `${Math.max(0, Math.min(this.width - width, left))}px`;
    const below = this.root.getBoundingClientRect().top + y + 16 + height;
    this.tip.style.top = `${below > window.innerHeight ? y - 12 - height : y + 16}px`;
  }

  hideTip(): void {
    delete this.tip.dataset["shown"];
  }

  private listen(): void {
    const { view, drawing } = this;
    const then = <T extends unknown[]>(act: (...values: T) => void) => (...values: T): void => (act(...values), drawing.changed());
    follow(this.root, {
      zoom: then((factor, x) => view.zoom(factor, this.timeAt(x))),
      pan: then((pixels) => view.pan(pixels * this.pixel())),
      nearer: then((x) => drawing.twice(x)),
      drag: then((from, to, done) => drawing.choose(this.timeAt(Math.min(from, to)), this.timeAt(Math.max(from, to)), done)),
      press: (x, y) => (this.root.focus({ preventScroll: true }), drawing.press(x, y)),
      hover: (x, y) => drawing.hover(x, y),
      leave: () => drawing.leave(),
      isRuler: (y) => drawing.isRuler(y),
      takesWheel: (zoomingIn) => document.activeElement === this.root && (zoomingIn || !view.isComplete()),
    });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => {
      if (this.root.clientWidth !== this.width) drawing.refresh();
    }).observe(this.root);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view, drawing } = this;
    const acts: Record<string, () => void> = {
      "+": () => view.zoom(NEARER, drawing.centre()),
      "=": () => view.zoom(NEARER, drawing.centre()),
      "-": () => view.zoom(1 / NEARER, drawing.centre()),
      "0": () => view.full(),
      PageUp: () => view.pan(-0.8 * view.span),
      PageDown: () => view.pan(0.8 * view.span),
      ...drawing.keys,
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
    drawing.changed();
  }
}

/** Buttons that zoom and move, before words for what is shown. */
export function timeTools(view: View, changed: () => void, range: HTMLElement): HTMLElement {
  const button = (text: string, label: string, act: () => void): HTMLElement => {
    const made = element("button", { type: "button", class: "action", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => (act(), changed()));
    return made;
  };
  const middle = (): number => (view.from + view.to) / 2;
  return element(
    "div",
    { class: "timeline-tools" },
    button("−", "Zoom out", () => view.zoom(1 / NEARER, middle())),
    button("+", "Zoom in", () => view.zoom(NEARER, middle())),
    button("‹", "Earlier", () => view.pan(-view.span / 2)),
    button("›", "Later", () => view.pan(view.span / 2)),
    button("All", "Show all", () => view.full()),
    range,
  );
}

/** Draws with the next frame, however often it is asked to before. */
export function onceAFrame(draw: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}
