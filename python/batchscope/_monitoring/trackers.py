"""Scalars of steps for Weights & Biases and MLflow, where the program has imported them and a run is active."""

import logging
import sys
import time

_log = logging.getLogger("batchscope")


class Means:
    """Of scalars that may be absent in some steps."""

    def __init__(self):
        self._sums = {}

    def add(self, scalars, times=1):
        for name, value in scalars.items():
            if value is not None:
                total, count = self._sums.get(name, (0.0, 0))
                self._sums[name] = (total + value * times, count + times)

    def merge(self, other):
        for name, (total, count) in other._sums.items():
            before = self._sums.get(name, (0.0, 0))
            self._sums[name] = (before[0] + total, before[1] + count)

    def values(self):
        return {name: total / count for name, (total, count) in self._sums.items()}


class _Wandb:
    """Values go into the row that the program itself logs next: to add a row would shift the program's own steps."""

    def __init__(self):
        self._row, self._at = Means(), None

    def send(self, means, step):
        run = getattr(sys.modules.get("wandb"), "run", None)
        if run is None:
            return
        at = (run.id, run.step)
        if at != self._at:
            self._row, self._at = Means(), at
        self._row.merge(means)
        run.log({**self._row.values(), "training/step": step}, commit=False)

    def close(self):
        pass


class _Mlflow:
    def __init__(self):
        self._has_sent = False

    def send(self, means, step):
        mlflow = sys.modules.get("mlflow")
        run = mlflow.active_run() if hasattr(mlflow, "active_run") else None
        if run is not None:
            mlflow.log_metrics(means.values(), step=step, synchronous=False, run_id=run.info.run_id)
            self._has_sent = True

    def close(self):
        if self._has_sent:
            sys.modules["mlflow"].flush_async_logging()


class Trackers:
    """Sends means over the steps of each `interval` of seconds. What a tracker raises turns it off, and training goes on."""

    def __init__(self, interval=1.0):
        self._interval, self._due = interval, time.monotonic() + interval
        self._trackers, self._means, self._step = {"wandb": _Wandb(), "mlflow": _Mlflow()}, Means(), None

    def are_there(self):
        """Whether the program has imported one."""
        return any(name in sys.modules for name in self._trackers)

    def add(self, step, scalars):
        self._means.add(scalars)
        self._step = step
        if time.monotonic() >= self._due:
            self._send()

    def close(self):
        """Sends the rest."""
        if self._step is not None:
            self._send()
        for name in list(self._trackers):
            self._attempt(name, self._trackers[name].close)

    def _send(self):
        means, self._means, step, self._step = self._means, Means(), self._step, None
        for name in list(self._trackers):
            self._attempt(name, self._trackers[name].send, means, step)
        self._due = time.monotonic() + self._interval

    def _attempt(self, name, do, *arguments):
        try:
            do(*arguments)
        except Exception as raised:
            del self._trackers[name]
            _log.warning("%s gets no more values: %s", name, raised)
