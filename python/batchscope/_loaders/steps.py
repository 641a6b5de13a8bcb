"""Synthetic steps of a training loop: of a length that is asked for, on a device or on the CPU."""

import time

import torch

_SIDE = 192  # of the matrices that are multiplied: some 0.1 ms
_TRIES = 40


class Sleeps:
    """As a loop that waits for a device: the CPU is left to others."""

    def __init__(self, seconds):
        self.seconds = seconds

    def scaled(self, factor):
        return Sleeps(self.seconds * factor)

    def __call__(self, batch):
        time.sleep(self.seconds)


class Computes:
    """Products of matrices on the threads that torch has, as many as take so long where nothing else runs."""

    def __init__(self, seconds, of_one=None):
        self.seconds, self.matrix = seconds, torch.ones(_SIDE, _SIDE)
        self.of_one = of_one or self._of_one()
        self.times = max(1, round(seconds / self.of_one))

    def _of_one(self):
        """The least of many: what others do to the rest is none of its length."""
        taken = []
        for _ in range(_TRIES):
            begun = time.perf_counter()
            torch.mm(self.matrix, self.matrix)
            taken.append(time.perf_counter() - begun)
        return min(taken)

    def scaled(self, factor):
        return Computes(self.seconds * factor, self.of_one)

    def __call__(self, batch):
        for _ in range(self.times):
            torch.mm(self.matrix, self.matrix)


def synthetic_step(computes, seconds):
    return Computes(seconds) if computes else Sleeps(seconds)
