"""Scenes of two ranks for test_ranks.py: each takes (rank, folder) and returns what it found, in plain types."""

import os
import pathlib
import signal

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

import guarded
from batchscope.torch import TrainingGuard

STEPS = 3


def net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))


def batches():
    generator = torch.Generator().manual_seed(5)
    return [torch.randn(12, 8, generator=generator) for _ in range(STEPS)]


def share(rank, batch):
    """Uneven: 7 and 5."""
    return batch[:7] if rank == 0 else batch[7:]


def by_hand():
    alone = net()
    optimizer = torch.optim.SGD(alone.parameters(), 0.1)
    for batch in batches():
        (alone(batch).pow(2).sum() / len(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()
    return guarded.weights(alone).tolist()


def guard_of(model, folder, **keywords):
    return TrainingGuard(model, torch.optim.SGD(model.parameters(), 0.1), folder / "checkpoints", **keywords)


def one_rank_fails(rank, folder):
    model = DistributedDataParallel(net())
    guard = guard_of(model, folder)
    for step, batch in enumerate(batches()):
        def loss_sum(part, limit=3 if (rank, step) == (1, 1) else 99):
            if len(part) > limit:
                raise torch.OutOfMemoryError(guarded.OUT_OF_MEMORY)
            return model(part).pow(2).sum()

        guard.step(share(rank, batch), loss_sum)
    return {"weights": guarded.weights(model).tolist(), "failures": guard.out_of_memory}


class Odd(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.used = nn.BatchNorm1d(8), nn.Linear(8, 1)
        self.unused, self.of_one_rank = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))


def buffers_and_unused(rank, folder):
    torch.manual_seed(0)
    model = Odd()
    model.forward = lambda x: model.used(model.norm(x)) * (model.of_one_rank if rank else 1)
    wrapped = DistributedDataParallel(model)
    guard = TrainingGuard(wrapped, torch.optim.SGD(wrapped.parameters(), 0.1, weight_decay=0.1), folder / "checkpoints")
    for batch in batches():
        guard.step(share(rank, batch), lambda part: wrapped(part).pow(2).sum())
    return {"weights": guarded.weights(model).tolist(), "mean": model.norm.running_mean.tolist(),
            "batches": int(model.norm.num_batches_tracked), "unused": model.unused.tolist()}


def one_rank_raises(rank, folder):
    model = DistributedDataParallel(net())
    guard = guard_of(model, folder)

    def loss_sum(part):
        if rank == 1:
            raise ValueError("of this rank")
        return model(part).sum()

    guard.step(batches()[0], loss_sum)


def stepping(rank, folder, signal_at=None):
    model = DistributedDataParallel(net())
    guard = guard_of(model, folder)
    guard.resume()
    for batch in batches()[guard.steps:]:
        def loss_sum(part):
            if rank == 1 and guard.steps == signal_at:
                os.kill(os.getpid(), signal.SIGUSR1)
            return model(part).pow(2).sum()

        guard.step(share(rank, batch), loss_sum)
    return {"weights": guarded.weights(model).tolist(), "steps": guard.steps}


def one_rank_is_signalled(rank, folder):
    return stepping(rank, folder, signal_at=1)


def goes_on(rank, folder):
    return stepping(rank, folder)


class Sampler:
    def __init__(self, lengths):
        self.lengths = lengths

    def fingerprint(self):
        return sum(self.lengths)

    trained = state_dict = load_state_dict = None


def other_data(rank, folder):
    guard = guard_of(DistributedDataParallel(net()), folder, sampler=Sampler([1, 2 + rank]))
    next(guard.batches([batches()[0]]))


def refused(rank, folder):
    from torch.distributed.fsdp import fully_shard

    found = {}
    sharded = net()
    fully_shard(sharded, mesh=distributed.init_device_mesh("cpu", (2,)))
    for name, model in (("unwrapped", net()), ("sharded", sharded)):
        try:
            guard_of(model, folder)
        except Exception as raised:
            found[name] = str(raised)
    return found


def run(connection, scene, rank, size, folder):
    """One rank, in a process of its own."""
    torch.set_num_threads(1)
    folder = pathlib.Path(folder)
    distributed.init_process_group("gloo", rank=rank, world_size=size, init_method=f"file://{folder}/{scene}.store")
    try:
        found = globals()[scene](rank, folder)
    except Exception as raised:
        found = {"raised": f"{type(raised).__name__}: {raised}"}
    connection.send(found)
    distributed.destroy_process_group()
