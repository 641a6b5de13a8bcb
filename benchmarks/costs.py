#!/usr/bin/env python3
"""What answers cost: analyses of tables with many sizes, the search for the largest batch, the share of a run that is measured.

usage: costs.py PROGRAM [BEFORE]    both are the program batchscope; with BEFORE each figure stands beside that one's

Prints Markdown. Times are of processors, of the program and its workers, but where it says so.
"""

import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

SIZES = (64, 128, 256, 512)
NET = '''
import torch


def net():
    return torch.nn.Sequential(torch.nn.Linear(2048, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 2048))


def activation():
    return torch.nn.ReLU()
'''


def cpu_seconds(command, environment=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 4):
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def table_of(sizes, folder):
    """A table measured elsewhere: so many sizes, eight times each, 5 + 0.4 x ms with 1 % of noise."""
    rng, path = random.Random(sizes), folder / f"{sizes}.csv"
    rows = [f"{size},{(5 + 0.4 * size) * rng.gauss(1, 0.01):.5f}" for size in range(1, sizes + 1) for _ in range(8)]
    path.write_text("\n".join(["batch_size,time_ms", *rows]) + "\n")
    return path


def analysis(program, sizes, folder):
    run = folder / f"{sizes}.jsonl"
    cpu_seconds([program, "import", table_of(sizes, folder), "-o", run, "--overwrite"])
    return cpu_seconds([program, "analyze", run])[0]


def python_of(program):
    """The package beside the program of a build."""
    return {"PYTHONPATH": str(pathlib.Path(program).resolve().parents[1] / "python"), "BATCHSCOPE_PYTHON": sys.executable}


def largest_batch(program, folder):
    return cpu_seconds([program, "tune", "-m", folder / "net.py:activation", "--input", "x:Bx262144", "--max-batch-only", "--memory-limit",
                        "1GiB", "-o", folder / "largest.jsonl", "--overwrite"], python_of(program))[0]


def share_measured(program, folder):
    """Of the wall time of a profile, what lies within iterations, warm-up included."""
    run, begun = folder / "share.jsonl", time.monotonic()
    cpu_seconds([program, "profile", "-m", folder / "net.py:net", "--input", "x:Bx2048", "-b", "1,8", "--threads", "2",
                 "-o", run, "--overwrite"], python_of(program))
    wall = time.monotonic() - begun
    lines = map(json.loads, run.read_text().splitlines())
    return 100 * sum(sum(line["samples_ns"]) for line in lines if line.get("type") == "visit") / 1e9 / wall


def row(what, unit, measure, programs):
    figures = [measure(program) for program in programs]
    shown = " | ".join(f"{each:.3g} {unit}" for each in figures)
    ratio = f" | {figures[0] / figures[1]:.2f}" if len(figures) > 1 else ""
    print(f"| {what} | {shown}{ratio} |", flush=True)


def main():
    programs = sys.argv[1:]
    head = ["now", "before", "now / before"] if len(programs) > 1 else ["now"]
    print("## What answers cost\n\n| what | " + " | ".join(head) + " |\n" + "|---" * (len(head) + 1) + "|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "net.py").write_text(NET)
        for sizes in SIZES:
            row(f"analyze, {sizes} sizes", "s", lambda program, sizes=sizes: analysis(program, sizes, folder), programs)
        row("tune --max-batch-only, a model in Python", "s", lambda program: largest_batch(program, folder), programs)
        row("profile, a model in Python: within iterations", "% of the wall time",
            lambda program: share_measured(program, folder), programs)


if __name__ == "__main__":
    main()
