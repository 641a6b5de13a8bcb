"""A training in virtual time: what loads, computes, validates or saves says how long it takes."""

import torch

LOAD, FORWARD, BACKWARD, UPDATE, EVALUATE, SAVE = 0.012, 0.003, 0.004, 0.001, 5.0, 70.0
PARTS = {"load": LOAD, "h2d": 0.0, "forward": FORWARD, "backward": BACKWARD, "optimizer": UPDATE, "other": 0.0}
SAMPLES, BATCH = 48, 4
STEPS = SAMPLES // BATCH


class VirtualTime:
    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        return self.now

    def spend(self, seconds):
        self.now += seconds


class Samples(torch.utils.data.Dataset):
    """load: seconds of a batch."""

    def __init__(self, time, load):
        self.time, self.load = time, load

    def __len__(self):
        return SAMPLES

    def __getitem__(self, index):
        self.time.spend(self.load / BATCH)
        return {"x": torch.tensor([index / SAMPLES, 1.0]), "labels": torch.ones(1)}


class Net(torch.nn.Module):
    def __init__(self, time):
        super().__init__()
        self.linear, self.time = torch.nn.Linear(2, 1), time

    def forward(self, x, labels):
        self.time.spend(FORWARD if self.training else EVALUATE)
        loss = ((self.linear(x) - labels) ** 2).mean()
        if loss.requires_grad:
            loss.register_hook(lambda gradient: self.time.spend(BACKWARD))
        return {"loss": loss}


class Update(torch.optim.Optimizer):
    def __init__(self, net):
        super().__init__(net.parameters(), {"lr": 0.125})
        self.time = net.time

    @torch.no_grad()
    def step(self, closure=None):
        loss = None if closure is None else torch.enable_grad()(closure)()
        self.time.spend(UPDATE)
        for each in self.param_groups[0]["params"]:
            each -= 0.01 * each.grad
        return loss
