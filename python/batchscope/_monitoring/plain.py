"""A loop of the user's own, or of accelerate's, watched by two lines."""

from batchscope._monitoring import marks
from batchscope._monitoring.training import TrainingMonitor

_END = object()


class WatchedLoader:
    """What watch() returns: the loader, whose iteration reports each step to `monitor`."""

    def __init__(self, loader, monitor, optimizer):
        self.loader, self.monitor, self._optimizer = loader, monitor, optimizer
        self._reported, self._samples = None, None

    def __len__(self):
        return len(self.loader)

    def __getattr__(self, name):
        if name == "loader":  # before there is one
            raise AttributeError(name)
        return getattr(self.loader, name)

    def __iter__(self):
        batches = self.monitor.batches(self.loader)
        try:
            while True:
                self._end_step()
                batch = next(batches, _END)
                if batch is _END:
                    return
                self._reported, self._samples = self.monitor.steps, marks.samples_of(batch)
                yield batch
        finally:
            self._end_step()
            batches.close()

    def _end_step(self):
        """Reports the step of the batch before, unless the loop has done so."""
        reported, self._reported = self._reported, None
        if reported is not None and reported == self.monitor.steps:
            self.monitor.log_step(batch_size=self._samples, learning_rate=marks.learning_rate_of(self._optimizer))


def watch(loader, model=None, optimizer=None, *, monitor=None, **options):
    """Watches a training loop: iterate over what this returns instead of the loader, with accelerate over what it prepared.

        loader = watch(loader, model, optimizer)

    A step is what happens from the request for a batch to the next one; call `loader.monitor.log_step(loss=loss)` at its end to
    report a loss. Of a model and an optimizer forward and the optimizer's step are marked, and backward always. At the end of the
    program it is printed whether the loader keeps up, and where the time went. options: those of bs.TrainingMonitor.
    """
    monitor = monitor or TrainingMonitor(**options)
    clock = monitor.clock
    handles = [] if model is None else marks.mark_model(model, clock)
    if optimizer is not None:
        handles += marks.mark_optimizer(optimizer, clock)
    marks.begin(clock)
    monitor.at_close(lambda: [each.remove() for each in handles], lambda: marks.end(clock))
    clock.begin(None)
    return WatchedLoader(loader, monitor, optimizer)
