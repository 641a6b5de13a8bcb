"""Forward and backward of one batch, in micro-batches that fit in memory."""

import gc
import math
import warnings

import torch

from batchscope._errors import MeasurementError, UsageError
from batchscope._inside.memory import lack_of
from batchscope._training import splitting
from batchscope._training.random_state import set_torch_state, torch_state

FIRST_PATIENCE = 200
_STATE = ("limit", "calm", "patience", "is_trial", "failures")


class _Before:
    """What a failed attempt has moved, and the next has to find as it was: generators, and buffers such as BatchNorm's.

    Only buffers that were seen to change are copied from the second step on."""

    def __init__(self, model):
        self._buffers = [each for each in model.buffers() if not each.is_inference()]
        self._copies, self._versions = [each.detach().clone() for each in self._buffers], None
        self._random = None

    def remember(self):
        self._random = torch_state()
        if self._versions:
            moved = [i for i, buffer in enumerate(self._buffers) if buffer._version != self._versions[i]]
            self._buffers, self._copies = [self._buffers[i] for i in moved], [self._copies[i] for i in moved]
            self._versions = []
        elif self._versions is None:
            self._versions = [each._version for each in self._buffers]
        if self._buffers:
            torch._foreach_copy_(self._copies, self._buffers)

    def restore(self):
        if self._random is None:
            return
        set_torch_state(self._random)
        with torch.no_grad():
            for buffer, copy in zip(self._buffers, self._copies):
                buffer.copy_(copy)


def _failure_of(raised, parts):
    """The words of an exception that says that memory was out; any other is raised again."""
    lack = lack_of(raised)
    if lack == "none":
        raise raised
    words = f"{type(raised).__name__}: {str(raised).strip().splitlines()[0] if str(raised).strip() else 'out of memory'}"
    if lack == "perhaps":
        warnings.warn(f"the step may have run out of memory; it runs again in smaller parts: {words}", RuntimeWarning,
                      stacklevel=4)
    return words


class MicroBatches:
    """Splits batches, remembers what fits, and tries larger parts again after `patience` steps without a failure."""

    def __init__(self, model, largest, split):
        self.model, self.split = model, split
        if largest is not None and split is not None:
            raise UsageError("micro_batch and split cannot be used together: omit one")
        self.limit = math.inf  # of elements of a micro-batch; with a split of the user's own, of its share of the batch
        self.largest, self.calm, self.patience = largest or math.inf, 0, FIRST_PATIENCE
        self.failures, self.parts = 0, 1
        self.is_trial, self.has_changed, self._has_warned = False, False, False
        self._before = _Before(model)

    def state_dict(self):
        return {name: getattr(self, name) for name in _STATE}

    def load_state_dict(self, state):
        for name in _STATE:
            setattr(self, name, state[name])

    def run(self, batch, loss_sum, items, scaled, drop):
        """The sum of losses over items, with gradients left behind; `drop` clears those of an attempt that failed."""
        self._before.remember()
        self.has_changed = False
        while True:
            micros = self._micro_batches(batch)
            self.parts = len(micros)
            loss, words = self._attempt(micros, loss_sum, items, scaled)
            if words is None:
                self._grow()
                return loss
            # The exception is gone here, and with it the frames that held the graph.
            drop()
            gc.collect()
            if torch.cuda.is_initialized():
                torch.cuda.empty_cache()
            self._before.restore()
            self.has_changed = True
            self._shrink(batch, micros, words)

    def undo(self):
        """Puts back what the last run() has moved, of a step that is not made."""
        self._before.restore()

    def fraction_of(self, batch):
        """The share of a batch that fits."""
        return self.limit if self.split is not None else self.limit / splitting.elements_of(batch)

    def _attempt(self, micros, loss_sum, items, scaled):
        total = None
        try:
            for micro in micros:
                loss = self._backward_of(micro, loss_sum, items, scaled)
                total = loss if total is None else total + loss
        except Exception as raised:
            return None, _failure_of(raised, len(micros))
        return total, None

    def _backward_of(self, micro, loss_sum, items, scaled):
        """Forward and backward of a part; its share of the loss, without a graph."""
        loss = loss_sum(micro)
        if not isinstance(loss, torch.Tensor) or loss.numel() != 1:
            got = f"a tensor of shape {tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss).__name__
            raise UsageError(f"loss_sum has to return the sum of the losses over items, as a tensor of one number; it "
                             f"returned {got}")
        loss = loss / items
        scaled(loss).backward()
        return loss.detach()

    def _micro_batches(self, batch):
        if self.limit == math.inf and self.largest == math.inf:
            return [batch]
        if self.split is not None:
            return self.split(batch, math.ceil(1 / self.limit))
        count = splitting.samples_of(batch)
        fitting = self.limit * count / max(1, splitting.elements_of(batch)) + 1e-9
        return splitting.split_evenly(batch, math.ceil(count / max(1, math.floor(min(fitting, self.largest, count)))))

    def _shrink(self, batch, micros, words):
        self.failures += 1
        self._warn_of_normalization()
        was_trial, self.calm, self.is_trial = self.is_trial, 0, False
        if was_trial:
            self.limit, self.patience = self.limit / 2, min(self.patience * 2, 1 << 40)
            return
        if self.split is not None:
            self.limit = 1 / (2 * len(micros))
            if len(self._micro_batches(batch)) <= len(micros):
                raise MeasurementError(f"out of memory, but split(batch, {2 * len(micros)}) returned no more parts: {words}")
            return
        try:
            count = splitting.samples_of(batch)
        except UsageError as raised:
            raise UsageError(f"out of memory ({words}), but {raised}") from None
        largest = -(-count // len(micros))
        if largest == 1:
            raise MeasurementError(f"a single sample does not fit in memory: {words}")
        self.limit = splitting.elements_of(batch) / count * (largest // 2)
        warnings.warn(f"out of memory: from now on, batches of this size run in parts of {largest // 2} samples ({words})",
                      RuntimeWarning, stacklevel=5)

    def _grow(self):
        if self.limit == math.inf:
            return
        self.calm, self.is_trial = self.calm + 1, False
        if self.calm >= self.patience:
            self.limit, self.calm, self.is_trial, self.has_changed = self.limit * 2, 0, True, True

    def _warn_of_normalization(self):
        """BatchNorm's statistics and dropout's masks are those of micro-batches from here on."""
        kinds = sorted({type(each).__name__ for each in self.model.modules()
                        if isinstance(each, (torch.nn.modules.batchnorm._BatchNorm, torch.nn.modules.dropout._DropoutNd))})
        if kinds and not self._has_warned:
            warnings.warn(f"the batch runs in parts after an out-of-memory error: {' and '.join(kinds)} now see micro-batches, "
                          "so the gradients differ from those of the complete batch", RuntimeWarning, stacklevel=5)
        self._has_warned = True
