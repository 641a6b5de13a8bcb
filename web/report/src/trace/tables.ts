// What a script adds to the page's tables: sorting, and going from a row to its place on the timeline.

import { element } from "../dom";

/** The number that a text begins with, as tables have it: "< 0.1 %" is less than any share that is told. */
function valueOf(text: string): number {
  const found = /-?[\d.]+/.exec(text);
  if (found === null) return -1;
  return Number(found[0]) * (text.startsWith("<") ? 0.5 : 1);
}

function sortBy(table: HTMLTableElement, column: number, down: boolean): void {
  const body = table.tBodies[0];
  if (body === undefined) return;
  const words = table.tHead?.rows[0]?.cells[column]?.classList.contains("words") === true;
  const textOf = (row: HTMLTableRowElement): string => row.cells[column]?.textContent ?? "";
  const rows = [...body.rows];
  rows.sort((a, b) => (words ? textOf(a).localeCompare(textOf(b), "en") : valueOf(textOf(a)) - valueOf(textOf(b))) * (down ? -1 : 1));
  body.append(...rows);
}

/** Each heading becomes a button; numbers begin with the largest. */
export function makeSortable(table: HTMLTableElement): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const down = before === null ? !head.classList.contains("words") : before === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortBy(table, column, down);
    });
  });
}

const FEW = 15; // rows that are shown of a long table

/** Of a long table the first rows, in whatever order it is; the others once they are asked for. */
export function shorten(table: HTMLTableElement): void {
  const rows = table.tBodies[0]?.rows.length ?? 0;
  if (rows <= FEW + 5) return; // not for a few
  table.dataset["short"] = "yes";
  const button = element("button", { type: "button", class: "action more" }, `Show all ${rows}`);
  button.addEventListener("click", () => {
    delete table.dataset["short"];
    button.remove();
  });
  (table.closest(".scroll") ?? table).after(button);
}

/** The key of each row becomes a button; `perItem` rows in a row are of the same item. */
export function makeRowsLead(table: HTMLTableElement, perItem: number, what: string, go: (item: number) => void): void {
  [...(table.tBodies[0]?.rows ?? [])].forEach((row, index) => {
    const key = row.cells[0];
    if (key === undefined) return;
    const button = element("button", { type: "button", class: "lead", title: `Show this ${what} on the timeline` });
    button.append(...key.childNodes);
    key.append(button);
    button.addEventListener("click", () => go(Math.floor(index / perItem)));
  });
}
