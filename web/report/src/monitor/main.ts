import { element } from "../dom";
import { followFolds, unfold } from "../folds";
import { onSchemeChange, themeSwitch } from "../theme";
import { addCopyButtons } from "../trace/copy";
import { markWide } from "../wide";
import { BandContent } from "./band_content";
import { readMonitor, type Band, type Chart, type MonitorData } from "./data";
import { LineContent } from "./line_content";
import { lineLegend, switches } from "./line_legend";
import { Plot } from "./plot";
import { Shared } from "./shared";
import { HELP, toolsOf } from "./time_tools";

const AROUND = 0.35; // of a finding's time, before and behind it
const LEAST_AROUND = 10_000;
// What a screen shows first; the others are drawn in tasks of their own, so that the page answers meanwhile.
const FIRST = 3;

function figureOf(id: string): HTMLElement | null {
  return document.getElementById(`chart-${id}`);
}

function putChart(chart: Chart, data: MonitorData, shared: Shared): Plot[] {
  const figure = figureOf(chart.id);
  if (figure === null) return [];
  const content = new LineContent(chart, data.bands, data.start);
  const plot = new Plot(content, shared);
  const draw = (): void => plot.draw();
  figure.querySelector(".plot-place")?.append(plot.root, lineLegend(chart, content, draw));
  figure.querySelector("figcaption")?.append(...switches(chart, content, draw));
  return [plot];
}

function showBand(band: Pick<Band, "from" | "to">, shared: Shared): void {
  const around = Math.max(LEAST_AROUND, AROUND * (band.to - band.from));
  shared.view.show(band.from - around, band.to + around);
  shared.changed();
}

function putBands(data: MonitorData, shared: Shared): Plot[] {
  const figure = figureOf("findings");
  if (figure === null) return [];
  const plot = new Plot(new BandContent(data.bands, data.wall, data.start, (band) => showBand(band, shared)), shared);
  figure.querySelector(".plot-place")?.append(plot.root);
  return [plot];
}

/** A button on each card that leads to its time. */
function leadFromCards(data: MonitorData, shared: Shared): void {
  for (const card of new Set(data.bands.map((band) => band.card))) {
    const place = document.querySelector(`#finding-${card} .card-text`);
    if (place === null) continue;
    const bands = data.bands.filter((band) => band.card === card);
    const from = Math.min(...bands.map((band) => band.from));
    const to = Math.max(...bands.map((band) => band.to));
    const button = element("button", { type: "button", class: "action" }, "Show over time");
    button.addEventListener("click", () => {
      showBand({ from, to }, shared);
      document.getElementById("timeline")?.scrollIntoView();
    });
    place.append(element("p", {}, button));
  }
}

function drawInTurn(plots: Plot[], next: number): void {
  const plot = plots[next];
  if (plot === undefined) {
    document.documentElement.dataset["drawn"] = "yes";
    performance.mark("drawn");
    return;
  }
  plot.refresh();
  setTimeout(() => drawInTurn(plots, next + 1), 0);
}

function start(): void {
  const data = readMonitor();
  const shared = new Shared(data);
  document.getElementById("time-tools")?.replaceChildren(toolsOf(shared));
  document.getElementById("time-tools")?.before(element("p", { class: "note" }, HELP));
  const plots = [...putBands(data, shared), ...data.charts.flatMap((chart) => putChart(chart, data, shared))];
  if (data.charts.length > 0) leadFromCards(data, shared);
  plots.forEach((plot) => shared.follow(() => plot.draw()));
  const refresh = (): void => plots.forEach((plot) => plot.refresh());
  document.getElementById("tools")?.append(themeSwitch(refresh));
  onSchemeChange(refresh);
  matchMedia("print").addEventListener("change", (event) => {
    unfold(event.matches);
    refresh();
  });
  addCopyButtons(document);
  followFolds(markWide);
  addEventListener("resize", () => markWide(document));
  markWide(document);
  shared.changed();
  plots.slice(0, FIRST).forEach((plot) => plot.refresh());
  document.documentElement.dataset["ready"] = "yes";
  performance.mark("ready");
  setTimeout(() => drawInTurn(plots, FIRST), 0);
}

start();
