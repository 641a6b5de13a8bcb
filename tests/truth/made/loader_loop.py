"""A plain loop over a DataLoader, as a user writes it: what loaders_made.py holds profiles against.

usage: loader_loop.py SET WORKERS PREFETCH STEP SECONDS   STEP: "step:20ms", "step:cpu:20ms"; prints ms an iteration
"""

import sys
import time

import loader_sets
import torch
from batchscope._loaders.lengths import parsed
from batchscope._loaders.steps import synthetic_step
from torch.utils.data import DataLoader


def batches_of(loader):
    while True:
        yield from loader


def main():
    name, workers, prefetch, length, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
    torch.set_num_threads(1)
    step = synthetic_step(*parsed(length))
    made = getattr(loader_sets, name)()
    keywords = made if isinstance(made, dict) else {"dataset": made}
    loader = DataLoader(**keywords, batch_size=loader_sets.BATCH[name], shuffle=True, num_workers=workers, drop_last=True,
                        prefetch_factor=prefetch if workers else None, persistent_workers=workers > 0)
    batches = batches_of(loader)
    for _ in range(max(4, 3 * workers * prefetch)):
        step(next(batches))
    count, begun = 0, time.perf_counter()
    while count < 10 or count % max(1, workers) or time.perf_counter() - begun < seconds:
        step(next(batches))
        count += 1
    print((time.perf_counter() - begun) / count * 1e3)


if __name__ == "__main__":
    main()
