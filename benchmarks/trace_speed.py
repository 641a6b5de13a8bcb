#!/usr/bin/env python3
"""How fast `batchscope trace` reads, against what bounds it: ratios within one run, for docs/reference/trace-speed.md.

usage: trace_speed.py PROGRAM WALK TRACES FOLDER [--gigabytes 1] [--rounds 7] [--largest 4] [--kernels 1000000] [--hta PYTHON]

TRACES is a folder of real traces of torch.profiler, which are repeated, one after another, until there is enough; FOLDER takes
the files that are made, and is used again. WALK is bench_trace_walk. Each round takes every side once, in random order; a
line is the median over rounds, with its range.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import time

TIME = re.compile(rb'"ts": ?(\d+)')
CORRELATION = re.compile(rb'"correlation": ?(\d+)')


def texts_of(folder):
    """The events of every real trace of some size, without the brackets around them."""
    texts = []
    for path in sorted(pathlib.Path(folder).glob("*.json.gz")):
        text = gzip.decompress(path.read_bytes()).decode("latin1")
        begin = text.find("[", text.find('"traceEvents"'))
        if len(text) < 10_000_000 or begin < 0:
            continue
        end = json.JSONDecoder(strict=False).raw_decode(text, begin)[1]
        texts.append(text[begin + 1:end - 1].strip().encode("latin1"))
    return texts


def make(folder, path, size):
    """Repeats of them, each later than the one before, with correlations of its own."""
    texts = texts_of(folder)
    written, turn = 0, 0
    with open(path, "wb") as file:
        file.write(b'{"schemaVersion": 1, "traceEvents": [\n')
        while written < size:
            text = texts[turn % len(texts)]
            first = int(TIME.search(text).group(1))
            later = 10**12 + turn * 20_000_000 - first
            text = TIME.sub(lambda found: b'"ts": %d' % (int(found.group(1)) + later), text)
            text = CORRELATION.sub(
                lambda found: b'"correlation": %d' % ((int(found.group(1)) + turn * 10**7) % 2**31), text)
            written += file.write((b",\n" if turn else b"") + text)
            turn += 1
        file.write(b"\n]}\n")


def made(options, gigabytes):
    """By a process of its own: what this one holds would count to the peak memory of those that it starts."""
    path = options.folder / f"{gigabytes:g}.json"
    if not path.exists():
        with multiprocessing.get_context("spawn").Pool(1) as maker:
            maker.apply(make, (options.traces, path, int(gigabytes * 1e9)))
    return path


def packed(path, kind):
    target = path.with_name(path.name + {"gzip": ".gz", "zstd": ".zst"}[kind])
    if not target.exists():
        command = {"gzip": ["gzip", "-6", "-k", path], "zstd": ["zstd", "-q", "-3", path, "-o", target]}[kind]
        subprocess.run(command, check=True)
    return target


def run(command):
    """Seconds and peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {command}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def walked(walk, path, threads, what="walk"):
    return float(subprocess.run([walk, path, what, str(threads)], capture_output=True, text=True, check=True).stdout.split()[0])


def rounds_of(sides, rounds):
    """{side: [value of each round]}, every side once a round in random order."""
    order, taken = random.Random(1), {name: [] for name in sides}
    for _ in range(rounds):
        for name in order.sample(sorted(sides), len(sides)):
            taken[name].append(sides[name]())
    return taken


def ratio(above, below):
    each = [a / b for a, b in zip(above, below, strict=True)]
    return f"{statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f})"


def measured(options):
    if not any(pathlib.Path(options.traces).glob("*.json.gz")):
        print("No real traces were at hand, so nothing was measured.")
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    threads = len(os.sched_getaffinity(0))
    plain = made(options, options.gigabytes)
    size = plain.stat().st_size
    sides = {"trace": lambda: run([options.program, "trace", plain, "--format", "csv"]),
             "walk": lambda: walked(options.walk, plain, threads)}
    kinds = [kind for kind in ("gzip", "zstd") if shutil.which(kind)]
    for kind in kinds:
        path = packed(plain, kind)
        sides[kind] = lambda path=path: run([options.program, "trace", path, "--format", "csv"])[0]
        sides[f"un{kind}"] = lambda path=path: walked(options.walk, path, 1, "unpack")
    taken = rounds_of(sides, options.rounds)
    seconds = [wall for wall, _ in taken["trace"]]
    memory = max(peak for _, peak in taken["trace"])
    print(f"{size / 1e9:.2f} GB of JSON, real traces repeated; whole program, from the file to the findings, page cache warm, "
          f"{threads} threads; median of {options.rounds} (range).\n")
    print("| what | value | target |\n|---|---|---|")
    print(f"| GB/s | {size / statistics.median(seconds) / 1e9:.2f} ({size / max(seconds) / 1e9:.2f} to "
          f"{size / min(seconds) / 1e9:.2f}) | 1 |")
    print(f"| speed, of a simdjson walk over the same members on as many threads | {ratio(taken['walk'], seconds)} | 0.6 |")
    for kind in kinds:
        print(f"| {kind}: speed, of unpacking alone on one thread | {ratio(taken[f'un{kind}'], taken[kind])} | 0.8 |")
        print(f"| {kind}: s of the program; of unpacking alone, on one thread; of the walk over what was unpacked, on "
              f"{threads} | {statistics.median(taken[kind]):.2f}; {statistics.median(taken[f'un{kind}']):.2f}; "
              f"{statistics.median(taken['walk']):.2f} | |")
    print(f"| peak memory, MB | {memory:.0f} | {0.15 * size / 2**20 + 64:.0f} |")
    growth(options)
    nsys(options)
    peers(options, plain, seconds, memory)


def growth(options):
    for size in [size for size in (0.1, 1.0, options.largest) if size <= options.largest]:
        path = made(options, size)
        walls = [run([options.program, "trace", path, "--format", "csv"])[0] for _ in range(3)]
        print(f"| seconds a GB at {size:g} GB | {min(walls) / path.stat().st_size * 1e9:.2f} | the same |")


def nsys(options):
    path = options.folder / f"{options.kernels}.sqlite"
    if not path.exists():
        subprocess.run(["python3", pathlib.Path(__file__).with_name("make_nsys_export.py"), path, str(options.kernels)], check=True)
    walls = [run([options.program, "trace", path, "--format", "csv"])[0] for _ in range(options.rounds)]
    print(f"| export of Nsight Systems with {options.kernels} kernels: s | {statistics.median(walls):.2f} ({min(walls):.2f} to "
          f"{max(walls):.2f}) | 2 |")


# The least that it does for the same question: where the time of each device went.
HTA = """
import sys, tempfile, os
from hta.trace_analysis import TraceAnalysis
folder = tempfile.mkdtemp()
os.symlink(os.path.abspath(sys.argv[1]), os.path.join(folder, "trace.json"))
analysis = TraceAnalysis(trace_files={0: os.path.join(folder, "trace.json")}, trace_dir=folder)
analysis.get_idle_time_breakdown(ranks=[0], visualize=False)
analysis.get_temporal_breakdown(visualize=False)
"""


def peers(options, plain, seconds, memory):
    if options.hta is None:
        return
    wall, peak = run([options.hta, "-c", HTA, plain])
    print(f"| HTA on the same file: s; times as long; MB; times the memory | {wall:.1f}; "
          f"{wall / statistics.median(seconds):.0f}; {peak:.0f}; {peak / memory:.1f} | 40 times as long, 10 times the memory |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("walk")
    parser.add_argument("traces")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--largest", type=float, default=4.0)
    parser.add_argument("--kernels", type=int, default=1_000_000)
    parser.add_argument("--hta", help="an interpreter that has HolisticTraceAnalysis")
    measured(parser.parse_args())


if __name__ == "__main__":
    main()
