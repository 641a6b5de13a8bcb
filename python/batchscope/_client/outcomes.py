"""What tune, max_batch, plan, compare, doctor and a dry run return."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from batchscope._client.results import Answer, Check, Comparison, Recommendation, each_of, setting_of
from batchscope._client.run import Run


class _Document:
    """Something printed as JSON: `raw`."""

    raw: dict

    def to_json(self) -> str:
        return json.dumps(self.raw, indent=2, ensure_ascii=False)


def is_complete(tuning):
    """Whether a search was over when it ended."""
    return tuning.get("end_reason") not in (None, "budget", "interrupted")


@dataclass(frozen=True)
class Tuning(_Document):
    """The setting that tune found; str() is the answer. `raw` is docs/reference/schema/tuning.schema.json."""

    answer: Answer
    setting: dict  #: batch_size, threads, instances, precision, engine, ...
    recommendation: Recommendation | None
    feasible: bool  #: it keeps the bounds that were asked for
    complete: bool  #: False: the budget ended the search before it was over; resume=True goes on
    points: tuple[dict, ...]  #: all that were measured, the best first
    run: Run
    raw: dict = field(repr=False)

    def __str__(self):
        return str(self.answer)

    @classmethod
    def of(cls, analysis, run):
        raw = {**(analysis.raw.get("tunings") or [{}])[0], "answer": analysis.raw.get("answer") or {}}
        found = raw.get("recommendation")
        return cls(answer=analysis.answer, setting=setting_of(found or {}), feasible=bool(raw.get("feasible")),
                   complete=is_complete(raw), recommendation=Recommendation.of(found) if found else None,
                   points=tuple(raw.get("points") or ()), run=run, raw=raw)


@dataclass(frozen=True)
class LargestBatch(_Document):
    """The largest batch that fits into memory; str() is the answer, int() the safe size.

    Of several configurations the first; `raw["configs"]` has all (docs/reference/schema/max-batch.schema.json).
    """

    answer: Answer
    max_batch_size: int  #: the largest that fits; 0: not even one sample
    safe_batch_size: int | None  #: ran for the soak time with the margin free
    complete: bool  #: False: the search was ended before it was over
    bounded_by: str  #: why it is not larger: "out-of-memory", "ceiling", "failed", "max-batch-size", "none"
    limit_bytes: int | None
    run: Run
    raw: dict = field(repr=False)

    def __str__(self):
        return str(self.answer)

    def __int__(self):
        return self.safe_batch_size or 0

    @classmethod
    def of(cls, analysis, run):
        raw = analysis.raw
        first = (raw.get("configs") or [{}])[0]
        return cls(answer=analysis.answer, max_batch_size=first.get("max_batch_size", 0), raw=raw, run=run,
                   safe_batch_size=first.get("safe_batch_size"), complete=bool(first.get("complete")),
                   bounded_by=first.get("bounded_by", ""), limit_bytes=(raw.get("limit") or {}).get("bytes"))


@dataclass(frozen=True)
class Plan(_Document):
    """How to batch requests; str() is a sentence. `raw` is docs/reference/schema/plan.schema.json."""

    message: str
    feasible: bool  #: some policy keeps the bound
    policy: str  #: "fixed-timeout", "take-all", "good-sizes", "token-budget"; empty where none is feasible
    settings: dict  #: of the policy: max_batch, max_delay_ms, ...
    instances: int
    p99_ms: float | None
    raw: dict = field(repr=False)

    def __str__(self):
        return self.message

    @classmethod
    def of(cls, raw):
        best = raw.get("recommended") or {}
        settings = {name: value for name, value in (best.get("values") or {}).items() if value is not None}
        return cls(message=raw.get("message", ""), feasible=bool(raw.get("feasible")), policy=best.get("policy", ""),
                   raw=raw, settings=settings, instances=raw.get("instances", 1), p99_ms=best.get("p99_ms"))


@dataclass(frozen=True)
class Verdict(_Document):
    """Whether the new version is slower; str() is the answer. `raw` is docs/reference/schema/compare.schema.json."""

    verdict: str  #: "slower", "faster", "equal", "not-slower", "cannot-tell"
    message: str
    advice: str  #: what to add where it cannot tell
    margin: float  #: slowdown that was tolerated; 0.02 is 2 %
    comparisons: tuple[Comparison, ...]
    run: Run | None  #: None where runs were compared
    raw: dict = field(repr=False)

    @property
    def undecided(self) -> bool:
        return self.verdict == "cannot-tell"

    @property
    def slower(self) -> bool:
        """Shown to be slower by more than the margin."""
        return self.verdict == "slower"

    def __str__(self):
        return " ".join(filter(None, (self.message, self.advice)))

    @classmethod
    def of(cls, raw, run):
        words = {name: raw.get(name, "") for name in ("verdict", "message", "advice")}
        return cls(**words, margin=raw.get("margin", 0.0), comparisons=each_of(Comparison, raw.get("comparisons")),
                   run=run, raw=raw)


@dataclass(frozen=True)
class Doctor(_Document):
    """What works on this machine, and what disturbs measurements; str() is a table."""

    checks: tuple[Check, ...]
    raw: dict = field(repr=False)

    @property
    def problems(self) -> tuple[Check, ...]:
        """What disturbs or is missing."""
        return tuple(check for check in self.checks if check.status not in ("ok", "info"))

    def __str__(self):
        rows = [f"{check.status:<8} {check.name:<20} {check.value}" for check in self.checks]
        return "\n".join(rows + [f"fix {check.name}: {check.fix}" for check in self.problems if check.fix])

    @classmethod
    def of(cls, raw):
        return cls(checks=each_of(Check, raw.get("checks")), raw=raw)


@dataclass(frozen=True)
class Preview(_Document):
    """What would be measured, and how long that takes: of dry_run=True."""

    visits: int | None
    likely_s: float | None
    raw: dict = field(repr=False)

    def __str__(self):
        return self.to_json()

    @classmethod
    def of(cls, raw):
        return cls(visits=raw.get("visits"), likely_s=(raw.get("estimated_s") or {}).get("likely"), raw=raw)
