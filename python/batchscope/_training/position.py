"""Where a training is in its data: what the sampler of its loader knows, if it knows anything."""

import math

from batchscope._errors import InputError, UsageError


def _is_stateful(sampler):
    return all(hasattr(sampler, name) for name in ("state_dict", "load_state_dict", "trained"))


class Position:
    """A sampler such as bs.BatchSampler, which counts the batches that were trained, or none."""

    def __init__(self, sampler):
        if sampler is not None and not _is_stateful(sampler):
            raise UsageError(f"sampler ({type(sampler).__name__}) lacks state_dict, load_state_dict or trained; use "
                             "bs.BatchSampler")
        self.sampler, self.data_length, self._epoch = sampler, None, 0

    def adopt(self, loader):
        """Takes what the loader knows; InputError: its data set has another length than before."""
        for each in (getattr(loader, "batch_sampler", None), getattr(loader, "sampler", None)):
            if self.sampler is None and _is_stateful(each):
                self.sampler = each
        if self.sampler is not None and getattr(loader, "num_workers", 0) and not getattr(loader, "in_order", True):
            raise UsageError("the loader has in_order=False, so it changes the sampler's order: use in_order=True, or pass "
                             "each batch's number to guard.step()")
        dataset = getattr(loader, "dataset", None)
        length = len(dataset) if hasattr(dataset, "__len__") else None
        if None not in (length, self.data_length) and length != self.data_length:
            raise InputError(f"the data set has {length} samples, but the checkpoint's had {self.data_length}")
        self.data_length = length if length is not None else self.data_length
        for each in (dataset, getattr(loader, "sampler", None), getattr(loader, "batch_sampler", None)):
            if each is not self.sampler and hasattr(each, "set_epoch"):
                each.set_epoch(self.epoch)

    @property
    def epoch(self):
        """From 0; the next one where all of it is trained."""
        if not hasattr(self.sampler, "epoch"):
            return self._epoch
        return self.sampler.epoch + (getattr(self.sampler, "position", -1) >= len(self.sampler))

    def end_epoch(self):
        self._epoch += 1

    def trained(self, number):
        """A batch was trained: the next in order, or that of a number."""
        if self.sampler is not None:
            self.sampler.trained(number)

    def tokens_of(self, fraction, number):
        """The padded tokens that are this share of the batch in hand; math.inf where they are unknown."""
        if not hasattr(self.sampler, "lengths_of"):
            return math.inf
        lengths = self.sampler.lengths_of(number)
        return int(fraction * len(lengths) * max(lengths))

    def set_limit(self, tokens):
        if hasattr(self.sampler, "limit_to") and tokens != math.inf:
            self.sampler.limit_to(max(1, int(tokens)))

    def fingerprint(self):
        return self.sampler.fingerprint() if hasattr(self.sampler, "fingerprint") else None

    def state_dict(self):
        return {"epoch": self._epoch, "data_length": self.data_length,
                "sampler": None if self.sampler is None else self.sampler.state_dict()}

    def load_state_dict(self, state):
        """InputError: the sampler's data, plan or world size is another."""
        self._epoch = state["epoch"]
        if state["data_length"] is not None:
            self.data_length = state["data_length"]
        if state["sampler"] is None:
            return
        if self.sampler is None:
            raise InputError("the checkpoint has a sampler's position: pass the loader's sampler to TrainingGuard "
                             "(sampler=)")
        try:
            self.sampler.load_state_dict(state["sampler"])
        except (ValueError, RuntimeError) as raised:
            raise InputError(f"the sampler cannot continue from the checkpoint: {raised}") from raised

