// One chart on the page: its drawing, and what is said of the place that is pointed at or stepped to.

import { FONT, TimeFrame, type Drawing } from "../canvas/time_frame";
import { element } from "../dom";
import { readTheme } from "../style";
import { coloursOf, LEFT, RIGHT, TIMES, TOP, type Area } from "./area";
import type { Content, Reading } from "./content";
import type { Shared } from "./shared";

const KEYS = "The left and right arrow keys move the cursor; + and - zoom; Page Up and Page Down scroll; 0 shows all.";

export class Plot implements Drawing {
  readonly root = element("div", { class: "plot" });
  readonly keys: Record<string, () => void>;
  private readonly frame: TimeFrame;
  private look: Pick<Area, "theme" | "lines" | "styles"> | undefined; // as the style says it now
  private inSight = false;
  private stale = true;

  constructor(
    private readonly content: Content,
    private readonly shared: Shared,
  ) {
    const { view } = shared;
    this.keys = {
      ArrowRight: () => this.step(shared.cursor ?? view.from - 1, 1),
      ArrowLeft: () => this.step(shared.cursor ?? view.to + 1, -1),
      Home: () => this.step(-1, 1),
      End: () => this.step(view.wall + 1, -1),
      Escape: () => this.leave(),
    };
    this.frame = new TimeFrame(view, "chart", `${content.label}. ${KEYS}`, { left: LEFT, right: RIGHT }, this);
    this.root.append(this.frame.root, this.frame.live);
    this.frame.root.addEventListener("blur", () => this.leave());
    new IntersectionObserver(([entry]) => {
      this.inSight = entry?.isIntersecting === true;
      if (this.inSight && this.stale) this.draw();
    }).observe(this.frame.root);
  }

  /** After the width or the theme has changed, or for paper: at once, in sight or not. */
  refresh(): void {
    this.frame.fit(this.height());
    this.look = undefined;
    this.drawNow();
  }

  draw(): void {
    this.stale = true;
    if (this.inSight) this.drawNow();
  }

  changed(): void {
    this.shared.changed();
  }

  press(x: number, y: number): void {
    this.content.press(this.frame.timeAt(x), y, this.frame.pixel());
    this.hover(x, y);
  }

  hover(x: number, y: number): void {
    this.point(this.frame.timeAt(x), x, y);
  }

  leave(): void {
    this.frame.hideTip();
    this.frame.live.textContent = "";
    this.shared.cursor = undefined;
    this.shared.changed();
  }

  twice(): void {
    this.shared.view.full();
  }

  choose(from: number, to: number, done: boolean): void {
    this.shared.chosen = done ? undefined : { from, to };
    if (done) this.shared.view.show(from, to);
    this.frame.hideTip();
  }

  /** Dragging anywhere chooses what is shown. */
  isRuler(): boolean {
    return true;
  }

  centre(): number {
    const { view, cursor } = this.shared;
    return cursor ?? (view.from + view.to) / 2;
  }

  private height(): number {
    return TOP + this.content.height + 4 + TIMES * this.content.wordLines;
  }

  private drawNow(): void {
    const context = this.frame.context();
    if (context === undefined) return;
    this.stale = false;
    const { width, ratio } = this.frame;
    const { view, cursor, chosen, start } = this.shared;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, this.height());
    context.font = FONT;
    const times = { start, from: view.from, to: view.to, cursor, chosen };
    this.look ??= { theme: readTheme(), ...coloursOf() };
    this.content.draw({ context, ...this.look, width, height: this.content.height, ...times });
  }

  private point(time: number, x: number, y: number): Reading | undefined {
    const reading = this.content.read(time, y, this.frame.pixel());
    this.shared.cursor = reading?.time ?? time;
    this.shared.changed();
    if (reading === undefined) this.frame.hideTip();
    else this.frame.showTip(shown(reading), x, y);
    return reading;
  }

  private step(from: number, direction: 1 | -1): void {
    const place = this.content.next(from, direction);
    if (place === undefined) return;
    this.shared.view.bringInto(place.time, place.time);
    const reading = this.point(place.time, this.frame.xOf(place.time), place.y);
    if (reading === undefined) return;
    this.frame.live.textContent = [reading.title, ...reading.lines.map((line) => `${line.name} ${line.text}`)].join(", ");
  }
}

function shown(reading: Reading): HTMLElement[] {
  const rows = reading.lines.map((line) => {
    const mark = line.colour === undefined ? [] : [element("span", { class: `tip-mark line-mark-${line.colour}`, "aria-hidden": "true" })];
    const parts = [element("span", { class: "tip-name" }, line.name), element("span", { class: "tip-text" }, line.text)];
    return element("div", { class: "tip-row" }, ...mark, ...parts);
  });
  return [element("strong", {}, reading.title), ...rows];
}
