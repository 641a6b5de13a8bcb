#!/usr/bin/env python3
"""Makes every image of the documents anew, by the commands that stand here.

usage: figures.py BATCHSCOPE [-o FOLDER]

Each is drawn of an experiment in virtual time with a stated seed, so that whoever follows the document sees the same. An
image in docs/images that no entry makes, and one that no document shows, are errors.
"""

import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs/images"

# Image: the commands that make it, called in an empty folder, and the file that they leave. Those of README.md are the
# commands of its example.
FIGURES = {
    "forward_time_per_sample.svg": (
        ['batchscope profile -m "synthetic:affine:2ms,10ms;anomaly=4:1.25" -b 1,2,3,4,6,8 --threads 2 --seed 1 -o ex.jsonl',
         "batchscope analyze ex.jsonl --charts"],
        "ex_charts/forward_time_per_sample.svg"),
}


def shown():
    """The images that documents show."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return {name for page in pages for name in re.findall(r"\]\([^)]*images/([^)/]+)\)", page.read_text())}


def problems():
    kept = {path.name for path in IMAGES.iterdir()}
    return [f"docs/images/{name}: {what}" for names, what in (
        (kept - FIGURES.keys(), "no command makes it: add it to tools/guide/figures.py"),
        (FIGURES.keys() - shown(), "no document shows it"),
        (shown() - FIGURES.keys(), "a document shows it, and no command makes it")) for name in sorted(names)]


def make(program, name, folder):
    commands, made = FIGURES[name]
    with tempfile.TemporaryDirectory() as scratch:
        for command in commands:
            done = subprocess.run([program, *shlex.split(command)[1:]], cwd=scratch, capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f"{command}\n{done.stderr}")
        shutil.copy(pathlib.Path(scratch, made), folder / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=IMAGES, metavar="FOLDER")
    asked = parser.parse_args()
    asked.output.mkdir(parents=True, exist_ok=True)
    for name in FIGURES:
        make(asked.program.resolve(), name, asked.output)
        print(asked.output / name)
    found = problems()
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
