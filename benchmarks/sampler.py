#!/usr/bin/env python3
"""How fast bs.BatchSampler hands out batches, and how much they pad: ratios within one run.

usage: sampler.py   (with the package batchscope on PYTHONPATH)

Lengths are lognormal (median 55 tokens, sigma 0.7), budgets those of about 110 samples a batch.
"""

import random
import statistics
import sys
import time

import batchscope as bs

SAMPLES, ROUNDS, BUDGET = 1_000_000, 7, 8192


def lengths_of(samples):
    draw = random.Random(0)
    return [max(4, int(draw.lognormvariate(4, 0.7))) for _ in range(samples)]


def rate_of(work):
    """Samples a second, in millions."""
    start = time.perf_counter()
    work()
    return SAMPLES / (time.perf_counter() - start) / 1e6


def padding_of(batches, lengths):
    real = computed = 0
    for batch in batches:
        own = [lengths[i] for i in batch]
        real += sum(own)
        computed += max(own) * len(own)
    return 1 - real / computed


def shuffled_in_fixed_batches(samples, size):
    """The least that any sampler of Python does: torch's RandomSampler and BatchSampler, as fast as can be."""
    order = list(range(samples))
    random.Random(1).shuffle(order)
    return [order[i:i + size] for i in range(0, samples, size)]


def main():
    lengths = lengths_of(SAMPLES)
    sampler = bs.BatchSampler(lengths, max_tokens=BUDGET)
    size = round(SAMPLES / len(sampler))
    sides = {"ours": lambda: sum(map(len, sampler)), "shuffled": lambda: shuffled_in_fixed_batches(SAMPLES, size)}
    rates = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side in random.sample(list(sides), 2):
            rates[side].append(rate_of(sides[side]))
    ratios = sorted(ours / other for ours, other in zip(rates["ours"], rates["shuffled"]))
    print(f"## The sampler\n\n{SAMPLES:,} lognormal lengths, {SAMPLES / len(sampler):.0f} samples a batch, {ROUNDS} rounds.\n")
    print("| what | figure | goal |\n|---|---:|---:|")
    print(f"| epochs into Python lists, M samples/s | {statistics.median(rates['ours']):.1f} (least {min(rates['ours']):.1f}) | 3 |")
    print(f"| beside a shuffled list cut by slices | {statistics.median(ratios):.1f} times as fast ({ratios[0]:.1f} to {ratios[-1]:.1f}) | |")
    print(f"| padding | {padding_of(sampler, lengths):.1%} | 3 % |")
    for window in (16, 256):
        other = bs.BatchSampler(lengths, max_tokens=BUDGET, window=window)
        print(f"| padding, window {window} ({SAMPLES / len(other):.0f} samples a batch) | {padding_of(other, lengths):.1%} | |")
    print(f"| padding of batches of {size} at random | "
          f"{padding_of(shuffled_in_fixed_batches(SAMPLES, size), lengths):.1%} | |")
    try:
        from transformers.trainer_pt_utils import get_length_grouped_indices
    except ImportError:
        print("\nWithout transformers: its group_by_length is not compared.", file=sys.stderr)
        return
    grouped = []
    rate = rate_of(lambda: grouped.extend(get_length_grouped_indices(lengths, size)))
    padding = padding_of([grouped[i:i + size] for i in range(0, SAMPLES, size)], lengths)
    print(f"| group_by_length of transformers: padding; M samples/s | {padding:.1%}; {rate:.1f} | |")


if __name__ == "__main__":
    main()
