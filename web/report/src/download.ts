// Buttons that hand over what the page carries; nothing is fetched.

import { element } from "./dom";

export function downloadButton(text: string, file: string, type: string, content: () => string): HTMLButtonElement {
  const button = element("button", { type: "button", class: "action" }, text);
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([content()], { type }));
    const link = element("a", { href: address, download: file });
    document.body.append(link);
    link.click();
    link.remove();
    // The browser has taken the content once the click was handled.
    setTimeout(() => URL.revokeObjectURL(address), 0);
  });
  return button;
}
