"""A training loop reports its steps; what is wrong with it, or with the machine, is found while it runs."""

import atexit
import json
import logging
import os
import sys
import weakref

from batchscope import _core
from batchscope._client.results import Finding
from batchscope._errors import MeasurementError, UsageError, shown
from batchscope._monitoring.closing_lines import closing_lines
from batchscope._monitoring.step_clock import PARTS, StepClock
from batchscope._monitoring.totals import Totals
from batchscope._monitoring.trackers import Trackers

_log = logging.getLogger("batchscope")
_open = weakref.WeakSet()


@atexit.register
def _close_all():
    """The thread that writes is not to meet an interpreter that ends."""
    for monitor in list(_open):
        if monitor._pid == os.getpid():
            monitor.close()


def is_first_rank():
    """Of several processes of a training only one writes and prints."""
    return os.environ.get("RANK", "0") == "0"


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


def _given_parts(parts, seconds, waited):
    """Parts of a step whose time, or the wait in it, the caller has measured."""
    if waited is None:
        waited = parts["load"]
    if seconds is None:
        return {**parts, "load": waited, "other": parts["other"] + parts["load"] - waited}
    return {**dict.fromkeys(parts, 0.0), "load": waited, "other": seconds - waited if waited <= seconds else seconds}


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
    quiet: print nothing at the end; else close(), or the end of the program, prints what was wrong, its fix and where the time
        went, in six lines at most, on standard error.

    Where the program has imported wandb or mlflow and a run is active, it gets the same scalars.
    """

    def __init__(self, log=None, *, overwrite=False, tensorboard=None, prometheus=None, web_config=None, name="",
                 interval=1.0, profile_every=0, profile_steps=5, profile_folder="profiles", profile_overhead=0.02,
                 on_finding=None, quiet=False):
        if not interval >= 0.01:
            raise UsageError(f"interval has to be at least 0.01 seconds, not {shown(interval)}")
        self._profiler = _Profiler(profile_folder) if profile_every else None
        profiler = self._profiler or _NoProfiler
        self._next_step, self._pid = 0, os.getpid()
        self._log, self._name, self._is_quiet = log, name, quiet
        self._totals, self._trackers, self.loader, self.is_epoch_start = Totals(), Trackers(), None, False
        self._at_close, self.is_closed = [], False

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
        self.clock = StepClock()
        _open.add(self)

    def batches(self, loader):
        """The loader's batches, one by one; the wait for each counts as loading of the step that follows."""
        self.loader, self.is_epoch_start = loader, True
        try:
            self.clock.begin("load")
            for batch in loader:
                self.clock.begin("other")
                yield batch
                self.clock.begin("load")
        finally:
            self.clock.begin(None)

    def log_step(self, step=None, *, loss=None, learning_rate=None, batch_size=None, seconds=None, loading_seconds=None):
        """Reports a step.

        step: its number; without it steps are counted from 0. seconds: that it took, the wait for its batch included (a
            wait that is longer is added); without it the time since the call before. loss: a number, or a tensor of one, which is read: on a GPU that
            waits until it is computed. batch_size: samples. loading_seconds: of it, waiting for the batch; without it
            what batches() measured.

        What is no number, or no integer where it has to be, raises ValueError, and the step does not count. A step whose
        seconds are 0, below, or NaN is left out, as is a batch_size below 1: a warning says so once, and training goes on.
        """
        seconds, loading_seconds = _number("seconds", seconds), _number("loading_seconds", loading_seconds)
        step, loss, learning_rate, batch_size = self._checked(step, loss, learning_rate, batch_size)
        parts = self.clock.take()
        if self.clock.part is None:
            self.clock.begin("other")
        if seconds is not None or loading_seconds is not None:
            parts = _given_parts(parts, seconds, loading_seconds)
        waited = parts["load"] or None if loading_seconds is None else loading_seconds
        self._report(parts, waited, seconds, step, loss, learning_rate, batch_size)

    def report(self, parts, step, loss, learning_rate, batch_size):
        """A step that a callback has timed by `clock`."""
        self._report(parts, parts["load"] or None, None, *self._checked(step, loss, learning_rate, batch_size))

    def _checked(self, step, loss, learning_rate, batch_size):
        return (self._next_step if step is None else _integer("step", step), _number("loss", loss),
                _number("learning_rate", learning_rate), _integer("batch_size", batch_size))

    def _report(self, parts, waited, seconds, step, loss, learning_rate, batch_size):
        """seconds: None: the sum of parts."""
        seconds = sum(parts.values()) if seconds is None else seconds
        self._next_step, is_start, self.is_epoch_start = step + 1, self.is_epoch_start, False
        profiling = self._core.log_step(step, seconds, loss, learning_rate, batch_size, waited)
        self.clock.leave_out(profiling)  # it is counted by itself, and no part of the next step
        if seconds > 0:
            self._totals.add(parts, batch_size, is_start)
            if self._trackers.are_there():
                self._trackers.add(step, self._scalars(parts, seconds, waited, loss, learning_rate, batch_size))
        if self._profiler is not None:
            self._profiler.step()

    def _scalars(self, parts, seconds, waited, loss, learning_rate, batch_size):
        """Under the names that event files have; and the parts of the step, where they are known."""
        group = f"training {self._name}" if self._name else "training"
        scalars = {"step_seconds": seconds, "loss": loss, "learning_rate": learning_rate, "batch_size": batch_size,
                   "loading_seconds": waited, "samples_per_second": batch_size / seconds if batch_size else None}
        if any(parts[part] for part in PARTS[1:-1]):
            scalars.update((f"{part}_seconds", parts[part]) for part in PARTS[1:])
        return {f"{group}/{name}": value for name, value in scalars.items()}

    @property
    def steps(self):
        """That were reported."""
        return self._totals.steps

    @property
    def dropped_steps(self):
        """Steps that came faster than they could be taken, more than 100,000 in 50 ms; they are nowhere."""
        return self._core.dropped_steps()

    def at_close(self, *calls):
        """What close() calls, the last first."""
        self._at_close += calls

    def close(self):
        """Writes what has come, with a last sample of the machine, and prints what was found. Nothing is taken after it. Called
        by on_finding, it does so once that has returned."""
        self.is_closed = True
        while self._at_close:
            self._at_close.pop()()
        ended = self._core.close()
        if self._profiler is not None:
            self._profiler.drop()
        if ended and self in _open:
            _open.discard(self)
            self.clock.begin(None)
            self._trackers.close()
            self._say_what_was_found()

    def _say_what_was_found(self):
        if self._is_quiet or not is_first_rank():
            return
        for line in closing_lines(self._totals, self.loader, self.findings, self._log):
            print(line, file=sys.stderr)

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
