#!/usr/bin/env python3
"""What TrainingGuard costs beside the same loop by hand, for docs/reference/training-cost.md: differences within one run.

usage: guard_cost.py   (with the package batchscope on PYTHONPATH)

Both loops divide the loss, clip, step and clear; blocks of either come in random order, by the processor time of their thread.
"""

import random
import tempfile
import time

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from batchscope.torch import TrainingGuard

BLOCKS, BLOCK_S, FASTEST, GOAL_US = 500, 0.004, 0.1, 20
READS = ("aten::_local_scalar_dense", "aten::equal", "aten::is_nonzero")


class Reads(TorchDispatchMode):
    """Counts numbers that are read from a tensor, each of which waits for a device."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        self.count += function.overloadpacket._qualified_op_name in READS
        return function(*arguments, **(keywords or {}))


def small():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))


def normalized():
    return nn.Sequential(*(layer for _ in range(20) for layer in (nn.Linear(16, 16), nn.BatchNorm1d(16))), nn.Linear(16, 1))


def many():
    return nn.Sequential(*(nn.Linear(16, 16) for _ in range(19)), nn.Linear(16, 1))


def loops(make, folder, **keywords):
    """(a step by hand, a guarded one) of two models that are alike."""
    x, y = torch.randn(32, 16), torch.randn(32, 1)
    by_hand, guarded = make(), make()
    optimizer = torch.optim.AdamW(by_hand.parameters(), 1e-3, **keywords)

    def hand():
        loss = (by_hand(x) - y).pow(2).sum() / len(x)
        loss.backward()
        nn.utils.clip_grad_norm_(by_hand.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    guard = TrainingGuard(guarded, torch.optim.AdamW(guarded.parameters(), 1e-3, **keywords), folder, max_norm=1.0,
                          checkpoint_every=10**9, signals=())
    return hand, lambda: guard.step((x, y), lambda part: (guarded(part[0]) - part[1]).pow(2).sum(), len(x))


def cost_us(step, count):
    start = time.thread_time_ns()
    for _ in range(count):
        step()
    return (time.thread_time_ns() - start) / count / 1e3


def blocks(hand, guarded, order):
    """Costs of blocks of either loop, in pairs of random order."""
    cost_us(guarded, 100)
    count = max(3, int(BLOCK_S * 1e6 / cost_us(hand, 100)))
    made = {hand: [], guarded: []}
    for _ in range(BLOCKS):
        for step in order.sample((hand, guarded), 2):
            made[step].append(cost_us(step, count))
    return made[hand], made[guarded]


def fastest(values):
    return sorted(values)[int(len(values) * FASTEST)]


def interval(by_hand, guarded, order):
    """Of the difference, 95 %, by resampling."""
    found = sorted(fastest(order.choices(guarded, k=BLOCKS)) - fastest(order.choices(by_hand, k=BLOCKS)) for _ in range(1000))
    return found[25], found[-25]


def reads(step):
    with Reads() as found:
        step()
    return found.count


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    order = random.Random(1)
    print("## TrainingGuard around a step\n")
    print(f"Processor time of {BLOCKS} pairs of blocks, {BLOCK_S * 1e3:.0f} ms each, in random order: the fastest tenth of each, which others "
          "disturb least, and the 95 % interval of the difference. What a failed attempt would change in BatchNorm is copied before each "
          "step.\n")
    print("| model | by hand | the guard adds | 95 % interval | goal | kept |")
    print("|---|---:|---:|---:|---:|---|")
    for name, make in (("2 linear layers, 4 parameters", small), ("20 linear layers, 40 parameters", many),
                       ("20 layers with BatchNorm, 60 buffers", normalized)):
        with tempfile.TemporaryDirectory() as folder:
            by_hand, guarded = blocks(*loops(make, folder), order)
        low, high = interval(by_hand, guarded, order)
        kept = "yes" if high <= GOAL_US else "no" if low > GOAL_US else "undecided"
        print(f"| {name} | {fastest(by_hand):.0f} us | {fastest(guarded) - fastest(by_hand):.1f} us | {low:.1f} to {high:.1f} | {GOAL_US} us | "
              f"{kept} |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        hand, guarded = loops(small, folder)
        print(f"\nNumbers that a step reads from a tensor, where a GPU would be waited for: {reads(hand)} by hand, {reads(guarded)} guarded, "
              "the last of which is the norm. On a GPU, with a fused optimizer and no schedule, that is not read: the optimizer's kernel "
              "skips.")


if __name__ == "__main__":
    main()
