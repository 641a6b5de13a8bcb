// A button beside what is to be pasted elsewhere.

import { element } from "../dom";

async function copy(text: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    // Where a browser lets no page write there, the reader's own key does.
    getSelection()?.selectAllChildren(text);
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

export function addCopyButtons(within: ParentNode): void {
  within.querySelectorAll<HTMLElement>(".try pre").forEach((text) => {
    const button = element("button", { type: "button", class: "action copy" }, "Copy");
    button.addEventListener("click", () => void copy(text, button));
    text.before(button);
  });
}
