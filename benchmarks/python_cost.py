#!/usr/bin/env python3
"""What measuring a callable in Python costs beside the callable: differences within one run, for docs/reference/benchmarks.md.

usage: python_cost.py   (with the package batchscope on PYTHONPATH)

Each round takes every side once, in random order; a line is the median over rounds of the difference, with its range.
"""

import random
import statistics
import subprocess
import sys
import time

from batchscope import _core
from batchscope._inside import host
from batchscope import range as named
from batchscope._models.factory import open_object

CALLS, ROUNDS = 200_000, 15
GOALS = {"loop": 150, "range": 250, "start": 60}


def nothing():
    pass


def in_range():
    with named("part"):
        pass


def plain(callable_):
    start = time.perf_counter_ns()
    for _ in range(CALLS):
        callable_()
    return (time.perf_counter_ns() - start) / CALLS


def looped():
    request = host.Request(model="nothing")
    model = host.Loaded(request, open_object(lambda: nothing, request))
    return sum(_core.time_iterations(model, 1, CALLS)) / CALLS


def recorded(work):
    from batchscope import Profiler

    with Profiler():
        return plain(work)


def started(words):
    start = time.perf_counter_ns()
    subprocess.run([sys.executable, *words], check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return (time.perf_counter_ns() - start) / 1e6


SIDES = {
    "loop": (looped, lambda: plain(nothing)),
    "range": (lambda: recorded(in_range), lambda: plain(nothing)),
    "start": (lambda: started(["-c", "from batchscope import _core; from batchscope._inside import host"]), lambda: 0.0),
}
WORDS = {
    "loop": ("an iteration of the worker's loop around `f`, beyond `for _ in it: f()`", "ns"),
    "range": ("`with bs.range(name)` while it is recorded", "ns"),
    "start": ("an interpreter with what a visit needs before the user's imports", "ms"),
}


def differences(side, order):
    made = []
    for _ in range(ROUNDS):
        took = {}
        for which in order.sample((0, 1), 2):
            took[which] = SIDES[side][which]()
        made.append(took[0] - took[1])
    return made


def main():
    order = random.Random(1)
    print("## Around a callable in Python\n")
    print(f"Differences within one run of {ROUNDS} rounds; median, and the range over rounds.\n")
    print("| in Python | costs | range over rounds | goal | kept |")
    print("|---|---:|---:|---:|---|")
    for side, (words, unit) in WORDS.items():
        made = sorted(differences(side, order))
        cost = statistics.median(made)
        kept = "yes" if cost <= GOALS[side] else "no"
        print(f"| {words} | {cost:.0f} {unit} | {made[0]:.0f} to {made[-1]:.0f} | {GOALS[side]} {unit} | {kept} |", flush=True)


if __name__ == "__main__":
    main()
