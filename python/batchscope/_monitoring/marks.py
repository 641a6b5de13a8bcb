"""Marks the parts of steps of PyTorch where they begin: in functions that every loop calls, in a model, in an optimizer."""

import functools
import sys

import torch

from batchscope._training.splitting import first_length

_clocks = []
_replaced = []  # (module, name, what was there)


def _marking(function, part, then):
    @functools.wraps(function)
    def marked(*arguments, **keywords):
        before = [(clock, clock.part) for clock in _clocks]
        for clock, _ in before:
            clock.switch(part)
        try:
            return function(*arguments, **keywords)
        finally:
            for clock, was in before:
                clock.switch(then or was)

    return marked


def _replace(module, name, part, then):
    before = getattr(module, name)
    setattr(module, name, _marking(before, part, then))
    _replaced.append((module, name, before))


def begin(clock):
    """From here on backward, and copies to a device that accelerate makes, are marked on this clock."""
    _clocks.append(clock)
    if len(_clocks) > 1:
        return
    _replace(torch.autograd, "backward", "backward", "other")
    if "accelerate.data_loader" in sys.modules:
        _replace(sys.modules["accelerate.data_loader"], "send_to_device", "h2d", None)


def end(clock):
    if clock not in _clocks:
        return
    _clocks.remove(clock)
    while not _clocks and _replaced:
        module, name, before = _replaced.pop()
        setattr(module, name, before)


def mark_model(model, clock):
    """Forward begins with the model's own, unless it evaluates. Handles to remove()."""

    def begins(module, *_):
        if module.training:
            clock.switch("forward")

    return [model.register_forward_pre_hook(begins)]


def mark_optimizer(optimizer, clock):
    inner = getattr(optimizer, "optimizer", optimizer)  # accelerate's has one within
    return [inner.register_step_pre_hook(lambda *_: clock.switch("optimizer")),
            inner.register_step_post_hook(lambda *_: clock.switch("other"))]


def learning_rate_of(optimizer):
    """Of the first group. None: there is none, or it is a tensor on a device, which would have to be waited for."""
    rate = None if optimizer is None else optimizer.param_groups[0].get("lr")
    return None if rate is None or (torch.is_tensor(rate) and rate.is_cuda) else float(rate)


def samples_of(batch):
    try:
        return first_length(batch)[1]
    except ValueError:
        return None
