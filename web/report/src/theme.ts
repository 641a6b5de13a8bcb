// Light, dark, or as the system says.

import { element } from "./dom";

const NAMES = ["auto", "light", "dark"] as const;

function apply(name: string): void {
  if (name === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = name;
}

export function themeSwitch(changed: () => void): HTMLElement {
  const group = element("fieldset", { class: "themes" }, element("legend", {}, "Theme"));
  for (const name of NAMES) {
    const input = element("input", { type: "radio", name: "theme", value: name, id: `theme-${name}` });
    input.checked = name === "auto";
    input.addEventListener("change", () => {
      apply(name);
      changed();
    });
    group.append(input, element("label", { for: `theme-${name}` }, name));
  }
  return group;
}

export function onSchemeChange(changed: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
