// One chart on the page: its title, switches, drawing, legend and table, and stepping through it by keyboard.

import { stopsOf, type Chart, type DrawnChart } from "./data";
import { element, select, toggle } from "./dom";
import { legend } from "./legend";
import { init, type EChartsType } from "./library";
import { spoken } from "./readings";
import { readTheme, type Theme } from "./style";
import { numbersTable } from "./table";
import { chosen, firstChoice, optionOf, sizeAxisOf, type Choice } from "./view";

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

// In a part of the page that is folded nothing tells the width: as much as the page has, less its frame.
const FRAME = 34;

export class Figure {
  readonly root: HTMLElement;
  readonly place: string; // the element of the page that it stands in
  private readonly canvas: HTMLElement;
  private readonly live = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly legendPlace = element("div");
  private readonly switchPlace = element("div", { class: "switches", role: "group" });
  private readonly title = element("h3", {});
  private readonly axis = element("p", { class: "axis" });
  private readonly note = element("p", { class: "note" });
  private chart: DrawnChart;
  private choice: Choice;
  private drawing: EChartsType | undefined;
  private at = -1;

  constructor(private readonly full: Chart) {
    this.place = full.place;
    this.chart = chosen(full, 0);
    this.choice = firstChoice(this.chart);
    this.canvas = element("div", { class: "canvas", tabindex: "0", role: "application", "aria-roledescription": "chart" });
    this.switchPlace.setAttribute("aria-label", `${full.title}: what is shown`);
    this.root = element(
      "figure",
      { class: "chart", id: `chart-${full.id}` },
      element("figcaption", {}, this.title, this.switchPlace),
      this.axis,
      this.canvas,
      this.live,
      this.legendPlace,
      this.note,
      numbersTable(full),
    );
    this.showChosen();
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.canvas.addEventListener("blur", () => this.hideTip());
  }

  /** Draws, or draws again after the theme or the width has changed; `width` only where the layout cannot tell. */
  draw(width?: number): void {
    const theme = readTheme();
    const folded = this.canvas.clientWidth === 0;
    const given = width ?? (folded ? (document.getElementById("main")?.clientWidth ?? 0) - FRAME : undefined);
    const size = { ...(given === undefined ? {} : { width: given }), ...(folded ? { height: 304 } : {}) };
    this.drawing ??= init(this.canvas, null, { renderer: "svg", ...size });
    this.drawing.resize(size);
    this.drawing.setOption(optionOf(this.chart, this.choice, theme, this.drawing.getWidth()), { notMerge: true });
    this.showLegend(theme);
    this.canvas.querySelector("svg")?.setAttribute("aria-hidden", "true");
  }

  /** What a chart of several has to say anew when another is chosen. */
  private showChosen(): void {
    const chart = this.chart;
    const over = chart.kind === "scatter" ? chart.across : "batch size";
    const stops = chart.kind === "scatter" ? chart.stops : "batch sizes";
    const words = `${chart.title}. ${chart.axis} over ${over}. Left and right arrows step through the ${stops}.`;
    this.canvas.setAttribute("aria-label", words);
    this.title.replaceChildren(chart.title);
    this.axis.replaceChildren(chart.axis);
    this.note.replaceChildren(chart.note);
    this.note.hidden = chart.note === "";
    this.switchPlace.replaceChildren(...this.switches());
  }

  private showLegend(theme: Theme): void {
    const focused = [...this.legendPlace.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    this.legendPlace.replaceChildren(legend(this.chart, theme, this.choice.hidden, () => this.draw()));
    if (focused >= 0) this.legendPlace.querySelectorAll("button")[focused]?.focus();
  }

  private choose(view: number): void {
    this.chart = chosen(this.full, view);
    this.choice = firstChoice(this.chart, view);
    this.showChosen();
    this.draw();
    this.switchPlace.querySelector("select")?.focus();
  }

  private switches(): HTMLElement[] {
    const found: HTMLElement[] = [];
    const add = (text: string, pressed: boolean, change: (on: boolean) => void): void => {
      found.push(toggle(text, pressed, (on) => (change(on), this.draw())));
    };
    const kind = this.chart.kind;
    if (this.full.kind === "views" && this.full.views.length > 1) {
      const names = this.full.views.map((view) => view.name);
      found.push(select(`${this.full.title}: quantity`, names, this.choice.view, (view) => this.choose(view)));
    }
    if (kind === "line" || (kind === "scatter" && this.chart.stops === "points")) add("log x", this.choice.logSizes, (on) => (this.choice.logSizes = on));
    const canBeLog = kind === "box" || (kind === "line" && this.chart.stems !== true) || (kind === "scatter" && this.chart.stops === "points");
    if (canBeLog) add("log y", this.choice.logValues, (on) => (this.choice.logValues = on));
    if (kind === "stack") add("shares", this.choice.shares, (on) => (this.choice.shares = on));
    return found;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.hideTip();
      return;
    }
    const move = KEYS[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const sizes = stopsOf(this.chart);
    this.at = move(this.at, sizes.length - 1);
    this.showTip(sizes[this.at] ?? 0);
  }

  private showTip(size: number): void {
    const position = sizeAxisOf(this.chart, this.choice).position(size);
    const [x] = this.drawing?.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [position, 0]) ?? [];
    this.drawing?.dispatchAction({ type: "showTip", x, y: this.canvas.clientHeight / 2 });
    this.live.textContent = spoken(this.chart, size);
  }

  private hideTip(): void {
    this.at = -1;
    this.live.textContent = "";
    this.drawing?.dispatchAction({ type: "hideTip" });
  }
}
