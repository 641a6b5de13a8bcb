// Buttons that change what all charts show, and words for what that is.

import { element } from "../dom";
import type { Shared } from "./shared";
import { duration, moment } from "./words";

const NEARER = 1.6;
export const HELP = "Drag across a chart to see that stretch in all of them; Ctrl and the wheel, or two fingers, zoom; a double click shows all.";

export function timeTools(shared: Shared): HTMLElement {
  const { view } = shared;
  const range = element("p", { class: "range" });
  const button = (text: string, label: string, act: () => void): HTMLElement => {
    const made = element("button", { type: "button", class: "action", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => (act(), shared.changed()));
    return made;
  };
  const middle = (): number => (view.from + view.to) / 2;
  const tools = element(
    "div",
    { class: "timeline-tools" },
    button("−", "Zoom out", () => view.zoom(1 / NEARER, middle())),
    button("+", "Zoom in", () => view.zoom(NEARER, middle())),
    button("‹", "Earlier", () => view.pan(-view.span / 2)),
    button("›", "Later", () => view.pan(view.span / 2)),
    button("All", "Show all", () => view.whole()),
    range,
  );
  shared.follow(() => {
    const [from, to] = [view.from, view.to].map((time) => moment(shared.start + time, view.span / 100));
    range.textContent = `${view.isWhole() ? "all " : ""}${duration(view.span)}: ${from} to ${to} UTC`;
    tools.dataset["from"] = String(view.from);
    tools.dataset["to"] = String(view.to);
  });
  return tools;
}
