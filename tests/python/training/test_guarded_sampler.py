"""TrainingGuard with bs.BatchSampler behind a loader with workers: each sample once an epoch, limits, epochs, restarts."""

import collections

import native  # noqa: F401 - the guard needs the native module
import pytest

torch = pytest.importorskip("torch")

import guarded  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

import batchscope as bs  # noqa: E402

LENGTHS = [1 + index * 7 % 13 for index in range(120)]
FITS = 40  # padded tokens
pytestmark = pytest.mark.filterwarnings("ignore:out of memory")


class Padded(torch.utils.data.Dataset):
    def __len__(self):
        return len(LENGTHS)

    def __getitem__(self, index):
        return index


def pad(indices):
    longest = max(LENGTHS[index] for index in indices)
    return {"index": torch.tensor(indices), "x": torch.ones(len(indices), longest)}


def training(made, workers=2, **keywords):
    """(guard, sampler, one epoch of it, how often each sample was trained)."""
    net, sampler = torch.nn.Linear(1, 1), bs.BatchSampler(LENGTHS, max_tokens=64)
    guard = made(net, torch.optim.SGD(net.parameters(), 1e-3), sampler=sampler, **keywords)
    loader, trained, pending = DataLoader(Padded(), batch_sampler=sampler, collate_fn=pad, num_workers=workers), collections.Counter(), []

    def loss_sum(batch):
        if batch["x"].numel() > FITS:
            raise torch.OutOfMemoryError(guarded.OUT_OF_MEMORY)
        pending.extend(batch["index"].tolist())
        return net(batch["x"].reshape(-1, 1)).sum()

    def epoch(steps=None):
        for count, batch in enumerate(guard.batches(loader), start=1):
            pending.clear()
            guard.step(batch, loss_sum, batch["x"].numel())
            assert sorted(pending[-len(batch["index"]):]) == sorted(batch["index"].tolist())
            trained.update(batch["index"].tolist())
            if count == steps:
                break

    return guard, sampler, epoch, trained


def test_each_sample_is_trained_once_and_the_sampler_learns_what_fits(made):
    guard, sampler, epoch, trained = training(made)
    epoch()
    assert guard.epoch == 1 and guard.steps == len(sampler) == sampler.position
    assert set(trained.values()) == {1} and len(trained) == len(LENGTHS)
    assert guard.out_of_memory > 0 and sampler.limit <= FITS
    before = guard.out_of_memory
    epoch()
    assert guard.epoch == 2 and set(trained.values()) == {2}
    assert guard.out_of_memory == before


@pytest.mark.parametrize("steps", [3, None])
def test_after_a_restart_it_goes_on_with_what_was_not_trained(made, steps):
    guard, sampler, epoch, trained = training(made)
    epoch(steps)
    guard.save()
    limit = sampler.limit
    guard.close()
    guard, sampler, epoch, again = training(made, workers=0)
    guard.resume()
    assert sampler.limit == limit and guard.epoch == (steps is None)
    epoch()
    assert set((trained + again).values()) == ({1} if steps else {2})
    assert guard.out_of_memory <= 2
