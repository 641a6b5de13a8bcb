"""A training loop reports its steps; what is wrong with it, or with the machine, is found while it runs."""

import atexit
import json
import logging
import os
import time
import weakref

from batchscope import _core
from batchscope._client.results import Finding
from batchscope._errors import MeasurementError, UsageError, shown

_log = logging.getLogger("batchscope")
_open = weakref.WeakSet()


@atexit.register
def _close_all():
    """The thread that writes is not to meet an interpreter that ends."""
    for monitor in list(_open):
        monitor.close()


def _number(name, given):
    """Of a tensor the number in it."""
    try:
        return None if given is None else float(given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} has to be a number, not {shown(given)}") from None


def _integer(name, given):
    number = None if isinstance(given, int) else _number(name, given)
    if number is not None and not number.is_integer():
        raise ValueError(f"{name} has to be an integer, not {shown(given)}")
    if given is not None and abs(int(given)) >= 1 << 62:
        raise ValueError(f"{name} is out of range: {shown(given)}")
    return None if given is None else int(given)


class TrainingMonitor:
    """Watches a plain training loop: throughput, steps that became slower and what changed at the same time, losses, the
    wait for batches, and the machine.

    Example:
        monitor = bs.TrainingMonitor("run.jsonl", tensorboard="runs/1")
        for batch in monitor.batches(loader):
            loss = train_on(batch)
            monitor.log_step(loss=loss, learning_rate=rate, batch_size=len(batch))
        monitor.close()

    log: file of JSON lines; `batchscope report run.jsonl -o run.html` makes a page of it.
    overwrite: replace that file if it exists.
    tensorboard: folder for event files. prometheus: address of /metrics, such as "127.0.0.1:9430"; web_config: TLS and
        users of it. name: of the loop, where several are watched.
    interval: seconds between samples of the machine.
    profile_every, profile_steps, profile_folder: every so many steps, record so many with torch.profiler into the folder,
        for `batchscope trace`; ended early, and the next put off, where they have cost more than
        profile_overhead of all time. Steps of a profile are not judged by their time.
    on_finding: called with (Finding, has_ended) on a thread of the monitor's.
    """

    def __init__(self, log=None, *, overwrite=False, tensorboard=None, prometheus=None, web_config=None, name="",
                 interval=1.0, profile_every=0, profile_steps=5, profile_folder="profiles", profile_overhead=0.02,
                 on_finding=None):
        if not interval >= 0.01:
            raise UsageError(f"interval has to be at least 0.01 seconds, not {shown(interval)}")
        self._profiler = _Profiler(profile_folder) if profile_every else None
        profiler = self._profiler or _NoProfiler
        self._begun = time.perf_counter()
        self._next_step = 0
        self._waited = None

        def changed(since_ns, ended_ns, text):
            finding = Finding.of(json.loads(text))
            _log.info("%s: %s", "ended" if ended_ns is not None else "found", finding.message)
            if on_finding is not None:
                on_finding(finding, ended_ns is not None)

        try:
            self._core = _core.TrainingMonitor(
                log=os.fspath(log or ""), overwrite=overwrite, tensorboard=os.fspath(tensorboard or ""),
                prometheus=prometheus or "", web_config=os.fspath(web_config or ""), name=name, interval_s=float(interval),
                profile_every=profile_every, profile_steps=profile_steps,
                profile_overhead=profile_overhead, begin_profile=profiler.begin, end_profile=profiler.end, on_change=changed, warn=_log.warning)
        except ValueError as raised:
            raise UsageError(str(raised)) from None
        except RuntimeError as raised:
            raise MeasurementError(str(raised)) from None
        _open.add(self)

    def batches(self, loader):
        """The loader's batches, one by one; the wait for each counts as loading of the step that follows."""
        batches = iter(loader)
        while True:
            begun = time.perf_counter()
            try:
                batch = next(batches)
            except StopIteration:
                return
            self._waited = time.perf_counter() - begun
            yield batch

    def log_step(self, step=None, *, loss=None, learning_rate=None, batch_size=None, seconds=None, loading_seconds=None):
        """Reports a step.

        step: its number; without it steps are counted from 0. seconds: that it took, the wait for its batch included (a
            wait that is longer is added); without it the time since the call before. loss: a number, or a tensor of one, which is read: on a GPU that
            waits until it is computed. batch_size: samples. loading_seconds: of it, waiting for the batch; without it
            what batches() measured.

        What is no number, or no integer where it has to be, raises ValueError, and the step does not count. A step whose
        seconds are 0, below, or NaN is left out, as is a batch_size below 1: a warning says so once, and training goes on.
        """
        now = time.perf_counter()
        seconds = now - self._begun if seconds is None else _number("seconds", seconds)
        step = self._next_step if step is None else _integer("step", step)
        loss, learning_rate = _number("loss", loss), _number("learning_rate", learning_rate)
        batch_size = _integer("batch_size", batch_size)
        waited = self._waited if loading_seconds is None else _number("loading_seconds", loading_seconds)
        self._begun, self._next_step, self._waited = now, step + 1, None
        profiling = self._core.log_step(step, seconds, loss, learning_rate, batch_size, waited)
        self._begun += profiling  # it is counted by itself, and no part of the next step
        if self._profiler is not None:
            self._profiler.step()

    @property
    def dropped_steps(self):
        """Steps that came faster than they could be taken, more than 100,000 in 50 ms; they are nowhere."""
        return self._core.dropped_steps()

    def close(self):
        """Writes what has come, with a last sample of the machine. Nothing is taken after it. Called by on_finding, it does
        so once that has returned."""
        ended = self._core.close()
        if self._profiler is not None:
            self._profiler.drop()
        if ended:
            _open.discard(self)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    @property
    def findings(self):
        """All that was found until now, worst first, as of the last sample."""
        return tuple(Finding.of(json.loads(each["finding"])) for each in self._core.all())

    @property
    def active(self):
        """What is wrong now."""
        return tuple(Finding.of(json.loads(each["finding"])) for each in self._core.active())

    @property
    def address(self):
        """Of the metrics server, "" where there is none."""
        return self._core.address()

    @property
    def profile_overhead(self):
        """The share of all time that profiles have cost."""
        return self._core.profile_overhead()


class _NoProfiler:
    @staticmethod
    def begin():
        pass

    @staticmethod
    def end():
        return ""


class _Profiler:
    """torch.profiler around some steps."""

    def __init__(self, folder):
        self._folder, self._running, self._count = folder, None, 0

    def begin(self):
        from torch.profiler import ProfilerActivity, profile, supported_activities

        wanted = [each for each in (ProfilerActivity.CPU, ProfilerActivity.CUDA) if each in supported_activities()]
        self._running = profile(activities=wanted)
        self._running.__enter__()

    def step(self):
        if self._running is not None:
            self._running.step()

    def end(self):
        running, self._running = self._running, None
        if running is None:
            return ""
        running.__exit__(None, None, None)
        os.makedirs(self._folder, exist_ok=True)
        file = os.path.join(self._folder, f"profile_{self._count}.json.gz")
        self._count += 1
        running.export_chrome_trace(file)
        return file

    def drop(self):
        running, self._running = self._running, None
        if running is not None:
            running.__exit__(None, None, None)
