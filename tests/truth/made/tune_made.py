"""Tunes on this machine and holds the pick against the best of an exhaustive sweep made before.

usage: tune_made.py PROGRAM [MODEL [ARGUMENTS OF TUNE AND PROFILE...]]   prints a section of docs/reference/truth.md

BATCHSCOPE_SWEEP=FILE: the run file of the sweep; where it exists it is taken instead of measuring, else it is kept there.

First every point of tune's default grid is measured by `profile`, in random blocks. Then `tune` gets five minutes. Then
the pick and the best of the sweep are measured once more, in blocks of their own: twelve to begin with, from which the
number follows that an interval of 1.5 % either way needs; those are measured anew. The share of the best is told from these
alone, so that neither search nor sweep profits from luck. Nothing else may run on the machine meanwhile.
"""

import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUDGET_S = 300
SWEEP_BLOCKS = 3
PILOT_BLOCKS = 12
MOST_BLOCKS = 60
HALF_WIDTH = 0.015  # ln units
# Of Student's t, two-sided 95 %, for 11, 19, 29, 39, 59 and more degrees of freedom.
CRITICAL = [(11, 2.201), (19, 2.093), (29, 2.045), (39, 2.023), (59, 2.001)]


def critical(freedom):
    return next((value for most, value in reversed(CRITICAL) if freedom >= most), 2.571)


class Run:
    """The visits of a run file: seconds of a batch, by configuration and block."""

    def __init__(self, path):
        lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
        self.configs = [line for line in lines if line["type"] == "config"]
        self.visits = [line for line in lines if line["type"] == "visit"]

    def seconds(self, index, purpose="measure"):
        """The median of each visit's timed iterations, by block."""
        return {visit["block"]: statistics.median(visit["samples_ns"]) * 1e-9 for visit in self.visits
                if visit["config"] == index and visit["purpose"] == purpose}

    def rate(self, index):
        """Samples a second of all instances; the geometric mean of the visits."""
        times = self.seconds(index).values()
        return samples(self.configs[index]) / math.exp(statistics.fmean(map(math.log, times))) if times else 0.0


def setting(config):
    return config["batch_size"], config.get("instances", 1), config["threads"], config["precision"]


def samples(config):
    return config["batch_size"] * config.get("instances", 1)


def words(config):
    size, instances, threads, precision = setting(config)
    return f"batch {size}, {instances} instance{'s' if instances > 1 else ''} of {threads} thread{'s' if threads > 1 else ''}, {precision}"


class Bench:
    def __init__(self, program, model, arguments, folder):
        self.program, self.model, self.arguments, self.folder = program, model, arguments, folder

    def call(self, verb, name, *arguments):
        """Runs a verb that writes a run file; the run, what it printed, and its wall time."""
        path = self.folder / f"{name}.jsonl"
        start = time.monotonic()
        done = subprocess.run([self.program, verb, "-m", self.model, *arguments, "-q", "-o", path], check=True,
                              stdout=subprocess.PIPE, text=True)
        return Run(path), done.stdout, time.monotonic() - start

    def axes(self, run):
        """The flags that make every configuration of a tuning run."""
        configs = run.configs
        sizes = sorted({config["batch_size"] for config in configs})
        instances = sorted({config.get("instances", 1) for config in configs})
        return ["-b", ",".join(map(str, sizes)), "--instances", ",".join(map(str, instances))]

    def grid(self):
        """The axes that tune searches by default, from a search of one point."""
        run, _, _ = self.call("tune", "grid", *self.arguments, "--points", "1", "--verify-blocks", "0", "--budget", "20s")
        return self.axes(run), len(run.configs)

    def sweep(self, axes):
        """Every point of the grid, measured by profile."""
        kept = os.environ.get("BATCHSCOPE_SWEEP")
        if kept and Path(kept).exists():
            return Run(kept)
        run, _, _ = self.call("profile", "sweep", *self.arguments, *axes, "--blocks", str(SWEEP_BLOCKS), "--verify", "off",
                              "--budget", "2h")
        if kept:
            shutil.copy(self.folder / "sweep.jsonl", kept)
        return run

    def pair(self, name, configs, blocks):
        """ln of the rate of the first over that of the second, by block."""
        sizes = ",".join(sorted({str(config["batch_size"]) for config in configs}, key=int))
        instances = ",".join(sorted({str(config.get("instances", 1)) for config in configs}, key=int))
        run, _, _ = self.call("profile", name, *self.arguments, "-b", sizes, "--instances", instances, "--blocks", str(blocks),
                              "--verify", "off")
        index = [next(i for i, each in enumerate(run.configs) if setting(each) == setting(config)) for config in configs]
        first, second = (run.seconds(i) for i in index)
        gain = math.log(samples(configs[0]) / samples(configs[1]))
        return [gain - math.log(first[block] / second[block]) for block in sorted(first.keys() & second.keys())]


def half_width(logs):
    return critical(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))


def compare(bench, pick, best):
    """The pick's share of the best's rate, in words."""
    if setting(pick) == setting(best):
        return "the same setting: 100 %", True
    pilot = bench.pair("pilot", (pick, best), PILOT_BLOCKS)
    needed = math.ceil((2.1 * statistics.stdev(pilot) / HALF_WIDTH) ** 2)
    blocks = min(max(needed, PILOT_BLOCKS), MOST_BLOCKS)
    logs = bench.pair("fresh", (pick, best), blocks)
    mean, half = statistics.fmean(logs), half_width(logs)
    low, mid, high = (100 * math.exp(mean + step) for step in (-half, 0, half))
    return f"{mid:.1f} % [{low:.1f}, {high:.1f}] in {len(logs)} blocks", mid >= 98


def table(bench):
    axes, points = bench.grid()
    sweep = bench.sweep(axes)
    sweep_s = sum(visit["wall_ns"] for visit in sweep.visits) * 1e-9
    best = max(range(len(sweep.configs)), key=sweep.rate)
    tuned, out, tune_s = bench.call("tune", "tune", *bench.arguments, "--budget", f"{BUDGET_S}s", "--format", "json")
    found = json.loads(out)["recommendation"]
    pick = next(each for each in tuned.configs
                if setting(each) == (found["batch_size"], found["instances"], found["threads"], found["precision"]))
    share, good = compare(bench, pick, sweep.configs[best])
    return [
        f"| grid | {points} points: {' '.join(axes)} |",
        f"| sweep | {SWEEP_BLOCKS} visits of each, {sweep_s:.0f} s: best is {words(sweep.configs[best])}, {sweep.rate(best):.1f} samples/s |",
        f"| tune | {found['points_measured']} points, {tune_s:.0f} s: {words(pick)}, {found['throughput_per_s']:.1f} samples/s, "
        f"{'verified' if found['verified'] else 'not verified'} |",
        f"| pick against best, afterwards | {share} |",
        f"| at least 98 %, within {BUDGET_S // 60} minutes | {'yes' if good and tune_s <= BUDGET_S else 'no'} |",
    ]


def main():
    program, model, arguments = sys.argv[1], (sys.argv[2:3] or ["distilbert"])[0], sys.argv[3:]
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    print(f"\n## Tuning {model} on a real machine\n")
    print(f"{cpu}, {os.cpu_count()} processors, Linux {platform.release().split('-')[0]}"
          f"{'; ' + ' '.join(arguments) if arguments else ''}. The sweep was made before, the comparison\n"
          "afterwards, in blocks of its own. Written by `./dev truth`.\n")
    print("| | |\n|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        print("\n".join(table(Bench(program, model, arguments, Path(name)))), flush=True)


if __name__ == "__main__":
    main()
