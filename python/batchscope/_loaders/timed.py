"""A data set and a collate function that say how long they took: what runs in the workers of a measured loader.

Each batch comes as (batch, Row)."""

import time
import traceback
from typing import NamedTuple

import torch
from torch.utils.data import Dataset, IterableDataset, Sampler


class Row(NamedTuple):
    """Seconds of one batch: wall of fetching and of collating, CPU of both (of the thread that did it)."""

    fetch: float
    collate: float
    cpu: float


class InWorker(RuntimeError):
    """What the user's code raised while a batch was made; it has to cross a process."""


def _failed(what, raised):
    frames = traceback.extract_tb(raised.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    words = str(raised).split("\n", 1)[0]
    return InWorker(f"{what} raised {type(raised).__name__}: {words}{place}")


class TimedMap(Dataset):
    def __init__(self, dataset):
        self.dataset = dataset

    def __len__(self):
        return len(self.dataset)

    def __getitems__(self, indices):
        begun, cpu = time.perf_counter(), time.thread_time()
        try:
            if hasattr(self.dataset, "__getitems__"):
                samples = self.dataset.__getitems__(indices)
            else:
                samples = [self.dataset[each] for each in indices]
        except Exception as raised:
            raise _failed("the data set", raised) from None
        return samples, time.perf_counter() - begun, time.thread_time() - cpu


class TimedStream(IterableDataset):
    """Begins anew where it ends: an epoch's end is measured by itself."""

    def __init__(self, dataset):
        self.dataset = dataset

    def __iter__(self):
        while True:
            any_sample, samples = False, iter(self.dataset)
            while True:
                begun, cpu = time.perf_counter(), time.thread_time()
                try:
                    sample = next(samples)
                except StopIteration:
                    break
                except Exception as raised:
                    raise _failed("the data set", raised) from None
                any_sample = True
                yield sample, time.perf_counter() - begun, time.thread_time() - cpu
            if not any_sample:
                return


class TimedCollate:
    def __init__(self, collate, streams):
        self.collate, self.streams = collate, streams

    def __call__(self, fetched):
        if self.streams:
            samples = [sample for sample, _, _ in fetched]
            fetch, cpu = sum(each[1] for each in fetched), sum(each[2] for each in fetched)
        else:
            samples, fetch, cpu = fetched
        begun, cpu_before = time.perf_counter(), time.thread_time()
        try:
            batch = self.collate(samples)
        except Exception as raised:
            raise _failed("collate_fn", raised) from None
        return batch, Row(fetch, time.perf_counter() - begun, cpu + time.thread_time() - cpu_before)


class Endless(Sampler):
    """One epoch after the other, so that a batch is never cut short by an end."""

    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        any_index = True
        while any_index:
            any_index = False
            for each in self.sampler:
                any_index = True
                yield each


def each_tensor(batch):
    """Of a batch of lists, tuples and dicts."""
    if isinstance(batch, torch.Tensor):
        yield batch
    elif isinstance(batch, dict):
        for each in batch.values():
            yield from each_tensor(each)
    elif isinstance(batch, (list, tuple)):
        for each in batch:
            yield from each_tensor(each)


def moved(batch, device, non_blocking):
    """The same with every tensor on the device."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device, non_blocking=non_blocking)
    if isinstance(batch, dict):
        return {name: moved(each, device, non_blocking) for name, each in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [moved(each, device, non_blocking) for each in batch]
    return batch
