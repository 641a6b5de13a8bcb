"""What a report costs: made of 100,000 samples by PROGRAM, and opened from disk in a browser. Prints Markdown."""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TIMES = 5
SIZES = "1,2,3,4,6,8,12,16"
BLOCKS, ITERATIONS = 12, 1042
SAMPLES = len(SIZES.split(",")) * BLOCKS * ITERATIONS


def write_run(program, run):
    subprocess.run([program, "profile", "--engine", "synthetic", "-m", "affine:200us,1ms;anomaly=4:1.25;iteration_sd=0.02",
                    "-b", SIZES, "--blocks", str(BLOCKS), "--iterations", str(ITERATIONS), "--seed", "1", "-q", "-o", run],
                   check=True, capture_output=True)


def seconds_to_make(program, run, report):
    start = time.perf_counter()
    subprocess.run([program, "report", run, "-o", report, "--overwrite"], check=True, capture_output=True)
    return time.perf_counter() - start


def browser_path():
    named = os.environ.get("BATCHSCOPE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def milliseconds_to(browser, report, mark):
    """From the start of the navigation to a mark that the page sets."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(report.resolve().as_uri())
    page.wait_for_selector("html[data-drawn]")
    at = page.evaluate("name => performance.getEntriesByName(name)[0].startTime", mark)
    context.close()
    return at


def opened(report):
    """The rows about a browser, or one that says why there are none."""
    path = browser_path()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if not path:
        return [("opened in a browser", "not measured: no Chromium, or no playwright")]
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for mark, words in (("ready", "until it answers (first charts drawn, all buttons work), s"),
                            ("drawn", "until every chart is drawn, s")):
            times = [milliseconds_to(browser, report, mark) / 1000 for _ in range(TIMES)]
            rows.append((words, f"{statistics.median(times):.2f} (worst {max(times):.2f})"))
        browser.close()
    return rows


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        run, report = pathlib.Path(folder, "run.jsonl"), pathlib.Path(folder, "report.html")
        write_run(program, run)
        made = [seconds_to_make(program, run, report) for _ in range(TIMES)]
        rows = [("making the page, whole program, s", f"{statistics.median(made):.2f} (worst {max(made):.2f})"),
                ("size of the page, MB", f"{report.stat().st_size / 1e6:.2f}"), *opened(report)]
    print(f"\n## report of {SAMPLES:,} samples\n\nMedian of {TIMES}; the browser opens the page from disk, timed from the "
          "start of the navigation.\n\n| what | value |\n|---|---|")
    for what, value in rows:
        print(f"| {what} | {value} |")
    print("\nTarget: at most 1 s to make, 1.5 MB, 0.5 s until it answers, 1 s until every chart is drawn.")


if __name__ == "__main__":
    main(sys.argv[1])
