"""Models in Python whose slow batch size is made: what is wrong with it is known."""

import gc

import torch

HEAP = 100_000  # objects that a collection looks at


class Collects:
    """Collects garbage in every call at the batch size `at`, as code that frees memory by hand does; 0: at none."""

    def __init__(self, batch_size, at=2):
        self.size, self.at = batch_size, at
        self.alive = [[i] for i in range(HEAP)]

    def run(self, _batch):
        total = 0
        for i in range(20_000 * self.size):
            total += i
        if self.size == self.at:
            gc.collect()
        return total


class Steps(torch.nn.Module):
    """The same steps for every row, so that its time is a line over the batch size; a quarter more of them at `at`."""

    STEPS = 40

    def __init__(self, at=4):
        super().__init__()
        torch.manual_seed(0)
        self.at = at
        self.register_buffer("weight", torch.rand(192, 192) / 192)

    def forward(self, x):
        steps = self.STEPS * 5 // 4 if x.shape[0] == self.at else self.STEPS
        rows = []
        for row in x:
            for _ in range(steps):
                row = torch.relu(row @ self.weight)
            rows.append(row)
        return torch.stack(rows)


def steps(at=4):
    return Steps(at)


class Anew(torch.nn.Module):
    """Something that the compiler looks at changes with every fourth call; `every`=0: never."""

    def __init__(self, every=4):
        super().__init__()
        torch._dynamo.config.recompile_limit = 10_000
        torch._dynamo.config.accumulated_recompile_limit = 10_000
        self.calls, self.every, self.tag = 0, every, "0"
        self.inner = torch.nn.Linear(64, 64)

    @torch._dynamo.disable
    def count(self):
        self.calls += 1
        if self.every and self.calls % self.every == 0:
            self.tag = str(self.calls)

    def forward(self, x):
        self.count()
        return self.inner(x) * len(self.tag + "x") if self.tag != "" else x


def anew(every=4):
    return Anew(every)
