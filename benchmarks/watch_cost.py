#!/usr/bin/env python3
"""What watching adds to a step of a training loop, for docs/reference/training-cost.md: differences within one run.

usage: watch_cost.py   (with the package batchscope on PYTHONPATH)
"""

import itertools
import random
import time

import torch
from torch import nn

from batchscope.torch import watch
from guard_cost import BLOCKS, BLOCK_S, blocks, fastest, interval, many

STEP_MS, GOAL_PERCENT, IDLE_S = 10, 1, 3


def loop(batches, net, optimizer):
    """A step of a plain loop over an iterator."""

    def step():
        x, y = next(batches)
        optimizer.zero_grad(set_to_none=True)
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()

    return step


def loops():
    """(a step by hand, a watched one, its monitor) of two models that are alike."""
    data = [(torch.randn(32, 16), torch.randn(32, 1))]
    nets = many(), many()
    optimizers = [torch.optim.AdamW(each.parameters(), 1e-3) for each in nets]
    watched = watch(itertools.cycle(data), nets[1], optimizers[1], quiet=True)
    return loop(itertools.cycle(data), nets[0], optimizers[0]), loop(iter(watched), nets[1], optimizers[1]), watched.monitor


def thread_share():
    """Of a processor, that the monitor's own thread takes beside a loop that is idle."""
    begun, wall = time.process_time() - time.thread_time(), time.monotonic()
    time.sleep(IDLE_S)
    return (time.process_time() - time.thread_time() - begun) / (time.monotonic() - wall)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    order = random.Random(1)
    by_hand, step, monitor = loops()
    hand, watched = blocks(by_hand, step, order)
    low, high = interval(hand, watched, order)
    goal = STEP_MS * 1e3 * GOAL_PERCENT / 100
    kept = "yes" if high <= goal else "no" if low > goal else "undecided"
    print("## watch() around a step\n")
    print(f"Processor time as above, {BLOCKS} pairs of blocks of {BLOCK_S * 1e3:.0f} ms. The goal is {GOAL_PERCENT} % of a step of {STEP_MS} ms.\n")
    print("| what | by hand | watching adds | 95 % interval | goal | kept |")
    print("|---|---:|---:|---:|---:|---|")
    print(f"| 20 linear layers: load, forward, backward and optimizer marked, the step reported | {fastest(hand):.0f} us | "
          f"{fastest(watched) - fastest(hand):.1f} us | {low:.1f} to {high:.1f} | {goal:.0f} us | {kept} |")
    print(f"\nThe monitor's own thread takes {100 * thread_share():.2f} % of a processor beside.")
    monitor.close()


if __name__ == "__main__":
    main()
