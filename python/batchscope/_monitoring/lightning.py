"""The Trainer of Lightning, watched by a callback."""

import importlib
import sys

from batchscope._monitoring import marks
from batchscope._monitoring.training import TrainingMonitor

_PACKAGES = ("lightning.pytorch", "pytorch_lightning")


def _callbacks():
    """The base classes: of the package that the program has imported, or that there is."""
    found = [sys.modules[name] for name in _PACKAGES if name in sys.modules]
    for name in _PACKAGES if not found else ():
        try:
            found = [importlib.import_module(name)]
            break
        except ImportError:
            continue
    if not found:
        raise ImportError("batchscope.torch.LightningMonitor needs lightning or pytorch-lightning")
    return tuple(dict.fromkeys(each.Callback for each in found))


class _Watching:
    """A profiler of Lightning's that tells the clock when a batch is fetched and copied; the rest is that of before."""

    def __init__(self, profiler, watcher):
        self._profiler, self._watcher = profiler, watcher

    def __getattr__(self, name):
        if name == "_profiler":  # before there is one
            raise AttributeError(name)
        return getattr(self._profiler, name)

    def start(self, action):
        if action.endswith("train_dataloader_next"):
            self._watcher.batch_wanted()
        self._profiler.start(action)

    def stop(self, action):
        self._profiler.stop(action)
        if action.endswith("train_dataloader_next"):
            self._watcher.monitor.clock.begin("other")

    def profile(self, action):
        if action.endswith("batch_to_device"):
            self._watcher.monitor.clock.switch("h2d")
        return self._profiler.profile(action)


class LightningMonitor(*_callbacks()):
    """A callback for the Trainer of Lightning: steps, their parts, losses, and what was wrong at the end.

        trainer = Trainer(..., callbacks=[LightningMonitor("run.jsonl")])

    A step is a batch. Validating and saving are no part of any. On a device the loss is read of every tenth step, which waits for
    it. options: those of bs.TrainingMonitor, or a `monitor` of your own, which you close.
    """

    def __init__(self, log=None, *, monitor=None, **options):
        self._own = None if monitor is not None else {"log": log, **options}
        self.monitor, self._optimizer, self._parts = monitor, None, None

    def on_train_start(self, trainer, module):
        if self._own is not None:
            self.monitor = TrainingMonitor(**(self._own if trainer.is_global_zero else {"quiet": True}))
        self._optimizer = trainer.optimizers[0] if trainer.optimizers else None
        self.monitor.loader = trainer.train_dataloader
        self.monitor.clock.begin(None)
        profiler, trainer.profiler = trainer.profiler, _Watching(trainer.profiler, self)
        self.monitor.at_close(lambda: setattr(trainer, "profiler", profiler))

    def on_train_epoch_start(self, trainer, module):
        self.monitor.is_epoch_start = True

    def batch_wanted(self):
        self.monitor.clock.begin("load")

    def on_train_batch_start(self, trainer, module, batch, batch_idx):
        self.monitor.clock.begin("forward")

    def on_before_backward(self, trainer, module, loss):
        self.monitor.clock.switch("backward")

    def on_after_backward(self, trainer, module):
        self.monitor.clock.switch("other")

    def on_before_optimizer_step(self, trainer, module, optimizer):
        self.monitor.clock.switch("optimizer")

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        clock, step = self.monitor.clock, trainer.fit_loop.total_batch_idx
        clock.begin(None)
        rate = marks.learning_rate_of(self._optimizer)
        self.monitor.report(clock.take(), step, _loss_of(outputs, step), rate, marks.samples_of(batch))

    def on_train_end(self, trainer, module):
        if self._own is not None:
            self.monitor.close()


def _loss_of(outputs, step):
    loss = outputs.get("loss") if isinstance(outputs, dict) else outputs
    if loss is None or (getattr(loss, "is_cuda", False) and step % 10):
        return None
    return float(loss)
