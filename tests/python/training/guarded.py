"""A small training, its failures planted anywhere in forward and backward; for the tests of TrainingGuard, and the truth of it."""

import random

import torch
from torch import nn

OUT_OF_MEMORY = "CUDA out of memory. Tried to allocate 2.00 GiB"


class Plan:
    """Fails where a part has more than `limit` samples, at one of the places of a model: `places` in forward, as many in backward."""

    def __init__(self, limit, place):
        self.limit, self.place, self.failures = limit, place, 0

    def check(self, place, rows):
        if self.place == place and rows > self.limit:
            self.failures += 1
            raise torch.OutOfMemoryError(OUT_OF_MEMORY)


class Failing(torch.autograd.Function):
    """The identity, which fails forward at `place`, backward at -place."""

    @staticmethod
    def forward(context, x, plan, place):
        context.plan, context.place = plan, place
        plan.check(place, len(x))
        return x.view_as(x)

    @staticmethod
    def backward(context, gradient):
        context.plan.check(-context.place, len(gradient))
        return gradient, None, None


class Net(nn.Module):
    def __init__(self, plan, features=16, hidden=(32, 32), outputs=1):
        super().__init__()
        sizes = [features, *hidden, outputs]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.plan = plan

    def forward(self, x):
        for place, layer in enumerate(self.layers, start=1):
            x = Failing.apply(torch.tanh(layer(x)), self.plan, place)
        return x


def no_failure():
    return Plan(10**9, 0)


def weights(net):
    return torch.cat([each.detach().flatten() for each in net.parameters()])


def difference(a, b):
    return ((a - b).abs().max() / a.abs().max()).item()


def ragged_batch(rng, generator):
    """Token ids padded with -100 targets: rows of different lengths."""
    lengths = [max(1, min(24, int(rng.lognormvariate(1.5, 0.9)))) for _ in range(rng.randint(1, 24))]
    x = torch.randn(len(lengths), max(lengths), 8, generator=generator)
    y = torch.randint(0, 10, (len(lengths), max(lengths)), generator=generator)
    for row, length in enumerate(lengths):
        y[row, length:] = -100
    return {"x": x, "y": y}


def tokens_of(batch):
    return (batch["y"] != -100).sum()


def random_plan(rng, places, largest):
    place = rng.randint(1, places)
    return Plan(rng.randint(1, largest), rng.choice((place, -place)))


def run(guard_of, plan, seed, steps=4):
    """Weights after some steps on ragged batches, weighed by tokens, and how often memory was out.

    guard_of(net, optimizer): the guard, or None for the loop by hand."""
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    net = Net(plan, features=8, outputs=10)
    optimizer = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9)

    def loss_sum(batch):
        return nn.functional.cross_entropy(net(batch["x"]).flatten(0, 1), batch["y"].flatten(), ignore_index=-100, reduction="sum")

    guard = guard_of(net, optimizer)
    for _ in range(steps):
        batch = ragged_batch(rng, generator)
        if guard is not None:
            guard.step(batch, loss_sum, tokens_of)
            continue
        (loss_sum(batch) / tokens_of(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()
    return weights(net), plan.failures
