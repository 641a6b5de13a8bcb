"""Loaders of torch: measured while a step runs, and made as the measurement says."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from batchscope._client import measuring
from batchscope._client.analysis import Analysis
from batchscope._client.results import Estimate, Finding, Recommendation, each_of
from batchscope._client.run import Run
from batchscope._errors import UsageError
from batchscope._explain import Refused
from batchscope._loaders import lengths
from batchscope._loaders.plan import OWN, PYTHON, Plan, name_of

_FINDINGS = ("loader.", "bottleneck.loading")


@dataclass(frozen=True)
class StepTime:
    """The loop beside a step of one length; intervals hold nine of ten further processes, ms."""

    step_ms: float
    iteration_ms: Estimate
    wait_ms: Estimate

    @classmethod
    def of(cls, raw):
        return cls(raw["step_ms"], Estimate.of(raw["iteration_ms"]), Estimate.of(raw["wait_ms"]))


def _between(a, b, way):
    line = lambda x, y: None if x is None or y is None else x + way * (y - x)  # noqa: E731
    return Estimate(line(a.value, b.value), line(a.low, b.low), line(a.high, b.high))


@dataclass(frozen=True)
class LoaderSetting:
    """One setting of the loader and what was measured of it; times of a batch, in ms."""

    batch_size: int
    num_workers: int
    prefetch_factor: int | None  #: None without workers
    start_method: str | None  #: None: Python's own
    pin_memory: bool
    iteration_ms: Estimate  #: wait and step together
    wait_ms: float  #: of it, until the batch is there
    own_ms: float  #: of it, the step
    fetch_ms: float
    collate_ms: float
    cpu_ms: float  #: of all processes of the loader
    handover_ms: float | None  #: next() while the batch lies ready
    first_batch_ms: float
    new_epoch_ms: float
    shortest_step_ms: Estimate | None  #: a step so long hardly waits; None: see always_waits
    always_waits: bool  #: also beside the longest step that was measured
    steps: tuple[StepTime, ...]
    raw: dict = field(repr=False, default_factory=dict)

    @classmethod
    def of(cls, raw):
        loader = raw["loader"]
        plain = ("wait_ms", "own_ms", "fetch_ms", "collate_ms", "cpu_ms", "first_batch_ms", "new_epoch_ms", "always_waits")
        return cls(raw["batch_size"], **_as_keywords(loader), **{name: raw[name] for name in plain},
                   iteration_ms=Estimate.of(raw["iteration_ms"]), handover_ms=raw.get("handover_ms"),
                   shortest_step_ms=Estimate.of(raw.get("shortest_step_ms")), steps=each_of(StepTime, raw["steps"]), raw=raw)

    def iteration_at(self, step: float) -> Estimate:
        """The iteration beside a step of so many seconds, between the shortest and the longest that were measured, with an
        interval that holds nine of ten further processes. Raises UsageError for another length."""
        lines = each_of(StepTime, self.raw["between"])
        wanted = step * 1e3
        for a, b in zip(lines, lines[1:]):
            if a.step_ms * (1 - 1e-9) <= wanted <= b.step_ms * (1 + 1e-9):
                return _between(a.iteration_ms, b.iteration_ms, (wanted - a.step_ms) / (b.step_ms - a.step_ms))
        reach = f"{lines[0].step_ms:g} to {lines[-1].step_ms:g} ms" if lines else "none: the step is your own"
        raise UsageError(f"iteration_at(): {wanted:g} ms is outside of the lengths that were measured ({reach})")


def _as_keywords(loader):
    workers = loader["workers"]
    return {"num_workers": workers, "prefetch_factor": loader["prefetch"] if workers else None,
            "start_method": loader.get("start_method") or None, "pin_memory": loader.get("pinned", False)}


@dataclass(frozen=True)
class LoaderProfile:
    """What profile_loader() found; str() is the answer."""

    run: Run
    analysis: Analysis = field(repr=False)
    settings: tuple[LoaderSetting, ...]

    @classmethod
    def of(cls, run):
        analysis = run.analyze()
        return cls(run, analysis, each_of(LoaderSetting, analysis.raw.get("loaders")))

    @property
    def recommendation(self) -> Recommendation | None:
        return self.analysis.recommendation

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.analysis.findings if each.id.startswith(_FINDINGS))

    def setting(self, **wanted) -> LoaderSetting:
        """The first with these values: setting(num_workers=2). Raises UsageError."""
        for each in self.settings:
            if all(getattr(each, name) == value for name, value in wanted.items()):
                return each
        raise UsageError(f"setting(): the profile has none with {wanted}")

    def __str__(self):
        return str(self.analysis)


def _named_step(step):
    """"step:20ms" for seconds, "20ms" and "cpu:20ms"; what is called for a batch as it is."""
    if callable(step):
        return step
    named = f"{lengths.STEP}{step}" if isinstance(step, str) else lengths.named(float(step), False)
    try:
        lengths.parsed(named)
    except Refused as refused:
        raise UsageError(f"profile_loader(): step: {refused.what} (give seconds, \"20ms\", \"cpu:20ms\", or step(batch))") from None
    return named


def _plan(dataset, step, keywords):
    """(the model that the program measures, what --loader is given)"""
    taken = [name for name in (*OWN, "dataset") if name in keywords]
    if taken:
        raise UsageError(f"profile_loader(): {', '.join(taken)} is a loader setting: see num_workers=, prefetch_factor=, "
                         f"start_method= and pin_memory=")
    if isinstance(dataset, (str, os.PathLike)):
        source = os.fspath(dataset)
        is_plain = isinstance(step, str) and not keywords
        return (step if is_plain else Plan(None, step, keywords)), PYTHON + source
    return Plan(dataset, step, keywords), PYTHON + name_of(dataset)


def profile_loader(
        dataset: Any, batch_size: int, *, num_workers: Any = (0, 1, 2, 4), prefetch_factor: Any = (2, 4),
        start_method: Any = None, pin_memory: Any = None, step: Any = 0.02, threads: int | None = None,
        device: str | None = None, budget: float | str | None = None, blocks: int | None = None, verify: bool = True,
        seed: int | None = None, output: str | os.PathLike | None = None, overwrite: bool = False, resume: bool = False,
        progress: bool = True, timeout: float | str | None = None, min_visit_time: float | str = "1s", **keywords: Any,
) -> LoaderProfile:
    """Measures DataLoaders over a data set while a step runs, each setting in fresh processes and random blocks.

    - `dataset`: a data set, a function that makes one (or a dict of DataLoader's keywords with `dataset` in it), or
      "data.py:function"; other keywords go to DataLoader (collate_fn, sampler, batch_sampler, worker_init_fn, ...).
    - `num_workers`, `prefetch_factor`, `start_method` ("fork", "spawn", "forkserver"), `pin_memory`: a value or several.
    - `step`: seconds that a synthetic step sleeps, as a loop does that waits for a device; "cpu:20ms": it computes on `threads`
      threads; step(batch), or a function without arguments that returns it, is run as it is. Beside a synthetic one half and twice
      its length are measured, too.
    - `verify`: whether to compare the pick with the first setting in new processes.

    The recommendation is by the full iteration, wait and step. Raises what bs.profile() does.
    """
    step = _named_step(step)
    model, source = _plan(dataset, step, keywords)
    settings = {"loader": source, "loader_workers": num_workers, "prefetch": prefetch_factor, "start_method": start_method,
                "pin_memory": pin_memory, "batch_sizes": batch_size, "threads": threads, "device": device, "budget": budget,
                "blocks": blocks, "seed": seed, "overwrite": overwrite, "resume": resume, "timeout": timeout,
                "min_visit_time": min_visit_time}
    if not verify:
        settings["verify"] = "off"
    job = measuring.Job("profile_loader", "profile", [model], settings, output, progress)
    run, _ = measuring.measure(job)
    return LoaderProfile.of(run)


def _recommended(recommendation):
    if isinstance(recommendation, LoaderProfile):
        recommendation = recommendation.recommendation
    if isinstance(recommendation, LoaderSetting):
        return recommendation.raw
    setting = recommendation if isinstance(recommendation, dict) else getattr(recommendation, "setting", None)
    if not setting or "loader" not in setting:
        raise UsageError("make_loader(): the profile recommends no setting: pass one of profile.settings, or measure more")
    return setting


def make_loader(dataset: Any, recommendation: Any, **keywords: Any) -> Any:
    """A DataLoader of the setting that profile_loader() recommends, or of one of its `settings`.

    Its workers stay between epochs. Keywords are DataLoader's and win. Raises UsageError where nothing is recommended.
    """
    from torch.utils.data import DataLoader

    setting = _recommended(recommendation)
    made = _as_keywords(setting["loader"])
    made["multiprocessing_context"] = made.pop("start_method")
    made["persistent_workers"] = made["num_workers"] > 0
    if keywords.get("batch_sampler") is None:
        made["batch_size"] = setting["batch_size"]
    return DataLoader(dataset, **{**made, **keywords})
