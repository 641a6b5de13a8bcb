"""The optimizer's part of a step: unscale, clip, step, update, in this order; with non-finite gradients no step is made."""

import math

import torch
from torch.nn.utils import clip_grad_norm_, get_total_norm

from batchscope._errors import UsageError


class Skips:
    """Steps that were skipped, all of them and in a row, known at once."""

    def __init__(self):
        self.total = self.in_a_row = 0

    def add(self, is_made):
        self.total += not is_made
        self.in_a_row = 0 if is_made else self.in_a_row + 1

    def exact_in_a_row(self):
        return self.in_a_row

    def forget_row(self):
        self.in_a_row = 0


class DeviceSkips:
    """The same, counted on the device, so that no step waits for it.

    Every `interval` steps a copy of the counts is begun, and read an interval later: `in_a_row` is that old, and changes in the
    same step of every rank."""

    def __init__(self, device, interval):
        self._counts = torch.zeros(2, dtype=torch.int64, device=device)
        self._interval, self._steps, self._copy, self._event = interval, 0, None, None
        self.in_a_row = 0

    def add(self, is_finite):
        """is_finite: a tensor of one bool on the device."""
        total, in_a_row = self._counts
        self._counts = torch.stack((total + ~is_finite, (in_a_row + 1) * ~is_finite))
        self._steps += 1
        if self._steps % self._interval == 0:
            self._exchange()

    def _exchange(self):
        if self._event is not None:
            self._event.synchronize()
        self.in_a_row = 0 if self._copy is None else int(self._copy[1])
        self._copy = self._counts.to("cpu", non_blocking=True)
        if self._counts.is_cuda:
            self._event = torch.cuda.Event()
            self._event.record()

    def exact_in_a_row(self):
        """Now; waits for the device."""
        return int(self._counts[1])

    def forget_row(self):
        self._counts[1], self._copy, self._event, self.in_a_row = 0, None, None, 0

    @property
    def total(self):
        return int(self._counts[0])

    @total.setter
    def total(self, value):
        self._counts[0] = value


class Update:
    """Makes one optimizer step of the gradients that are there.

    Whether they are finite is read from their norm. That waits for the device, so it is left to the optimizer's own kernel where
    it is fused and no schedule has to know; GradScaler reads for itself."""

    def __init__(self, optimizer, scaler, max_norm, scheduler, device, max_skipped):
        if isinstance(optimizer, torch.optim.LBFGS):
            raise UsageError("TrainingGuard does not support LBFGS, which evaluates the loss several times per step")
        self.optimizer, self.scaler, self.max_norm, self.scheduler = optimizer, scaler, max_norm, scheduler
        self._is_fused = bool(getattr(optimizer, "_step_supports_amp_scaling", False))
        self._is_on_device = self._is_fused and scheduler is None and device.type != "cpu"
        self.skips = DeviceSkips(device, max_skipped) if self._is_on_device else Skips()
        self._has_stepped = False
        if scaler is not None and not self._is_fused:
            optimizer.register_step_post_hook(self._stepped)  # GradScaler reads whether it stepped; that is not read twice

    def _stepped(self, *_):
        self._has_stepped = True

    def apply(self):
        if self.scaler is not None:
            self.scaler.unscale_(self.optimizer)
        norm = self._clipped_norm()
        if self._is_on_device:
            self._step_on_device(torch.isfinite(norm))
        else:
            self._step(norm)
        if self.scaler is not None:
            self.scaler.update()

    def parameters(self):
        return [each for group in self.optimizer.param_groups for each in group["params"]]

    def _clipped_norm(self):
        if self.max_norm is not None:
            return clip_grad_norm_(self.parameters(), self.max_norm)
        return get_total_norm([each.grad for each in self.parameters() if each.grad is not None])

    def _step_on_device(self, is_finite):
        self.skips.add(is_finite)
        if self.scaler is not None:
            self.scaler.step(self.optimizer)
            return
        self.optimizer.grad_scale, self.optimizer.found_inf = None, (~is_finite).float()
        try:
            self.optimizer.step()
        finally:
            del self.optimizer.grad_scale, self.optimizer.found_inf

    def _step(self, norm):
        self._has_stepped = False
        if self.scaler is not None:
            self.scaler.step(self.optimizer)
            is_made = math.isfinite(norm.item()) if self._is_fused else self._has_stepped
        else:
            is_made = math.isfinite(norm.item())
            if is_made:
                self.optimizer.step()
        self.skips.add(is_made)
        if is_made and self.scheduler is not None:
            self.scheduler.step()
