"""bs.BatchSampler behind torch's own DataLoader."""

import collections
import multiprocessing
import os
import random

import pytest

import native  # noqa: F401 - skips without the extension module

import batchscope as bs

data = pytest.importorskip("torch.utils.data")

LENGTHS = [1 + (i * 37) % 60 for i in range(300)]
ONCE = dict.fromkeys(range(300), 1)


class Samples(data.Dataset):
    """A sample is its index; `before`: called in the worker with the batch."""

    def __init__(self, before=None):
        self.before = before

    def __len__(self):
        return len(LENGTHS)

    def __getitems__(self, batch):
        if self.before:
            self.before(batch)
        return batch


def unchanged(samples):
    return samples


def loader(sampler, workers, prefetch=None, **options):
    return data.DataLoader(Samples(options.pop("before", None)), batch_sampler=sampler, num_workers=workers, collate_fn=unchanged,
                           prefetch_factor=prefetch, **options)


def one_ahead(batches):
    """accelerate's DataLoaderShard."""
    held = None
    for batch in batches:
        if held is not None:
            yield held
        held = batch
    yield held


def train(sampler, batches, times, stop_at=None):
    for batch in batches:
        times.update(batch)
        sampler.trained(batch)
        if sampler.position == stop_at:
            return


@pytest.mark.filterwarnings("ignore:This DataLoader:UserWarning")
@pytest.mark.parametrize("workers, prefetch", [(0, None), (1, 1), (1, 8), (2, 2), (3, 1), (4, 4)])
@pytest.mark.parametrize("ahead", [iter, one_ahead])
@pytest.mark.parametrize("ranks", [1, 3])
def test_each_sample_is_trained_once(workers, prefetch, ahead, ranks):
    """Two epochs; each is stopped once and resumed with as many workers as no loader had before."""
    times, draw = collections.Counter(), random.Random(workers)
    for rank in range(ranks):
        options = {"max_tokens": 300, "world_size": ranks, "rank": rank}
        sampler = bs.BatchSampler(LENGTHS, **options)
        train(sampler, ahead(loader(sampler, workers, prefetch)), times, stop_at=draw.randrange(1, len(sampler)))
        resumed = bs.BatchSampler(LENGTHS, **options)
        resumed.load_state_dict(sampler.state_dict())
        train(resumed, ahead(loader(resumed, 0)), times)
        assert resumed.position == len(resumed)
    assert times == ONCE


@pytest.mark.parametrize("workers", [0, 2])
def test_epochs_are_the_same_with_any_number_of_workers(workers):
    """A DataLoader with workers makes two iterators of its sampler, and uses one."""
    sampler = bs.BatchSampler(LENGTHS, max_tokens=300)
    batches = loader(sampler, workers)
    assert [[batch.epoch for batch in batches][0] for _ in range(3)] == [0, 1, 2]


def test_a_worker_that_dies_loses_nothing():
    sampler, times, alive = bs.BatchSampler(LENGTHS, max_tokens=300), collections.Counter(), multiprocessing.Event()

    def die(batch):
        if batch.number == 7 and not alive.is_set():
            alive.set()
            os._exit(1)

    with pytest.raises(RuntimeError, match="worker"):
        train(sampler, loader(sampler, 2, before=die), times)
    assert 0 < sampler.position < len(sampler)
    train(sampler, loader(sampler, 2, before=die), times)
    assert times == ONCE


def test_batches_that_come_out_of_order_are_counted_by_their_number():
    sampler, times, numbers = bs.BatchSampler(LENGTHS, max_tokens=300), collections.Counter(), []
    has_come = multiprocessing.Event()

    def wait(batch):
        if batch.number == 0:
            has_come.wait(60)

    for batch in loader(sampler, 2, before=wait, in_order=False):
        numbers.append(batch.number)
        times.update(batch)
        sampler.trained(batch)
        if len(numbers) == 2:
            break
        assert numbers == [1] and sampler.state_dict()["ahead"] == [1]
        has_come.set()
    resumed = bs.BatchSampler(LENGTHS, max_tokens=300)
    resumed.load_state_dict(sampler.state_dict())
    train(resumed, loader(resumed, 2), times)
    assert times == ONCE
