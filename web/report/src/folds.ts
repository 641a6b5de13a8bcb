// Parts of the page that are folded: opened for a link into them and on paper. (A browser opens them itself for what
// it finds inside.)

/** Those that it is in, and the one that is all of it. */
function foldsOf(target: Element): HTMLDetailsElement[] {
  const found = [...target.querySelectorAll<HTMLDetailsElement>(":scope > details.fold:first-child")];
  for (let at = target.closest("details"); at; at = at.parentElement?.closest("details") ?? null) found.push(at);
  return found;
}

function toFragment(): void {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name === "" ? null : document.getElementById(name);
  const closed = target === null ? [] : foldsOf(target).filter((fold) => !fold.open);
  if (closed.length === 0) return;
  closed.forEach((fold) => (fold.open = true));
  target?.scrollIntoView();
}

/** Unfolded while on paper; then as before. */
export function unfold(on: boolean): void {
  const all = document.querySelectorAll<HTMLDetailsElement>("details.fold");
  all.forEach((one) => {
    if (on && !one.open) one.dataset["folded"] = "yes";
    if (on) one.open = true;
    if (!on && one.dataset["folded"] === "yes") one.open = false;
    if (!on) delete one.dataset["folded"];
  });
}

/** `opened` is told of each part that comes into sight. */
export function followFolds(opened: (part: HTMLElement) => void): void {
  addEventListener("hashchange", toFragment);
  document.querySelectorAll<HTMLDetailsElement>("details").forEach((one) => {
    one.addEventListener("toggle", () => {
      if (one.open) opened(one);
    });
  });
  toFragment();
}
