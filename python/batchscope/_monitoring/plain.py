"""A loop of the user's own, or of accelerate's, watched by two lines."""

from batchscope._monitoring import marks
from batchscope._monitoring.training import TrainingMonitor, is_first_rank


class _Steps:
    """An iteration over a loader: a step begins where its batch is asked for, and ends where the next one is."""

    def __init__(self, loader, monitor, optimizer):
        self._monitor, self._optimizer, self._reported, self._samples = monitor, optimizer, None, None
        monitor.loader, monitor.is_epoch_start = loader, True
        monitor.clock.begin("load")
        self._batches = iter(loader)  # workers start here, not later: TrainingGuard blocks signals meanwhile

    def __iter__(self):
        return self

    def __getattr__(self, name):
        if name == "_batches":  # before there are any
            raise AttributeError(name)
        return getattr(self._batches, name)

    def __next__(self):
        self._end_step()
        self._monitor.clock.begin("load")
        try:
            batch = next(self._batches)
        except BaseException:
            self._monitor.clock.begin(None)
            raise
        self._monitor.clock.begin("other")
        self._reported, self._samples = self._monitor.steps, marks.samples_of(batch)
        return batch

    def _end_step(self):
        """Reports the step of the batch before, unless the loop has done so."""
        reported, self._reported = self._reported, None
        if reported is not None and reported == self._monitor.steps:
            self._monitor.log_step(batch_size=self._samples, learning_rate=marks.learning_rate_of(self._optimizer))

    def __del__(self):
        if self._reported is not None and not self._monitor.is_closed:  # the loop was left
            self._end_step()
            self._monitor.clock.begin(None)


class WatchedLoader:
    """What watch() returns: the loader, whose iteration reports each step to `monitor`."""

    def __init__(self, loader, monitor, optimizer):
        vars(self).update(loader=loader, monitor=monitor, _optimizer=optimizer)

    def __len__(self):
        return len(self.loader)

    def __getattr__(self, name):
        if name == "loader":  # before there is one
            raise AttributeError(name)
        return getattr(self.loader, name)

    def __setattr__(self, name, value):
        setattr(self.loader, name, value)

    def __iter__(self):
        return _Steps(self.loader, self.monitor, self._optimizer)


def watch(loader, model=None, optimizer=None, *, monitor=None, **options):
    """Watches a training loop: iterate over what this returns instead of the loader, with accelerate over what it prepared.

        loader = watch(loader, model, optimizer)

    A step is what happens from the request for a batch to the next one; call `loader.monitor.log_step(loss=loss)` at its end to
    report a loss. Of a model and an optimizer forward and the optimizer's step are marked, and backward always. At the end of the
    program it is printed whether the loader keeps up, and where the time went. options: those of bs.TrainingMonitor; of several ranks the first takes them.
    """
    monitor = monitor or TrainingMonitor(**(options if is_first_rank() else {"quiet": True}))
    clock = monitor.clock
    handles = [] if model is None else marks.mark_model(model, clock)
    if optimizer is not None:
        handles += marks.mark_optimizer(optimizer, clock)
    marks.begin(clock)
    monitor.at_close(lambda: [each.remove() for each in handles], lambda: marks.end(clock))
    clock.begin(None)
    return WatchedLoader(loader, monitor, optimizer)
