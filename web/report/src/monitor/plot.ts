// One chart on the page: its drawing, and what is said of the place that is pointed at or stepped to.

import { element } from "../dom";
import { readTheme } from "../style";
import { follow } from "../trace/gestures";
import { coloursOf, FONT, LEFT, RIGHT, TIMES, TOP, type Area } from "./area";
import type { Content, Reading } from "./content";
import type { Shared } from "./shared";

const NEARER = 1.6; // a key
const KEYS = "Left and right arrows step through it; + and - zoom, Page Up and Page Down move, 0 shows all.";

export class Plot {
  readonly root = element("div", { class: "plot" });
  private readonly canvas = element("canvas");
  private readonly frame = element("div", { class: "frame", tabindex: "0", role: "application", "aria-roledescription": "chart" });
  private readonly live = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly tip = element("div", { class: "tip floating", "aria-hidden": "true" });
  private look: Pick<Area, "theme" | "lines" | "looks"> | undefined; // as the style says it now
  private width = 0;
  private inSight = false;
  private stale = true;

  constructor(
    private readonly content: Content,
    private readonly shared: Shared,
  ) {
    this.frame.setAttribute("aria-label", `${content.label}. ${KEYS}`);
    this.frame.append(this.canvas, this.tip);
    this.root.append(this.frame, this.live);
    this.listen();
  }

  /** After the width or the theme has changed, or for paper: at once, in sight or not. */
  refresh(): void {
    this.width = this.frame.clientWidth || this.width;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height() * ratio);
    this.look = undefined;
    this.drawNow(ratio);
  }

  draw(): void {
    this.stale = true;
    if (this.inSight) this.drawNow(this.canvas.width / Math.max(1, this.width));
  }

  private height(): number {
    return TOP + this.content.height + 4 + TIMES * this.content.wordLines;
  }

  private drawNow(ratio: number): void {
    const context = this.canvas.getContext("2d");
    if (context === null || this.canvas.width === 0) return;
    this.stale = false;
    const { view, cursor, chosen, start } = this.shared;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height());
    context.font = FONT;
    const times = { start, from: view.from, to: view.to, cursor, chosen };
    this.look ??= { theme: readTheme(), ...coloursOf() };
    const area: Area = { context, ...this.look, width: this.width, height: this.content.height, ...times };
    this.content.draw(area);
  }

  private listen(): void {
    const { shared } = this;
    const { view } = shared;
    const then = <T extends unknown[]>(act: (...values: T) => void) => (...values: T): void => (act(...values), shared.changed());
    follow(this.frame, {
      zoom: then((factor, x) => view.zoom(factor, this.timeAt(x))),
      pan: then((pixels) => view.pan(pixels * this.pixel())),
      nearer: then(() => view.whole()),
      drag: then((from, to, done) => this.choose(this.timeAt(Math.min(from, to)), this.timeAt(Math.max(from, to)), done)),
      press: (x, y) => this.onPress(x, y),
      hover: (x, y) => this.point(this.timeAt(x), x, y),
      leave: () => this.leave(),
      isRuler: () => true, // dragging anywhere chooses what is shown
      takesWheel: (zoomingIn) => document.activeElement === this.frame && (zoomingIn || !view.isWhole()),
    });
    this.frame.addEventListener("keydown", (event) => this.onKey(event));
    this.frame.addEventListener("blur", () => this.leave());
    new ResizeObserver(() => {
      if (this.frame.clientWidth !== this.width) this.refresh();
    }).observe(this.frame);
    new IntersectionObserver(([entry]) => {
      this.inSight = entry?.isIntersecting === true;
      if (this.inSight && this.stale) this.draw();
    }).observe(this.frame);
  }

  private pixel(): number {
    return this.shared.view.span / Math.max(1, this.width - LEFT - RIGHT);
  }

  private timeAt(x: number): number {
    const { view } = this.shared;
    return Math.max(view.from, Math.min(view.to, view.from + (x - LEFT) * this.pixel()));
  }

  private choose(from: number, to: number, done: boolean): void {
    this.shared.chosen = done ? undefined : { from, to };
    if (done) this.shared.view.show(from, to);
    this.hideTip();
  }

  private onPress(x: number, y: number): void {
    this.frame.focus({ preventScroll: true });
    this.content.press(this.timeAt(x), y, this.pixel());
    this.point(this.timeAt(x), x, y);
  }

  private point(time: number, x: number, y: number): Reading | undefined {
    const reading = this.content.read(time, y, this.pixel());
    this.shared.cursor = reading?.time ?? time;
    this.shared.changed();
    if (reading === undefined) this.hideTip();
    else this.showTip(reading, x, y);
    return reading;
  }

  private showTip(reading: Reading, x: number, y: number): void {
    const rows = reading.lines.map((line) => {
      const mark = line.colour === undefined ? [] : [element("span", { class: `tip-mark line-mark-${line.colour}`, "aria-hidden": "true" })];
      const parts = [element("span", { class: "tip-name" }, line.name), element("span", { class: "tip-text" }, line.text)];
      return element("div", { class: "tip-row" }, ...mark, ...parts);
    });
    this.tip.replaceChildren(element("strong", {}, reading.title), ...rows);
    this.tip.dataset["shown"] = "yes";
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = x + 14 + width > this.width ? x - 14 - width : x + 14;
    this.tip.style.left = `${Math.max(0, Math.min(this.width - width, left))}px`;
    const below = this.frame.getBoundingClientRect().top + y + 16 + height;
    this.tip.style.top = `${below > window.innerHeight ? y - 12 - height : y + 16}px`;
  }

  private hideTip(): void {
    delete this.tip.dataset["shown"];
  }

  private leave(): void {
    this.hideTip();
    this.live.textContent = "";
    this.shared.cursor = undefined;
    this.shared.changed();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view } = this.shared;
    const centre = this.shared.cursor ?? (view.from + view.to) / 2;
    const acts: Record<string, () => void> = {
      "+": () => view.zoom(NEARER, centre),
      "=": () => view.zoom(NEARER, centre),
      "-": () => view.zoom(1 / NEARER, centre),
      "0": () => view.whole(),
      PageUp: () => view.pan(-0.8 * view.span),
      PageDown: () => view.pan(0.8 * view.span),
      ArrowRight: () => this.step(this.shared.cursor ?? view.from - 1, 1),
      ArrowLeft: () => this.step(this.shared.cursor ?? view.to + 1, -1),
      Home: () => this.step(-1, 1),
      End: () => this.step(view.wall + 1, -1),
      Escape: () => this.leave(),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
    this.shared.changed();
  }

  private step(from: number, direction: 1 | -1): void {
    const place = this.content.next(from, direction);
    if (place === undefined) return;
    const { view } = this.shared;
    view.bringInto(place.time, place.time);
    const x = LEFT + (place.time - view.from) / this.pixel();
    const reading = this.point(place.time, x, place.y);
    if (reading === undefined) return;
    this.live.textContent = [reading.title, ...reading.lines.map((line) => `${line.name} ${line.text}`)].join(", ");
  }
}
