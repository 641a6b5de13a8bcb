// Parts of the page that are folded: opened for a link into them and on paper. (A browser opens them itself for what
// it finds inside.)

function openAround(target: Element | null): void {
  for (let at = target?.closest("details"); at; at = at.parentElement?.closest("details")) at.open = true;
}

function toFragment(): void {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name === "" ? null : document.getElementById(name);
  if (target === null || target.closest("details:not([open])") === null) return;
  openAround(target);
  target.scrollIntoView();
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
