"""A training with everything that depends on chance: augmentation in workers, dropout, BatchNorm, AdamW, a schedule.

usage: trained.py FOLDER STEPS WORKERS [--start fork|spawn|forkserver] [--step SECONDS] [--every STEPS] [--size PIXELS]

Appends "STEP LOSS" of each step, the loss in hexadecimal, to FOLDER/losses.txt. Prints "step N" when each step begins, flushed,
and a digest of the weights at the end.
"""

import argparse
import hashlib
import itertools
import os
import pathlib
import random
import signal
import time

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import batchscope as bs
from batchscope.torch import SeededDataset, TrainingGuard

SAMPLES, BATCH = 96, 8

# The first optimizer of a process imports torch's compiler, for seconds; a server that forks processes has done so.
torch.optim.AdamW([nn.Parameter(torch.zeros(1))])


class Images(Dataset):
    """Noise of each of the three generators is added to each sample."""

    def __init__(self, size):
        generator = torch.Generator().manual_seed(1)
        self.x = torch.randn(SAMPLES, 3, size, size, generator=generator)
        self.y = torch.randint(0, 10, (SAMPLES,), generator=generator)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        noise = 0.1 * torch.randn(self.x[0].shape) + 0.1 * random.gauss(0, 1) + 0.1 * numpy.random.randn()
        return self.x[index] + noise.float(), self.y[index]


def network(size):
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2),
                         nn.Linear(8 * size * size, 10))


def send_at(number, place, count):
    """A signal to this process at the count-th call of os.fsync, of the loss, of the optimizer, or for a sample."""
    owner, name = {"fsync": (os, "fsync"), "loss": (nn.functional, "cross_entropy"), "update": (torch.optim.AdamW, "step"),
                   "load": (Images, "__getitem__")}[place]
    real, calls = getattr(owner, name), itertools.count(1)

    def called(*arguments, **keywords):
        result = real(*arguments, **keywords)
        if next(calls) == count:
            os.kill(os.getpid(), number)
        return result

    setattr(owner, name, called)


def train(folder, steps, workers, report, start="fork", step_s=0.0, every=5, size=8, uses_batches=True):
    """report(text): called within each step, and with a digest of the weights at the end."""
    torch.set_num_threads(1)
    torch.manual_seed(7)
    random.seed(7)
    numpy.random.seed(7)
    net = network(size)
    optimizer = torch.optim.AdamW(net.parameters(), 1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    sampler = bs.BatchSampler(SAMPLES, max_batch=BATCH)
    loader = DataLoader(SeededDataset(Images(size), seed=7), batch_sampler=sampler, num_workers=workers,
                        multiprocessing_context=start if workers else None)

    def loss_sum(batch):
        report(f"step {guard.steps}")
        time.sleep(step_s)
        return nn.functional.cross_entropy(net(batch[0]), batch[1], reduction="sum")

    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "losses.txt", "a", buffering=1) as losses, TrainingGuard(
            net, optimizer, folder / "checkpoints", scheduler=schedule, sampler=sampler, max_norm=1.0,
            checkpoint_every=every) as guard:
        guard.resume()
        while guard.steps < steps:
            for batch in guard.batches(loader) if uses_batches else loader:
                number = guard.steps
                loss = guard.step(batch, loss_sum)
                losses.write(f"{number} {loss.item().hex()}\n")
                if guard.steps == steps:
                    break
    digest = hashlib.sha256(b"".join(each.detach().numpy().tobytes() for each in net.parameters()))
    report(f"weights {digest.hexdigest()[:16]}")


def losses_of(folder):
    """{step: the losses that were seen of it}; the last line may be cut."""
    found = {}
    for line in (folder / "losses.txt").read_text().splitlines():
        words = line.split()
        if len(words) == 2 and "p" in words[1]:
            found.setdefault(int(words[0]), set()).add(words[1])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("steps", type=int)
    parser.add_argument("workers", type=int)
    parser.add_argument("--start", default="fork")
    parser.add_argument("--step", type=float, default=0.0)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--size", type=int, default=8)
    options = parser.parse_args()
    train(options.folder, options.steps, options.workers, lambda text: print(text, flush=True), options.start, options.step,
          options.every, options.size)


if __name__ == "__main__":
    main()
