#!/usr/bin/env python3
"""Holds batchscope's figures of a callable in Python against tools that time the same callable.

usage: peers_python.py BATCHSCOPE [--rounds N] [--batch-sizes 1,8,32] [-o FILE.md]

torch.utils.benchmark.Timer and pyperf take turns with `batchscope profile --engine python`: a round is a process of each, in
random order, and each times every batch size of one eager module (benchmarks/eager.py). Needs the package batchscope in this
interpreter (build/release/python on PYTHONPATH, as ./dev peers sets it), torch and pyperf.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from peers import SECONDS, measured, processor, table, versions

MODEL = pathlib.Path(__file__).with_name("eager.py")

TIMER = """
import json, sys
sys.path.insert(0, sys.argv[1])
import torch
from torch.utils.benchmark import Timer
from eager import forward
threads, seconds, *sizes = sys.argv[2:]
out = {}
for size in map(int, sizes):
    torch.set_num_threads(int(threads))
    timer = Timer("run()", globals={"run": forward(size)}, num_threads=int(threads))
    timer.timeit(20)
    out[size] = timer.blocked_autorange(min_run_time=float(seconds)).median * 1e3
print(json.dumps(out))
"""

# A process of its own for every size, as pyperf wants it; one, since a round is a process of each tool.
PYPERF = """
import os, sys
sys.path.insert(0, os.environ["PEERS_FOLDER"])
import pyperf
import torch
from eager import forward
torch.set_num_threads(int(os.environ["PEERS_THREADS"]))
runner = pyperf.Runner(processes=1, values=15, warmups=3, min_time=0.1)
size = int(os.environ["PEERS_SIZE"])
runner.bench_func(f"batch {size}", forward(size))
"""


class Bench:
    def __init__(self, program, threads, sizes):
        self.program, self.threads, self.sizes = program, threads, sizes
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="batchscope-peers-"))
        self.rounds = 0

    def batchscope(self):
        self.rounds += 1
        path = self.scratch / f"{self.rounds}.jsonl"
        subprocess.run([self.program, "profile", "-m", f"{MODEL}:forward", "--python", sys.executable, "-b",
                        ",".join(map(str, self.sizes)), "--threads", str(self.threads), "--blocks", "1", "--min-visit-time",
                        f"{SECONDS}s", "-q", "-o", path], check=True, capture_output=True)
        done = subprocess.run([self.program, "analyze", path, "--format", "json", "-q"], check=True, capture_output=True,
                              text=True)
        # The mean: the others time many calls at once, those that are slow included.
        return {row["batch_size"]: row["mean_ms"] for row in json.loads(done.stdout)["configs"]}

    def timer(self):
        done = subprocess.run([sys.executable, "-c", TIMER, MODEL.parent, str(self.threads), str(SECONDS),
                               *map(str, self.sizes)], capture_output=True, text=True, check=True)
        return {int(size): ms for size, ms in json.loads(done.stdout.splitlines()[-1]).items()}

    def pyperf(self):
        return {size: self.pyperf_at(size) for size in self.sizes}

    def pyperf_at(self, size):
        script, out = self.scratch / "pyperf_bench.py", self.scratch / "pyperf.json"
        script.write_text(PYPERF)
        out.unlink(missing_ok=True)
        reported = {"PEERS_FOLDER": str(MODEL.parent), "PEERS_THREADS": str(self.threads), "PEERS_SIZE": str(size)}
        inherited = ",".join([*reported, "PYTHONPATH", "OMP_NUM_THREADS"])
        subprocess.run([sys.executable, script, "-o", out, "--quiet", f"--inherit-environ={inherited}"],
                       env={**os.environ, **reported}, check=True, capture_output=True)
        runs = json.loads(out.read_text())["benchmarks"][0]["runs"]
        return statistics.median(value for run in runs for value in run.get("values", ())) * 1e3


def head(bench, rounds):
    return [
        "# Held against other tools: a callable in Python", "",
        f"Made by `./dev peers python` on {processor()}, {bench.threads} thread{'s' if bench.threads > 1 else ''}, with "
        + versions("torch", "pyperf") + ".", "",
        "Every tool calls the same function, a forward pass of an eager module (benchmarks/eager.py), in processes that take "
        f"turns: {rounds} rounds, the order of the tools drawn anew in each. A figure is the geometric mean over rounds, with its "
        "95 % interval: of Timer the median over its blocks and of pyperf that over its values, each a mean over calls; of "
        "batchscope the mean iteration of a visit, which slow iterations make a little longer than the typical one. Ratio: the "
        "other tool's time over batchscope's, paired within rounds. It agrees where the ratio is within 3 % of 1, or 1 is within "
        "its interval; by chance alone one row in twenty is not.", ""]


PAIRS = [("batchscope", "Timer", "torch.utils.benchmark.Timer"), ("batchscope", "pyperf", "pyperf")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--batch-sizes", default="1,2,4,8,16,32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    sizes = [int(size) for size in options.batch_sizes.split(",")]
    bench = Bench(options.program, options.threads, sizes)
    tools = {"batchscope": bench.batchscope, "Timer": bench.timer, "pyperf": bench.pyperf}
    seen = measured(tools, sizes, options.rounds, random.Random(options.seed))
    text = "\n".join(head(bench, options.rounds) + table(PAIRS, seen)) + "\n"
    if options.output:
        options.output.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
