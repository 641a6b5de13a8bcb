import { downloadButton } from "../download";
import { followFolds, unfold } from "../folds";
import { onSchemeChange, themeSwitch } from "../theme";
import { markWide } from "../wide";
import { addCopyButtons } from "./copy";
import { readCsv, readJson, readTimeline, type TimelineData } from "./data";
import { makeRowsLead, makeSortable, shorten } from "./tables";
import { Timeline } from "./timeline";

function lead(timeline: Timeline, data: TimelineData, figure: HTMLElement): void {
  const go = (act: () => void): void => {
    act();
    figure.scrollIntoView({ block: "center" });
  };
  document.querySelectorAll<HTMLTableElement>("table.gaps").forEach((table) => {
    makeRowsLead(table, 1, "idle time", (item) => go(() => data.gaps[item] && timeline.showGap(data.gaps[item])));
  });
  document.querySelectorAll<HTMLTableElement>("table.steps").forEach((table) => {
    makeRowsLead(table, Math.max(1, data.devices.length), "step", (item) => go(() => timeline.showStep(item)));
  });
}

/** In place of the picture that is there for viewers without a script, and for paper. */
function putTimeline(): Timeline | undefined {
  const figure = document.getElementById("timeline-figure");
  if (figure === null) return undefined;
  const data = readTimeline();
  const timeline = new Timeline(data);
  figure.prepend(timeline.root);
  figure.dataset["live"] = "yes";
  timeline.refresh();
  lead(timeline, data, figure);
  return timeline;
}

function start(): void {
  const timeline = putTimeline();
  const draw = (): void => timeline?.refresh();
  document.getElementById("tools")?.append(
    downloadButton("Download CSV", "trace.csv", "text/csv", readCsv),
    downloadButton("Download JSON", "trace.json", "application/json", readJson),
    themeSwitch(draw),
  );
  onSchemeChange(draw);
  matchMedia("print").addEventListener("change", (event) => unfold(event.matches));
  document.querySelectorAll<HTMLTableElement>("table.sortable").forEach(makeSortable);
  document.querySelectorAll<HTMLTableElement>("main table").forEach(shorten);
  addCopyButtons(document);
  followFolds(markWide);
  addEventListener("resize", () => markWide(document));
  markWide(document);
  document.documentElement.dataset["drawn"] = "yes";
  performance.mark("drawn");
}

start();
