// Tables wider than their place: that there is more to the side is said.

import { element } from "./dom";

function hint(place: HTMLElement): void {
  const wide = place.scrollWidth > place.clientWidth + 1;
  const before = place.previousElementSibling;
  const there = before?.classList.contains("wide-hint") === true;
  if (wide && !there) place.before(element("p", { class: "wide-hint", "aria-hidden": "true" }, "More columns to the right: scroll ↔"));
  if (!wide && there) before?.remove();
}

/** Looks again at the tables of a part of the page. */
export function markWide(part: ParentNode): void {
  part.querySelectorAll<HTMLElement>(".scroll").forEach((place) => {
    if (place.clientWidth > 0) hint(place);
  });
}
