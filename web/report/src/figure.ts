// One chart on the page: its title, switches, drawing, legend and table, and stepping through it by keyboard.

import { stopsOf, type Chart } from "./data";
import { element, toggle } from "./dom";
import { legend } from "./legend";
import { init, type EChartsType } from "./library";
import { spoken } from "./readings";
import { readTheme, type Theme } from "./style";
import { numbersTable } from "./table";
import { firstChoice, optionOf, sizeAxisOf, type Choice } from "./view";

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

export class Figure {
  readonly root: HTMLElement;
  readonly place: string; // the element of the page that it stands in
  private readonly canvas: HTMLElement;
  private readonly live = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly legendPlace = element("div");
  private readonly choice: Choice;
  private readonly sizes: number[];
  private drawing: EChartsType | undefined;
  private at = -1;

  constructor(private readonly chart: Chart) {
    this.place = chart.kind === "scatter" ? chart.place : "charts-place";
    this.choice = firstChoice(chart);
    this.sizes = stopsOf(chart);
    const scatter = chart.kind === "scatter";
    const over = scatter ? chart.across : "batch size";
    const stops = scatter ? "points" : "batch sizes";
    this.canvas = element("div", {
      class: "canvas",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "chart",
      "aria-label": `${chart.title}. ${chart.axis} over ${over}. Left and right arrows step through the ${stops}.`,
    });
    this.root = element(
      "figure",
      { class: "chart", id: `chart-${chart.id}` },
      element("figcaption", {}, element("h3", {}, chart.title), this.switches()),
      element("p", { class: "axis" }, chart.axis),
      this.canvas,
      this.live,
      this.legendPlace,
    );
    if (chart.note !== "") this.root.append(element("p", { class: "note" }, chart.note));
    this.root.append(numbersTable(chart));
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.canvas.addEventListener("blur", () => this.hideTip());
  }

  /** Draws, or draws again after the theme or the width has changed; `width` only where the layout cannot tell. */
  draw(width?: number): void {
    const theme = readTheme();
    this.drawing ??= init(this.canvas, null, { renderer: "svg" });
    this.drawing.resize(width === undefined ? {} : { width });
    this.drawing.setOption(optionOf(this.chart, this.choice, theme, this.drawing.getWidth()), { notMerge: true });
    this.showLegend(theme);
    this.canvas.querySelector("svg")?.setAttribute("aria-hidden", "true");
  }

  private showLegend(theme: Theme): void {
    const focused = [...this.legendPlace.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    this.legendPlace.replaceChildren(legend(this.chart, theme, this.choice.hidden, () => this.draw()));
    if (focused >= 0) this.legendPlace.querySelectorAll("button")[focused]?.focus();
  }

  private switches(): HTMLElement {
    const group = element("div", { class: "switches", role: "group", "aria-label": `${this.chart.title}: scales` });
    const add = (text: string, pressed: boolean, change: (on: boolean) => void): void => {
      group.append(toggle(text, pressed, (on) => (change(on), this.draw())));
    };
    if (this.chart.kind === "line" || this.chart.kind === "scatter") add("log x", this.choice.logSizes, (on) => (this.choice.logSizes = on));
    if (this.chart.kind !== "stack") add("log y", this.choice.logValues, (on) => (this.choice.logValues = on));
    if (this.chart.kind === "stack") add("shares", this.choice.shares, (on) => (this.choice.shares = on));
    return group;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.hideTip();
      return;
    }
    const move = KEYS[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.at = move(this.at, this.sizes.length - 1);
    this.showTip(this.sizes[this.at] ?? 0);
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
