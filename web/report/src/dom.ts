// Elements are made here and nowhere else: strings become text, never markup.

type Child = Node | string;

export interface Attributes {
  [name: string]: string;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function drawing(tag: string, attributes: Attributes = {}, ...children: Node[]): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A button that stays pressed or not. */
export function toggle(text: string, pressed: boolean, changed: (pressed: boolean) => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "toggle", "aria-pressed": String(pressed) }, text);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    changed(now);
  });
  return button;
}

/** A list of which one is chosen. */
export function select(label: string, names: string[], chosen: number, changed: (index: number) => void): HTMLSelectElement {
  const list = element("select", { "aria-label": label }, ...names.map((name) => element("option", {}, name)));
  list.selectedIndex = chosen;
  list.addEventListener("change", () => changed(list.selectedIndex));
  return list;
}
