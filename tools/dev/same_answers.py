#!/usr/bin/env python3
"""Whether two builds of the program say the same of everything recorded: same_answers.py OLD NEW [FOLDER...].

Both read each run file, trace, log and table of the repository, or of the folders given; what they print, write and
exit with is compared to the byte. Prints what differs and exits with 1. OLD is the program of before a change that is
meant to change no answer (build it in a worktree of that commit).

--numbers compares only the JSON, as values, without texts: ids and numbers, for a change of words.
"""

import argparse
import difflib
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ("tests/fixtures/runs", "libs/monitoring/monitor/tests/recorded", "fuzz/corpus/csv", "fuzz/corpus/nsys",
            "fuzz/corpus/steps", "fuzz/corpus/trace")
# Not before a word: "at 1.5 s" in a text is part of an answer.
OF_THE_PROCESS = re.compile(rb"(took|after|for) [0-9.]+ (s|ms)\b")
DIFFERING_LINES = 12

RUN = (["analyze", "{}", "--format", "json"], ["analyze", "{}"], ["analyze", "{}", "--format", "md"],
       ["analyze", "{}", "--format", "csv"], ["report", "{}", "-o", "page.html"], ["report", "{}", "-o", "page.md"],
       ["analyze", "{}", "--charts=charts", "--format", "json"], ["tune", "--replay", "{}", "--seed", "1"],
       ["compare", "{}", "{}", "--format", "json"], ["compare", "{}", "{}"])
TRACE = (["trace", "{}", "--format", "json"], ["trace", "{}", "--all"], ["trace", "{}", "-o", "page.html"],
         ["trace", "{}", "--export", "trace.json"])
LOG = (["monitor", "--replay", "{}", "--format", "json"], ["monitor", "--replay", "{}"],
       ["report", "{}", "-o", "page.html"], ["report", "{}", "-o", "page.md"])
TABLE = (["import", "{}", "-o", "run.jsonl"], ["tune", "--replay", "{}", "--seed", "1"])


def kinds(path):
    """The commands that read this file."""
    name = path.name
    if name.endswith((".json", ".json.gz", ".json.zst", ".sqlite", ".tar.gz")) and "steps" not in path.parts:
        return () if name.endswith((".analysis.json", "expected.json")) else TRACE
    if "steps" in path.parts or "recorded" in path.parts:
        return () if name == "README.md" else LOG
    if name.endswith(".csv"):
        return TABLE
    return RUN if name.endswith(".jsonl") else ()


def answer(program, command, path):
    """(exit code, printed, complained, {file written: content}), without what differs from process to process."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word.format(path) for word in command]
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, timeout=600, check=False)
        files = {str(each.relative_to(folder)): each.read_bytes() for each in sorted(Path(folder).rglob("*"))
                 if each.is_file()}
    texts = (f"exit {done.returncode}".encode(), done.stdout, done.stderr, *files.values())
    names = ("exit code", "standard output", "standard error", *files)
    return {name: OF_THE_PROCESS.sub(b"\\1 TIME", text) for name, text in zip(names, texts)}


def without_texts(value):
    """Of a JSON value: its numbers, truths, ids and shape. An id has no space."""
    if isinstance(value, dict):
        return {key: without_texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_texts(each) for each in value]
    return "text" if isinstance(value, str) and " " in value else value


def numbers(answers):
    try:
        return {"standard output": json.dumps(without_texts(json.loads(answers["standard output"])), indent=1).encode(),
                "exit code": answers["exit code"]}
    except ValueError:
        return {"exit code": answers["exit code"]}


def difference(old, new):
    """Lines that say where two answers part."""
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) == new.get(name):
            continue
        sides = [each.get(name, b"").decode(errors="replace").splitlines() for each in (old, new)]
        lines = [line[:300] for line in difflib.unified_diff(*sides, lineterm="", n=0)][2:]
        return [f"  {name}:"] + [f"    {line}" for line in lines[:DIFFERING_LINES]]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--numbers", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    programs = [each.resolve() for each in (arguments.old, arguments.new)]
    folders = [each.resolve() for each in arguments.folders] or [ROOT / each for each in RECORDED]
    tasks = [(command, path) for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()
             for command in kinds(path) if not arguments.numbers or "json" in command]

    def compare(task):
        command, path = task
        old, new = (answer(program, command, path) for program in programs)
        return difference(*(map(numbers, (old, new)) if arguments.numbers else (old, new)))

    differing = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for (command, path), lines in zip(tasks, pool.map(compare, tasks)):
            differing += bool(lines)
            if lines:
                print(" ".join(word.format(path) for word in command), *lines, sep="\n")
    print(f"{len(tasks)} commands on {len({path for _, path in tasks})} files: {differing} differ")
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
