// The timeline: its drawing, the whole below it, buttons, and what is said of the place that is pointed at or stepped to.

import { onceAFrame, timeTools, TimeFrame, type Drawing } from "../canvas/time_frame";
import { View } from "../canvas/view";
import { element } from "../dom";
import { readTheme } from "../style";
import { brief, type Device, type Gap, type TimelineData } from "./data";
import { drawScene } from "./draw";
import { laneAt, layoutOf } from "./layout";
import { Minimap } from "./minimap";
import { brushes } from "./paint";
import { gapLines, read, readMemory, shown, spoken, WIDE, type Reading } from "./reading";
import type { Scene } from "./scene";
import { Spans } from "./spans";
import { duration, moment, percent } from "./words";

const HELP =
  "Drag to move; Ctrl and the wheel, or two fingers, to zoom; drag along the ruler to show only that period; " +
  "click a step or a long idle time to see it.";
const KEYS =
  "Left and right go from period to period, up and down from device to device; + and - zoom, Page Up and Page Down move, " +
  "Enter shows only one period, 0 shows all. While the timeline has the focus, the wheel zooms without Ctrl.";

export class Timeline implements Drawing {
  readonly root = element("div", { class: "live" });
  readonly changed = onceAFrame(() => this.draw());
  readonly keys: Record<string, () => void> = {
    ArrowRight: () => this.step(1),
    ArrowLeft: () => this.step(-1),
    ArrowDown: () => this.otherLane(1),
    ArrowUp: () => this.otherLane(-1),
    Home: () => this.stepTo(0),
    End: () => this.stepTo(this.scene.view.wall - 1),
    Enter: () => this.fill(),
    Escape: () => this.stopStepping(),
  };
  private readonly frame: TimeFrame;
  private readonly range = element("p", { class: "range" });
  private readonly detail = element("div", { class: "detail", "aria-live": "polite" });
  private readonly scene: Scene;
  private readonly minimap: Minimap;
  private focus = { lane: 0, time: 0 }; // what keys step from

  constructor(private readonly data: TimelineData) {
    const spans = data.devices.map((device) => new Spans(device));
    const view = new View(data.wall);
    const [layout, theme] = [layoutOf(data), readTheme()];
    this.scene = { data, spans, layout, view, theme, brushes: [], width: 0, ratio: 1, marks: [], cursor: undefined, chosen: undefined };
    this.minimap = new Minimap(spans, view, () => this.changed());
    this.frame = new TimeFrame(view, "timeline", `Each device's time from left to right, by activity. ${KEYS}`, { left: 0, right: 0 }, this);
    this.frame.canvas.classList.add("lanes");
    this.frame.root.addEventListener("blur", () => this.stopStepping());
    const tools = timeTools(view, this.changed, this.range);
    this.root.append(tools, this.frame.root, this.minimap.root, this.frame.live, this.detail, ...this.notes());
    this.changed();
  }

  /** After the width, the theme or the screen has changed. */
  refresh(): void {
    const { scene } = this;
    this.frame.fit(scene.layout.height);
    this.frame.canvas.style.height = `${scene.layout.height}px`;
    [scene.width, scene.ratio] = [this.frame.width, this.frame.ratio];
    scene.theme = readTheme();
    scene.brushes = brushes(this.data.parts, scene.ratio);
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
    const [pieces, spans] = [sum((one) => one.pieces), sum((one) => one.spans)];
    const notes = [element("p", { class: "note" }, HELP), element("details", { class: "numbers" }, element("summary", {}, "Keys"), element("p", {}, KEYS))];
    if (spans >= pieces) return notes;
    const merged = `${pieces.toLocaleString("en")} pieces of time are drawn as ${spans.toLocaleString("en")} spans: short neighbours share one span; its times are exact, their order inside it is not shown.`;
    return [...notes, element("p", { class: "note" }, merged)];
  }

  isRuler(y: number): boolean {
    return y < this.scene.layout.below;
  }

  twice(x: number): void {
    this.scene.view.zoom(4, this.frame.timeAt(x));
  }

  leave(): void {
    this.frame.hideTip();
  }

  private draw(): void {
    const context = this.frame.context();
    if (context === undefined) return;
    const { view } = this.scene;
    drawScene(context, this.scene);
    this.minimap.draw(this.scene.theme);
    this.range.textContent = view.isComplete()
      ? `all ${duration(view.wall)}`
      : `${duration(view.span)} of ${duration(view.wall)}, from ${moment(view.from, view.span / 100, view.wall)} to ${moment(view.to, view.span / 100, view.wall)}`;
    this.root.dataset["from"] = String(view.from);
    this.root.dataset["to"] = String(view.to);
  }

  choose(from: number, to: number, done: boolean): void {
    this.scene.chosen = done ? undefined : { from, to };
    if (done) this.scene.view.show(from, to);
  }

  press(x: number, y: number): void {
    const { layout } = this.scene;
    const time = this.frame.timeAt(x);
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
    const spans = this.scene.spans[lane];
    if (spans === undefined) return undefined;
    return read({ data: this.data, spans, device: lane, time, pixel: this.frame.pixel() });
  }

  hover(x: number, y: number): void {
    const { layout } = this.scene;
    const [device, memory] = [laneAt(layout.devices, y), laneAt(layout.memory, y)];
    const time = this.frame.timeAt(x);
    if (device !== undefined) this.showTip(this.readingAt(device.index, time), x, y);
    else this.showTip(memory && readMemory(this.data, memory.index, time, this.frame.pixel()), x, y);
  }

  private showTip(reading: Reading | undefined, x: number, y: number): void {
    if (reading === undefined) this.frame.hideTip();
    else this.frame.showTip(shown(reading, this.data), x, y);
  }

  /** What a key zooms around. */
  centre(): number {
    const { view, cursor } = this.scene;
    return cursor !== undefined && cursor >= view.from && cursor <= view.to ? cursor : (view.from + view.to) / 2;
  }

  private step(direction: 1 | -1): void {
    const { view, cursor } = this.scene;
    const spans = this.scene.spans[this.focus.lane];
    if (spans === undefined) return;
    // The first key of all begins where the view does.
    if (cursor === undefined || cursor < view.from || cursor > view.to) {
      this.stepTo(direction > 0 ? view.from : view.to);
      return;
    }
    const wide = WIDE * this.frame.pixel();
    const here = spans.at(cursor);
    const isWide = here !== undefined && here.end - here.start >= wide;
    const edge = isWide ? (direction > 0 ? here.end : here.start) : cursor + direction * wide;
    this.stepTo(direction > 0 ? edge : edge - 1e-6 * wide);
  }

  /** To the middle of the stretch there, as far as it is in sight. */
  private stepTo(time: number): void {
    const { view, spans } = this.scene;
    const at = Math.max(0, Math.min(view.wall - 1e-3, time));
    view.bringInto(at, at);
    const found = spans[this.focus.lane]?.at(at);
    const isWide = found !== undefined && found.end - found.start >= WIDE * this.frame.pixel();
    if (isWide) view.bringInto(found.start, Math.min(found.end, found.start + 0.9 * view.span));
    this.focus.time = isWide ? (Math.max(view.from, found.start) + Math.min(view.to, found.end)) / 2 : at;
    this.tell();
  }

  private otherLane(by: number): void {
    const last = this.scene.spans.length - 1;
    this.focus.lane = Math.max(0, Math.min(last, this.focus.lane + by));
    this.stepTo(this.scene.cursor ?? this.scene.view.from);
  }

  private fill(): void {
    const found = this.scene.spans[this.focus.lane]?.at(this.focus.time);
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
    this.frame.live.textContent = device + (reading === undefined ? "nothing recorded here" : spoken(reading));
    const box = this.scene.layout.devices[lane];
    this.showTip(reading, this.frame.xOf(time), box === undefined ? 0 : box.top + box.height);
  }

  private stopStepping(): void {
    this.scene.cursor = undefined;
    this.frame.live.textContent = "";
    this.frame.hideTip();
    this.changed();
  }
}
