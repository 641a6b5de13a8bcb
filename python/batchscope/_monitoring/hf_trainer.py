"""The Trainer of transformers, watched by a callback."""

import sys

from transformers import TrainerCallback

from batchscope._monitoring import marks
from batchscope._monitoring.training import TrainingMonitor


def _timed(loader, watcher):
    """The loader itself, whose class is now one that tells the watcher when a batch is asked for, and when it is there."""
    if not hasattr(type(loader), "__iter__") or getattr(loader, "_batchscope_watcher", None) is watcher:
        return loader
    kind = type(loader)

    def iterate(self):
        watcher.batch_wanted(is_start=True)
        for batch in kind.__iter__(self):
            watcher.batch_came(batch)
            yield batch
            watcher.batch_wanted()
        watcher.monitor.clock.begin(None)

    timed = type(kind.__name__, (kind,), {"__iter__": iterate, "_batchscope_watcher": watcher})
    object.__dict__["__class__"].__set__(loader, timed)  # accelerate's loaders have a __class__ of their own
    return loader


class TrainerMonitor(TrainerCallback):
    """A callback for the Trainer of transformers: steps, their parts, the loss that is logged, and what was wrong at the end.

        trainer = Trainer(..., callbacks=[TrainerMonitor("run.jsonl")])

    Evaluating and saving are no part of any step. options: those of bs.TrainingMonitor, or a `monitor` of your own, which you
    close.
    """

    def __init__(self, log=None, *, monitor=None, **options):
        self._own = None if monitor is not None else {"log": log, **options}
        self.monitor, self._optimizer, self._skip = monitor, None, None
        self._parts, self._step, self._samples = None, 0, 0

    def batch_wanted(self, is_start=False):
        self._report()
        self.monitor.clock.begin("load")
        self.monitor.is_epoch_start |= is_start

    def batch_came(self, batch):
        self.monitor.clock.begin("other")
        self._samples += marks.samples_of(batch) or 0

    def on_train_begin(self, args, state, control, optimizer=None, train_dataloader=None, **_):
        if self._own is not None:
            self.monitor = TrainingMonitor(**(self._own if state.is_world_process_zero else {"quiet": True}))
        self._optimizer = optimizer
        self.monitor.loader = train_dataloader
        self.monitor.clock.begin(None)
        marks.begin(self.monitor.clock)
        self.monitor.at_close(lambda: marks.end(self.monitor.clock), self._report)
        _timed(train_dataloader, self)
        self._time_skipped_loaders()

    def _time_skipped_loaders(self):
        """After a resume the rest of the epoch comes from another loader, which the Trainer makes by this function."""
        module = sys.modules.get("transformers.trainer")
        skip = getattr(module, "skip_first_batches", None)
        if skip is not None:
            module.skip_first_batches = lambda *arguments, **keywords: _timed(skip(*arguments, **keywords), self)
            self.monitor.at_close(lambda: setattr(module, "skip_first_batches", skip))

    def on_step_begin(self, args, state, control, **_):
        self.monitor.clock.begin("forward")

    def on_substep_end(self, args, state, control, **_):
        self.monitor.clock.begin("forward")

    def on_pre_optimizer_step(self, args, state, control, **_):
        self.monitor.clock.begin("optimizer")

    def on_optimizer_step(self, args, state, control, **_):
        self.monitor.clock.begin("other")

    def on_step_end(self, args, state, control, **_):
        self.monitor.clock.begin(None)
        self._parts, self._step = self.monitor.clock.take(), state.global_step

    def on_log(self, args, state, control, logs=None, **_):
        self._report((logs or {}).get("loss"))

    def on_train_end(self, args, state, control, **_):
        self._report()
        if self._own is not None:
            self.monitor.close()

    def _report(self, loss=None):
        """The last step, with its loss where the Trainer has logged one meanwhile."""
        parts, self._parts = self._parts, None
        if parts is not None:
            samples, self._samples = self._samples or None, 0
            self.monitor.report(parts, self._step, loss, marks.learning_rate_of(self._optimizer), samples)
