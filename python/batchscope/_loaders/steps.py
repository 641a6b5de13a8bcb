"""Synthetic steps of a training loop: of a length that is asked for, on a device or on the CPU."""

import time

import torch

_SIDES = (768, 512, 384, 256, 192, 128)  # of the matrices that are multiplied
_FEWEST = 20  # products of a step: of so many the last one that is cut off is little
_TRIES = 15


class Sleeps:
    """As a loop that waits for a device: the CPU is left to others."""

    def __init__(self, seconds):
        self.seconds = seconds

    def scaled(self, factor):
        return Sleeps(self.seconds * factor)

    def __call__(self, batch):
        time.sleep(self.seconds)


def _time_of_one(matrix):
    """The least of many: what others do to the rest is none of its length."""
    taken = []
    for _ in range(_TRIES):
        begun = time.perf_counter()
        torch.mm(matrix, matrix)
        taken.append(time.perf_counter() - begun)
    return min(taken)


class Computes:
    """Products of matrices on the threads that torch has, as large as a step may have and as many as take so long where
    nothing else runs. Small ones would wait for each other's threads far more than a network does."""

    def __init__(self, seconds, matrix=None, of_one=None):
        self.seconds, self.matrix, self.of_one = seconds, matrix, of_one
        for side in _SIDES if matrix is None else ():
            self.matrix = torch.ones(side, side)
            self.of_one = _time_of_one(self.matrix)
            if self.of_one * _FEWEST <= seconds:
                break
        self.times = max(1, round(seconds / self.of_one))

    def scaled(self, factor):
        return Computes(self.seconds * factor, self.matrix, self.of_one)

    def __call__(self, batch):
        for _ in range(self.times):
            torch.mm(self.matrix, self.matrix)


def synthetic_step(computes, seconds):
    return Computes(seconds) if computes else Sleeps(seconds)
