"""What analyses say, as objects. Each has in `raw` what the program printed, also what has no field of its own yet."""

from dataclasses import dataclass, field
from typing import Any


def _number(value):
    return f"{value:.4g}" if value is not None else "unknown"


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, in the unit of what it is of; None where that is not known."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self):
        if self.low is None or self.high is None:
            return _number(self.value)
        return f"{_number(self.value)} [{_number(self.low)}, {_number(self.high)}]"

    @classmethod
    def of(cls, raw):
        """From {"value", "ci_low", "ci_high"}; None for none."""
        return cls(raw.get("value"), raw.get("ci_low"), raw.get("ci_high")) if raw else None

    @classmethod
    def in_columns(cls, raw, name, unit=""):
        """From "time_ms", "time_ci_low_ms", "time_ci_high_ms" of a row."""
        stem = name.removesuffix(unit)
        ends = raw.get(f"{stem}_ci_low{unit}"), raw.get(f"{stem}_ci_high{unit}")
        return cls(raw.get(name), *ends)


#: What makes a setting, in every document of the program.
SETTING = ("engine", "model", "batch_size", "seq_len", "length_mix", "precision", "device", "threads", "instances",
           "mode", "optimizer", "checkpointing", "accumulation", "param", "compile", "gc", "loader", "pipeline",
           "environment", "huge_pages")


def setting_of(raw):
    """The part of a row that says how it was run, and not what was measured."""
    return {name: raw[name] for name in SETTING if raw.get(name) is not None}


@dataclass(frozen=True)
class Answer:
    """What leads every result: str() is its text."""

    kind: str  #: "setting", "comparison", "largest", ...
    confidence: str  #: "verified", "shown", "suspected", "cannot-tell"
    headline: str  #: one clause: Use batch 6
    setting: str  #: the setting in words; empty where the answer is none
    config: dict  #: the same by name: batch_size, threads, ...
    gain: Estimate | None  #: over `raw["gain"]["against"]`, 0.17 for 17 % more
    throughput_per_s: Estimate | None  #: samples a second
    latency_ms: Estimate | None  #: of one batch
    sure: str  #: what it rests on
    next: str  #: what to do next, and `command`, which does it
    command: str
    lines: tuple[str, ...]
    raw: dict = field(repr=False, default_factory=dict)

    def __str__(self):
        return "\n".join(self.lines)

    @classmethod
    def of(cls, raw):
        names = ("kind", "confidence", "headline", "setting", "sure", "next", "command")
        words = {name: raw.get(name, "") for name in names}
        latency = (raw.get("latency") or {}).get("typical_ms")
        return cls(**words, config=raw.get("config") or {}, gain=Estimate.of(raw.get("gain")),
                   throughput_per_s=Estimate.of(raw.get("throughput_per_s")), latency_ms=Estimate.of(latency),
                   lines=_lines(raw), raw=raw)


def _lines(raw):
    """What the answer says, with what it proposes as a call from Python."""
    lines, command = raw.get("lines", ()), raw.get("command", "")
    if not command:
        return tuple(lines)
    from batchscope._client.proposed import as_call

    return tuple(line.replace(command, as_call(command)) for line in lines)


@dataclass(frozen=True)
class Recommendation:
    """The setting to use; str() is a sentence."""

    batch_size: int | None
    setting: dict  #: all of it: batch_size, threads, instances, precision, ...
    throughput_per_s: float | None  #: samples a second, of all instances
    latency_ms: float | None  #: of one batch
    gain: Estimate | None  #: over what it is compared with, 0.17 for 17 % more
    feasible: bool  #: it keeps the bounds that were asked for
    undecided: bool  #: nothing separates it from others yet
    verified: bool  #: in separate visits not used to choose it
    withdrawn: bool  #: separate visits show that another setting is better
    ties: tuple[int, ...]  #: batch sizes that are equally fast
    good_sizes: tuple[int, ...]
    message: str
    raw: dict = field(repr=False, default_factory=dict)

    def __str__(self):
        return self.message

    @classmethod
    def of(cls, raw):
        flags = {name: bool(raw.get(name)) for name in ("feasible", "undecided", "verified", "withdrawn")}
        sizes = {name: tuple(raw.get(name) or ()) for name in ("ties", "good_sizes")}
        numbers = {name: raw.get(name) for name in ("batch_size", "throughput_per_s", "latency_ms")}
        return cls(**numbers, **flags, **sizes, setting=setting_of(raw), gain=Estimate.of(raw.get("gain")),
                   message=raw.get("message", ""), raw=raw)


@dataclass(frozen=True)
class Finding:
    """Something that is wrong or worth knowing; str() is a sentence."""

    id: str  #: "scaling.departure"
    severity: str  #: "info", "low", "medium", "high"
    status: str  #: "proven", "suspected", ...
    message: str
    fix: str  #: what to do
    doc: str  #: the command that tells what it means: "batchscope help scaling.departure"
    where: dict  #: the setting it is of
    gain: tuple[float | None, float | None] | None  #: what mending it is worth, as shares of the time: low, high
    raw: dict = field(repr=False, default_factory=dict)

    def __str__(self):
        return f"{self.severity}, {self.status}: {self.message}"

    @classmethod
    def of(cls, raw):
        words = {name: raw.get(name, "") for name in ("id", "severity", "status", "message", "fix", "doc")}
        gain = raw.get("gain")
        ends = (gain.get("low"), gain.get("high")) if gain else None
        return cls(**words, where=raw.get("where") or {}, gain=ends, raw=raw)


@dataclass(frozen=True)
class Config:
    """A setting and what was measured of it: a row of the scaling table."""

    model: str
    batch_size: int | None
    engine: str
    precision: str
    device: str
    threads: int | None
    instances: int | None
    mode: str
    seq_len: int | None
    time_ms: Estimate  #: typical time of one batch
    per_sample_ms: Estimate
    throughput_per_s: Estimate  #: samples a second, of all instances
    visits: int  #: fresh processes it was measured in, unless isolation says otherwise
    verdict: str  #: "ok", "suspect", "proven" (slow), "untestable"
    group: int | None  #: rows that differ in nothing but the batch size
    raw: dict = field(repr=False, default_factory=dict)

    @property
    def setting(self) -> dict:
        return setting_of(self.raw)

    @classmethod
    def of(cls, raw):
        words = {name: raw.get(name, "") for name in ("model", "engine", "precision", "device", "mode", "verdict")}
        numbers = {name: raw.get(name) for name in ("batch_size", "threads", "instances", "seq_len", "group")}
        throughput = Estimate(raw.get("throughput_per_s"), raw.get("throughput_ci_low"), raw.get("throughput_ci_high"))
        return cls(**words, **numbers, time_ms=Estimate.in_columns(raw, "time_ms", "_ms"), throughput_per_s=throughput,
                   per_sample_ms=Estimate.in_columns(raw, "per_sample_ms", "_ms"), visits=raw.get("n", 0), raw=raw)


@dataclass(frozen=True)
class Comparison:
    """Two values of one axis against each other, or two runs; str() is a sentence."""

    axis: str  #: what differs: "model", "engine", ...; empty between runs
    base: str
    other: str
    ratio: Estimate | None  #: time of `other` over that of `base`; 1.08 is 8 % slower
    significant: bool
    config: dict  #: the setting of `base`
    message: str
    raw: dict = field(repr=False, default_factory=dict)

    def __str__(self):
        return self.message

    @classmethod
    def of(cls, raw):
        words = {name: raw.get(name, "") for name in ("axis", "base", "other", "message")}
        return cls(**words, ratio=Estimate.of(raw.get("ratio")), significant=bool(raw.get("significant")),
                   config=raw.get("config") or {}, raw=raw)


@dataclass(frozen=True)
class Check:
    """One thing that doctor looked at."""

    name: str
    status: str  #: "ok", "info", "warning", "missing"
    value: str
    explanation: str
    fix: str  #: how to get what is missing, or to end what disturbs; may be empty
    raw: dict = field(repr=False, default_factory=dict)

    @classmethod
    def of(cls, raw):
        return cls(**{name: raw.get(name, "") for name in ("name", "status", "value", "explanation", "fix")}, raw=raw)


def each_of(kind: Any, raws):
    return tuple(kind.of(raw) for raw in raws or ())
