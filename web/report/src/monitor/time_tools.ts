// Buttons that change what all charts show, and words for what that is.

import { timeTools } from "../canvas/time_frame";
import { element } from "../dom";
import type { Shared } from "./shared";
import { duration, moment } from "./words";

export const HELP = "Drag across a chart to zoom all charts to that period. Ctrl with the wheel, or two fingers, zoom, too. A double click shows all.";

export function toolsOf(shared: Shared): HTMLElement {
  const { view } = shared;
  const range = element("p", { class: "range" });
  const tools = timeTools(view, shared.changed, range);
  shared.follow(() => {
    const [from, to] = [view.from, view.to].map((time) => moment(shared.start + time, view.span / 100));
    range.textContent = `${view.isComplete() ? "all " : ""}${duration(view.span)}: ${from} to ${to} UTC`;
    tools.dataset["from"] = String(view.from);
    tools.dataset["to"] = String(view.to);
  });
  return tools;
}
