#!/usr/bin/env python3
"""Takes pictures of the report's page, to be looked at: light, dark and as printed, on a wide and on a narrow screen.

usage: screens.py BATCHSCOPE FOLDER [RUN...]

RUN is a run file, or a folder of them; without any these are the twelve kinds of runs whose texts
tests/e2e/judging/test_screens.py approves. Writes FOLDER/KIND.html and FOLDER/KIND-LOOK-WIDTH.png. Needs Chromium
(BATCHSCOPE_CHROMIUM names another one) and the packages of requirements/tests.txt.
"""

import argparse
import ast
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = ROOT / "tests/fixtures/runs"
KINDS = ROOT / "tests/e2e/judging/test_screens.py"
WIDTHS = (1200, 400)
HEIGHT = 900
# A figure that is folded away has no size, and is drawn when it is opened.
ALL_DRAWN = """[...document.querySelectorAll('figure .canvas')].every(
    (one) => one.clientHeight === 0 || one.querySelectorAll('svg path').length > 2)"""
STYLES = {"light": {"color_scheme": "light"}, "dark": {"color_scheme": "dark"}, "print": {"media": "print"}}


def twelve_kinds():
    """{kind: run file} as the test of their texts has it."""
    for node in ast.parse(KINDS.read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "SCREENS_OF":
            return {kind: RUNS / f"{name}.jsonl" for kind, name in ast.literal_eval(node.value).items()}
    raise SystemExit(f"{KINDS.relative_to(ROOT)} has no SCREENS_OF")


def runs_of(named):
    if not named:
        return twelve_kinds()
    files = [file for path in named for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    return {file.stem: file for file in files}


def browser_path():
    named = os.environ.get("BATCHSCOPE_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found:
        raise SystemExit("no Chromium: apt-get install chromium")
    return found


def write_page(program, run, page):
    done = subprocess.run([program, "report", run, "-o", page, "--overwrite"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{run}\n{done.stderr}")


def take(browser, page, look, width):
    """One picture of the whole page. Paper is as wide as it is, so that there the width is of its window alone."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT})
    opened = context.new_page()
    opened.goto(page.resolve().as_uri())
    opened.wait_for_selector("html[data-drawn]")
    opened.emulate_media(**STYLES[look])
    # Charts are drawn anew when the look changes.
    opened.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    opened.wait_for_function(ALL_DRAWN)
    picture = page.with_name(f"{page.stem}-{look}-{width}.png")
    opened.screenshot(path=picture, full_page=True)
    context.close()
    return picture


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("runs", type=pathlib.Path, nargs="*", metavar="RUN")
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    asked.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for kind, run in runs_of(asked.runs).items():
            page = asked.folder / f"{kind}.html"
            write_page(asked.program.resolve(), run, page)
            for look in STYLES:
                for width in WIDTHS:
                    print(take(browser, page, look, width))
        browser.close()


if __name__ == "__main__":
    main()
