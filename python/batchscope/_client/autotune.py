"""The setting for a service that starts: measured until its search is over, then read from a file."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import tempfile
import warnings
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from typing import Any

from batchscope._client import carry, identity, turns, verbs
from batchscope._client.arguments import words_for
from batchscope._client.folder import Folder
from batchscope._client.outcomes import is_complete
from batchscope._client.run import last_line
from batchscope._errors import InputError, MeasurementError, UsageError


@dataclass(frozen=True)
class Setting:
    """How to run the model; what a default leaves open is None."""

    batch_size: int
    threads: int | None = None
    instances: int | None = None
    precision: str | None = None
    device: str | None = None
    engine: str | None = None
    throughput_per_s: float | None = None  #: samples a second, of all instances
    latency_ms: float | None = None  #: of one batch
    verified: bool = False  #: in separate visits not used to choose it, after a complete search
    points_measured: int | None = None  #: settings, of `points_total`
    points_total: int | None = None
    end_reason: str | None = None  #: why the search ended; "budget": it was not over, and the next call goes on
    answer: str = ""  #: in words
    source: str = "measured"  #: "measured" just now, from the "cache", or the "default" that was given

    def __str__(self):
        return self.answer or f"batch {self.batch_size} ({self.source})"

    @property
    def complete(self) -> bool:
        """Whether its search was over: only then is it kept."""
        return is_complete({"end_reason": self.end_reason})

    @classmethod
    def of(cls, raw, source):
        """From a dict; names that it does not know are passed over. Raises TypeError and ValueError."""
        known = {name: raw[name] for name in cls.__dataclass_fields__ if name in raw}
        if not isinstance(known.get("batch_size"), int) or known["batch_size"] < 1:
            raise ValueError("batch_size is not a positive integer")
        return cls(**{**known, "source": source})


class _Cache:
    """The files of one key: the setting, or while its search is not over, the run to go on with. What is torn, or of
    something else, is none."""

    def __init__(self, folder, facts):
        self.folder, self.facts = os.path.expanduser(os.fspath(folder)), facts
        self.path, self.lock, self.run = (os.path.join(self.folder, f"{identity.key(facts)}.{ending}")
                                          for ending in ("json", "lock", "jsonl"))

    def read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                found = json.load(file)
            setting = Setting.of(found["setting"], "cache")
            return setting if setting.complete and found["facts"] == self.facts else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def write(self, setting):
        descriptor, temporary = tempfile.mkstemp(dir=self.folder, prefix=".writing-")
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump({"facts": self.facts, "setting": asdict(setting)}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
        except BaseException:
            os.unlink(temporary)
            raise
        os.unlink(self.run)


def _warn(cache, raised):
    reason = raised.strerror or raised
    warnings.warn(f"{cache.folder}: unusable as a cache: {reason}; every start will measure again (choose "
                  "another folder with cache=)", RuntimeWarning, stacklevel=4)


def _lasting(answer):
    """Without what to do next: that speaks of a run file that is gone then."""
    return "\n".join(itertools.takewhile(lambda line: not line.startswith("Next:"), answer.lines))


def _remove_pickles(run):
    """Those that going on with a run made again, where their folder had been."""
    for path in carry.pickles_of(run).values():
        if os.path.basename(os.path.dirname(path)).startswith("batchscope-"):
            shutil.rmtree(os.path.dirname(path), ignore_errors=True)


def _gone_on_with(model, keywords, progress, run):
    """The tuning in the run file `run`, from where an earlier call left it."""
    begun = os.path.exists(run)
    try:
        return verbs.tune(model, progress=progress, output=run, resume=True, **keywords)
    except InputError:
        if not begun:
            raise
    # Rubbish, or begun where it cannot be gone on with: a container has another host name each time.
    return verbs.tune(model, progress=progress, output=run, overwrite=True, **keywords)


def _tuned(model, keywords, progress, run):
    try:
        return _gone_on_with(model, keywords, progress, run)
    except MeasurementError:
        # What the budget ended may yet come to something.
        if last_line(run).get("reason") != "budget":
            with suppress(OSError):
                os.unlink(run)
        raise
    finally:
        _remove_pickles(run)


def _measured(model, keywords, progress, run=None):
    """`run`: the file to go on with; None: nothing can be kept."""
    tuning = _tuned(model, keywords, progress, run) if run else verbs.tune(model, progress=progress, **keywords)
    found = tuning.recommendation
    if found is None:
        raise MeasurementError(str(tuning) or "no point could be measured")
    figures = {"throughput_per_s": found.throughput_per_s, "latency_ms": found.latency_ms, "verified": found.verified}
    ending = {name: tuning.raw.get(name) for name in ("points_measured", "points_total", "end_reason")}
    return Setting.of({**tuning.setting, **figures, **ending, "answer": _lasting(tuning.answer)}, "measured")


def _kept(cache, setting):
    try:
        if setting.complete:
            cache.write(setting)
    except OSError as raised:
        _warn(cache, raised)
    return setting


def _locked(cache, waits, stack):
    """Whether this process may measure; False: another one does. Raises OSError where nothing can be written."""
    os.makedirs(cache.folder, exist_ok=True)
    return stack.enter_context(turns.held(cache.lock, waits))


def _once(cache, measure, default, waits):
    with ExitStack() as stack:
        try:
            may_measure = _locked(cache, waits, stack)
        except OSError as raised:
            _warn(cache, raised)
            return measure()
        if not may_measure:
            return default
        # Whoever held the lock before may have just written it.
        return cache.read() or _kept(cache, measure(cache.run))


def _default(given):
    if given is None or isinstance(given, Setting):
        return given
    raw = {"batch_size": given} if isinstance(given, int) else given
    try:
        return Setting.of(raw, "default")
    except (TypeError, ValueError) as raised:
        raise UsageError(f"autotune(): default is not a setting: {raised} (give a batch size, or a dict with "
                         f"batch_size, threads, ...)") from None


def _facts(model, keywords):
    folder = Folder()
    try:
        named = identity.model(model, folder.path)
    finally:
        folder.remove()
    return {"machine": identity.machine(), "model": named, "versions": identity.versions(keywords.get("python")),
            "bounds": words_for("tune", keywords, "autotune")}


def autotune(
        model: Any, *, cache: str | os.PathLike = "~/.cache/batchscope", budget: float | str = "30s",
        batch_sizes: Any = None, inputs: Any = None, default: Setting | dict | int | None = None,
        waiting: bool | None = None, progress: bool = True, **flags: Any,
) -> Setting:
    """The setting to run a model with, for the start of a service; keywords are those of bs.tune().

    It is measured for this machine, model, versions and keywords, and kept in a file in `cache`. Processes may share
    that: one measures, and the others wait for it. With a `default` (a batch size, or a dict) they take that instead
    of waiting, unless waiting=True. Where the budget ended the search (`complete` is False), the setting is the best so
    far and is not kept: the next call goes on with the search, by the budget once more. Whatever the setting holds for
    is in its key, so a change of it measures anew; of a model that has to be pickled the key is the pickle, so a
    function in a module is recognized more dependably.

    Where it cannot write the cache, it warns and measures. Raises what bs.tune() does.
    """
    given = _default(default)
    keywords = {"budget": budget, "batch_sizes": batch_sizes, "inputs": inputs, **flags}
    kept = _Cache(cache, _facts(model, keywords))
    found = kept.read()
    waits = given is None if waiting is None else waiting
    if not waits and given is None:
        raise UsageError("autotune(): waiting=False needs a default, such as default=8, to use while another process measures")
    return found or _once(kept, lambda run=None: _measured(model, keywords, progress, run), given, waits)
