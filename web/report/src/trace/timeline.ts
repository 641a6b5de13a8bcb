// The timeline: its drawing, the whole below it, buttons, and what is said of the place that is pointed at or stepped to.

import { element } from "../dom";
import { readTheme } from "../style";
import { brief, type Device, type Gap, type TimelineData } from "./data";
import { drawScene } from "./draw";
import { follow } from "./gestures";
import { laneAt, layoutOf } from "./layout";
import { Minimap } from "./minimap";
import { brushes } from "./paint";
import { gapLines, read, readMemory, shown, spoken, WIDE, type Reading } from "./reading";
import type { Scene } from "./scene";
import { Stretches } from "./stretches";
import { View } from "./view";
import { duration, moment, percent } from "./words";

const NEARER = 1.6; // a button or a key
const HELP =
  "Drag to move; Ctrl and the wheel, or two fingers, to zoom; drag along the ruler to fill the view with that stretch; " +
  "click a step or a long idle time to see it.";
const KEYS =
  "Left and right step from piece to piece, up and down from device to device; + and - zoom, Page Up and Page Down move, " +
  "Enter fills the view with a piece, 0 shows all. Once the timeline has the focus, the wheel alone zooms.";

export class Timeline {
  readonly root = element("div", { class: "live" });
  private readonly canvas = element("canvas", { class: "lanes" });
  private readonly frame = element("div", { class: "frame", tabindex: "0", role: "application", "aria-roledescription": "timeline" });
  private readonly live = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly tip = element("div", { class: "tip floating", "aria-hidden": "true" });
  private readonly range = element("p", { class: "range" });
  private readonly detail = element("div", { class: "detail", "aria-live": "polite" });
  private readonly scene: Scene;
  private readonly minimap: Minimap;
  private focus = { lane: 0, time: 0 }; // what keys step from
  private waiting = false;

  constructor(private readonly data: TimelineData) {
    const stretches = data.devices.map((device) => new Stretches(device));
    const view = new View(data.wall);
    const [layout, theme] = [layoutOf(data), readTheme()];
    this.scene = { data, stretches, layout, view, theme, brushes: [], width: 0, ratio: 1, marks: [], cursor: undefined, chosen: undefined };
    this.minimap = new Minimap(stretches, view, () => this.changed());
    this.frame.setAttribute("aria-label", `Each device's time from left to right, by what it did. ${KEYS}`);
    this.frame.append(this.canvas, this.tip);
    this.root.append(this.buttons(), this.frame, this.minimap.root, this.live, this.detail, ...this.notes());
    this.listen();
    this.changed();
  }

  /** After the width, the theme or the screen has changed. */
  refresh(): void {
    const { scene } = this;
    scene.width = this.frame.clientWidth;
    scene.ratio = window.devicePixelRatio || 1;
    scene.theme = readTheme();
    scene.brushes = brushes(this.data.parts, scene.ratio);
    this.canvas.width = Math.round(scene.width * scene.ratio);
    this.canvas.height = Math.round(scene.layout.height * scene.ratio);
    this.canvas.style.height = `${scene.layout.height}px`;
    this.minimap.prepare(scene.width, scene.ratio, scene.brushes);
    this.draw();
  }

  /** Goes to a long idle time, and tells of it. */
  showGap(gap: Gap): void {
    const around = 0.35 * (gap.end - gap.start);
    this.scene.view.show(gap.start - around, gap.end + around);
    this.scene.marks = [{ lane: gap.device, from: gap.start, to: gap.end }];
    const device = this.data.devices[gap.device]?.name ?? "";
    const span = gap.end - gap.start;
    const parts = gap.parts.flatMap((ns, part) => (ns > 0 ? [`${brief(this.data.parts[part])} ${percent(ns / span)}`] : []));
    const title = `${device} idle for ${duration(span)}, from ${moment(gap.start, 1e4, this.data.wall)} on: ${parts.join(", ")}`;
    const facts = gapLines(gap).flatMap(({ name, text }) => [element("dt", {}, name), element("dd", {}, text)]);
    this.detail.replaceChildren(element("p", { class: "strong" }, title), element("dl", {}, ...facts));
    this.changed();
  }

  showStep(index: number): void {
    const step = this.data.steps[index];
    if (step === undefined) return;
    this.scene.marks = [];
    this.detail.replaceChildren();
    this.scene.view.show(step.start, step.end);
    this.changed();
  }

  private notes(): HTMLElement[] {
    const sum = (of: (device: Device) => number): number => this.data.devices.reduce((all, one) => all + of(one), 0);
    const [pieces, stretches] = [sum((one) => one.pieces), sum((one) => one.stretches)];
    const notes = [element("p", { class: "note" }, HELP), element("details", { class: "numbers" }, element("summary", {}, "Keys"), element("p", {}, KEYS))];
    if (stretches >= pieces) return notes;
    const merged = `${pieces.toLocaleString("en")} pieces of time are drawn as ${stretches.toLocaleString("en")}: short neighbours share a stretch, of which each part's time is exact and their order is not told.`;
    return [...notes, element("p", { class: "note" }, merged)];
  }

  private buttons(): HTMLElement {
    const { view } = this.scene;
    const button = (text: string, label: string, act: () => void): HTMLElement => {
      const made = element("button", { type: "button", class: "action", "aria-label": label, title: label }, text);
      made.addEventListener("click", () => (act(), this.changed()));
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
      button("All", "Show all", () => view.whole()),
      this.range,
    );
  }

  private listen(): void {
    const { view } = this.scene;
    const then = <T extends unknown[]>(act: (...values: T) => void) => (...values: T): void => (act(...values), this.changed());
    follow(this.frame, {
      zoom: then((factor, x) => view.zoom(factor, this.timeAt(x))),
      pan: then((pixels) => view.pan(pixels * this.pixel())),
      nearer: then((x) => view.zoom(4, this.timeAt(x))),
      drag: then((from, to, done) => this.choose(this.timeAt(Math.min(from, to)), this.timeAt(Math.max(from, to)), done)),
      press: (x, y) => this.onPress(x, y),
      hover: (x, y) => this.hover(x, y),
      leave: () => this.hideTip(),
      isRuler: (y) => y < this.scene.layout.below,
      takesWheel: (zoomingIn) => document.activeElement === this.frame && (zoomingIn || !view.isWhole()),
    });
    this.frame.addEventListener("keydown", (event) => this.onKey(event));
    this.frame.addEventListener("blur", () => this.stopStepping());
    new ResizeObserver(() => {
      if (this.frame.clientWidth !== this.scene.width) this.refresh();
    }).observe(this.frame);
  }

  private timeAt(x: number): number {
    return this.scene.view.from + x * this.pixel();
  }

  private pixel(): number {
    return this.scene.view.span / Math.max(1, this.scene.width);
  }

  private changed(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private draw(): void {
    const context = this.canvas.getContext("2d");
    if (context === null || this.canvas.width === 0) return;
    const { view } = this.scene;
    drawScene(context, this.scene);
    this.minimap.draw(this.scene.theme);
    this.range.textContent = view.isWhole()
      ? `all ${duration(view.wall)}`
      : `${duration(view.span)} of ${duration(view.wall)}, from ${moment(view.from, view.span / 100, view.wall)} to ${moment(view.to, view.span / 100, view.wall)}`;
    this.root.dataset["from"] = String(view.from);
    this.root.dataset["to"] = String(view.to);
  }

  private choose(from: number, to: number, done: boolean): void {
    this.scene.chosen = done ? undefined : { from, to };
    if (done) this.scene.view.show(from, to);
  }

  private onPress(x: number, y: number): void {
    this.frame.focus({ preventScroll: true });
    const { layout } = this.scene;
    const time = this.timeAt(x);
    if (y >= layout.steps && y < layout.below) {
      this.showStep(this.data.steps.findIndex((step) => time >= step.start && time < step.end));
      return;
    }
    const lane = laneAt(layout.devices, y);
    if (lane === undefined) return;
    const gap = this.data.gaps.find((one) => one.device === lane.index && time >= one.start && time < one.end);
    this.focus = { lane: lane.index, time };
    if (gap !== undefined && gap.end - gap.start < this.scene.view.span) this.showGap(gap);
  }

  private readingAt(lane: number, time: number): Reading | undefined {
    const stretches = this.scene.stretches[lane];
    if (stretches === undefined) return undefined;
    return read({ data: this.data, stretches, device: lane, time, pixel: this.pixel() });
  }

  private hover(x: number, y: number): void {
    const { layout } = this.scene;
    const [device, memory] = [laneAt(layout.devices, y), laneAt(layout.memory, y)];
    const time = this.timeAt(x);
    if (device !== undefined) this.showTip(this.readingAt(device.index, time), x, y);
    else this.showTip(memory && readMemory(this.data, memory.index, time, this.pixel()), x, y);
  }

  private showTip(reading: Reading | undefined, x: number, y: number): void {
    if (reading === undefined) {
      this.hideTip();
      return;
    }
    this.tip.replaceChildren(...shown(reading, this.data));
    this.tip.dataset["shown"] = "yes";
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = x + 14 + width > this.scene.width ? x - 14 - width : x + 14;
    this.tip.style.left = `${Math.max(0, Math.min(this.scene.width - width, left))}px`;
    const below = this.frame.getBoundingClientRect().top + y + 16 + height;
    this.tip.style.top = `${below > window.innerHeight ? y - 12 - height : y + 16}px`;
  }

  private hideTip(): void {
    delete this.tip.dataset["shown"];
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view } = this.scene;
    const acts: Record<string, () => void> = {
      "+": () => view.zoom(NEARER, this.centre()),
      "=": () => view.zoom(NEARER, this.centre()),
      "-": () => view.zoom(1 / NEARER, this.centre()),
      "0": () => view.whole(),
      PageUp: () => view.pan(-0.8 * view.span),
      PageDown: () => view.pan(0.8 * view.span),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.otherLane(1),
      ArrowUp: () => this.otherLane(-1),
      Home: () => this.stepTo(0),
      End: () => this.stepTo(view.wall - 1),
      Enter: () => this.fill(),
      Escape: () => this.stopStepping(),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
    this.changed();
  }

  /** What a key zooms around. */
  private centre(): number {
    const { view, cursor } = this.scene;
    return cursor !== undefined && cursor >= view.from && cursor <= view.to ? cursor : (view.from + view.to) / 2;
  }

  private step(direction: 1 | -1): void {
    const { view, cursor } = this.scene;
    const stretches = this.scene.stretches[this.focus.lane];
    if (stretches === undefined) return;
    // The first key of all begins where the view does.
    if (cursor === undefined || cursor < view.from || cursor > view.to) {
      this.stepTo(direction > 0 ? view.from : view.to);
      return;
    }
    const wide = WIDE * this.pixel();
    const here = stretches.at(cursor);
    const isWide = here !== undefined && here.end - here.start >= wide;
    const edge = isWide ? (direction > 0 ? here.end : here.start) : cursor + direction * wide;
    this.stepTo(direction > 0 ? edge : edge - 1e-6 * wide);
  }

  /** To the middle of the stretch there, as far as it is in sight. */
  private stepTo(time: number): void {
    const { view, stretches } = this.scene;
    const at = Math.max(0, Math.min(view.wall - 1e-3, time));
    view.bringInto(at, at);
    const found = stretches[this.focus.lane]?.at(at);
    const isWide = found !== undefined && found.end - found.start >= WIDE * this.pixel();
    if (isWide) view.bringInto(found.start, Math.min(found.end, found.start + 0.9 * view.span));
    this.focus.time = isWide ? (Math.max(view.from, found.start) + Math.min(view.to, found.end)) / 2 : at;
    this.tell();
  }

  private otherLane(by: number): void {
    const last = this.scene.stretches.length - 1;
    this.focus.lane = Math.max(0, Math.min(last, this.focus.lane + by));
    this.stepTo(this.scene.cursor ?? this.scene.view.from);
  }

  private fill(): void {
    const found = this.scene.stretches[this.focus.lane]?.at(this.focus.time);
    if (found === undefined || this.scene.cursor === undefined) return;
    const around = 0.2 * (found.end - found.start);
    this.scene.view.show(found.start - around, found.end + around);
    this.tell();
  }

  private tell(): void {
    const { lane, time } = this.focus;
    const reading = this.readingAt(lane, time);
    this.scene.cursor = time;
    this.scene.marks = reading === undefined ? [] : [{ lane, from: reading.from, to: reading.to }];
    const device = this.data.devices.length > 1 ? `${this.data.devices[lane]?.name ?? ""}: ` : "";
    this.live.textContent = device + (reading === undefined ? "nothing was recorded here" : spoken(reading));
    const box = this.scene.layout.devices[lane];
    const x = (time - this.scene.view.from) / this.pixel();
    this.showTip(reading, x, box === undefined ? 0 : box.top + box.height);
  }

  private stopStepping(): void {
    this.scene.cursor = undefined;
    this.live.textContent = "";
    this.hideTip();
    this.changed();
  }
}
