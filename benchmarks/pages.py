"""How soon pages answer and are drawn in a browser, and the next frame of those that are zoomed, each beside the smallest
page of the same kind. Prints Markdown."""

import functools
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "tests/e2e/showing")]

from made_trace import write_trace
from report import SAMPLES, write_run

LOADS = 5
HEIGHTS = (300, 900, 5000)

# A frame for each turn of a wheel, in and out again: how long each took, in seconds.
FRAMES = """async (selector) => {
  const frame = document.querySelector(selector);
  frame.scrollIntoView({ block: 'center' });
  const { left } = frame.getBoundingClientRect();
  const next = () => new Promise(requestAnimationFrame);
  const found = [];
  let last = await next();
  for (let turn = 0; turn < 120; turn += 1) {
    const deltaY = turn % 60 < 30 ? -120 : 120;
    const clientX = left + 100 + 7 * turn;
    frame.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: true, clientX, bubbles: true, cancelable: true }));
    const now = await next();
    found.push((now - last) / 1000);
    last = now;
  }
  return found;
}"""
MARKS = "['ready', 'drawn'].map(name => performance.getEntriesByName(name)[0].startTime / 1000)"


def browser_path():
    named = os.environ.get("BATCHSCOPE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def opened(browser, path, height, frames):
    """Seconds until the page answered, until all of it was drawn, and that nine of ten frames took at most."""
    context = browser.new_context(viewport={"width": 1200, "height": height})
    page = context.new_page()
    page.goto(path.resolve().as_uri())
    page.wait_for_selector("html[data-drawn]")
    times = page.evaluate(MARKS)
    if frames:
        times.append(sorted(page.evaluate(FRAMES, frames))[-12])
    context.close()
    return times


def cells(times, smallest):
    return " | ".join(f"{time:.3f} ({time / least:.2f})" for time, least in zip(times, smallest))


def table(browser, title, pages, heights=(900,), frames=None):
    """Pages are {name: path}, the smallest first."""
    columns = ["answers", "drawn"] + (["frame"] if frames else [])
    print(f"\n## Pages of {title}\n\n| page | window | bytes | {' | '.join(f'{name}, s (ratio)' for name in columns)} |")
    print("|---" * (3 + len(columns)) + "|")
    smallest = None
    for name, path in pages.items():
        for height in heights:
            loads = [opened(browser, path, height, frames) for _ in range(LOADS)]
            times = list(map(statistics.median, zip(*loads)))
            smallest = smallest or times
            print(f"| {name} | {height} | {path.stat().st_size:,} | {cells(times, smallest)} |")


def runs(programs, folder):
    subprocess.run([programs / "report_fixture_pages", folder], check=True, capture_output=True)
    pages = {name: folder / f"{name}.html" for name in ("answered", "diagnosed", "device", "tuned")}
    run, page = folder / "run.jsonl", folder / "run.html"
    write_run(programs / "batchscope", run)
    subprocess.run([programs / "batchscope", "report", run, "-o", page], check=True, capture_output=True)
    return pages | {f"{SAMPLES:,} samples": page}


def logs(programs, folder):
    pages = {}
    for name in ("healthy", "trained", "week", "million"):
        subprocess.run([programs / "monitor_fixture_pages", folder, name], check=True, capture_output=True)
        pages[name] = folder / f"{name}.html"
    return pages


def traces(programs, folder):
    pages = {}
    for kernels in (100, 10_000):
        write_trace(folder / "trace.json", steps=100, kernels=kernels)
        page = folder / f"{kernels}.html"
        subprocess.run([programs / "batchscope", "trace", folder / "trace.json", "-o", page], check=True, capture_output=True)
        pages[f"{200 * kernels:,} events"] = page
    return pages


def main(programs):
    path = browser_path()
    if not path:
        print("\n## Pages\n\nNot measured: no Chromium.")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = pathlib.Path(name)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        show = functools.partial(table, browser)
        show("runs", runs(programs, folder), HEIGHTS)
        show("monitored machines", logs(programs, folder), frames="#chart-power .frame")
        show("traces", traces(programs, folder), frames=".frame")
        browser.close()
    print(f"\nMedian of {LOADS} loads from disk, from the start of the navigation; frame: nine of ten take at most that while a "
          "wheel turns. Ratio: to the first row. Target: answers in 0.5 s; drawn in 1 s, of logs 1.5 s, of traces 2 s; a frame "
          "in 50 ms.")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
