import { readAnalysis, readCsv, readReport } from "./data";
import { downloadButton } from "./download";
import { Figure } from "./figure";
import { followFolds, unfold } from "./folds";
import { setDarkTwins } from "./style";
import { onSchemeChange, themeSwitch } from "./theme";
import { markWide } from "./wide";

// Paper is about as wide as this at the resolution of a screen, margins taken off.
const PAPER = 660;

// What a screen shows first; the other charts are drawn in tasks of their own, so that the page answers meanwhile.
const FIRST = 2;

function drawInTurn(figures: Figure[], next: number): void {
  const figure = figures[next];
  if (figure === undefined) {
    document.documentElement.dataset["drawn"] = "yes";
    performance.mark("drawn");
    return;
  }
  figure.draw();
  setTimeout(() => drawInTurn(figures, next + 1), 0);
}

function onChanges(draw: (width?: number) => void): void {
  onSchemeChange(() => draw());
  const paper = matchMedia("print");
  paper.addEventListener("change", () => {
    unfold(paper.matches);
    draw(paper.matches ? PAPER : undefined);
  });
  let width = document.documentElement.clientWidth;
  addEventListener("resize", () => {
    if (width === document.documentElement.clientWidth || paper.matches) return;
    width = document.documentElement.clientWidth;
    draw();
    markWide(document);
  });
}

/** Where the page has a place for it. */
function put(figures: Figure[]): void {
  const places = new Map<string, HTMLElement[]>();
  figures.forEach((figure) => places.set(figure.place, [...(places.get(figure.place) ?? []), figure.root]));
  places.forEach((roots, place) => document.getElementById(place)?.replaceChildren(...roots));
}

function start(): void {
  const report = readReport();
  setDarkTwins(report.dark);
  const figures = report.charts.map((chart) => new Figure(chart));
  const draw = (width?: number): void => figures.forEach((figure) => figure.draw(width));
  put(figures);
  document.getElementById("tools")?.append(
    downloadButton("Download CSV", "analysis.csv", "text/csv", readCsv),
    downloadButton("Download JSON", "analysis.json", "application/json", readAnalysis),
    themeSwitch(() => draw()),
  );
  onChanges(draw);
  followFolds((part) => {
    figures.filter((figure) => part.contains(figure.root)).forEach((figure) => figure.draw());
    markWide(part);
  });
  markWide(document);
  figures.slice(0, FIRST).forEach((figure) => figure.draw());
  document.documentElement.dataset["ready"] = "yes";
  performance.mark("ready");
  setTimeout(() => drawInTurn(figures, FIRST), 0);
}

start();
