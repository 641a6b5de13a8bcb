"""Traces that profilers recorded: where the device's time went."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from batchscope._client.arguments import words_for
from batchscope._client.outcomes import _Document
from batchscope._client.program import call
from batchscope._client.results import Finding
from batchscope._client.run import parsed
from batchscope._errors import UsageError, shown

_TABLES = ("devices", "steps", "kernels", "operators", "places", "gaps", "memory", "activities")


@dataclass(frozen=True)
class Trace(_Document):
    """A trace, or the ranks of a job; str() is the answer. `raw` is docs/reference/schema/trace.schema.json."""

    message: str
    devices: tuple[dict, ...]  #: of all ranks: id, wall_ns, compute_ns, idle_ns, idle {data_loading_ns, ...}
    steps: tuple[dict, ...]
    findings: tuple[Finding, ...]  #: worst first
    ranks: tuple[dict, ...]  #: each as a trace of its own
    files: tuple[str, ...]
    raw: dict = field(repr=False)

    def __str__(self):
        return self.message

    @classmethod
    def of(cls, raw, files):
        ranks = tuple(raw.get("ranks") or (raw,))
        found = [*raw.get("findings", ()), *(each for rank in raw.get("ranks") or () for each in rank["findings"])]
        return cls(message=raw["message"], devices=_of_all(ranks, "devices"), steps=_of_all(ranks, "steps"),
                   findings=tuple(Finding.of(each) for each in found), ranks=ranks, files=files, raw=raw)

    def to_pandas(self, table: str = "steps"):
        """A DataFrame: a row for each step and device, device, kernel, operator, place, gap, moment of memory, or activity.

        table: "steps" (or "devices" where there are none), "devices", "kernels", "operators", "places" (what of the
            host idle time lies in), "gaps", "memory";
            "activities" reads the files again and has a row for everything that was recorded.
        """
        if table not in _TABLES:
            raise UsageError(f"to_pandas() has no table {shown(table)} (choose {', '.join(_TABLES)})")
        pandas = _pandas()
        if table == "activities":
            tables = [_activities(pandas, each, rank.get("rank")) for each, rank in zip(self.files, self.ranks, strict=True)]
            return pandas.concat(tables, ignore_index=True) if len(tables) > 1 else tables[0]
        return pandas.DataFrame(_ROWS[table if self.steps or table != "steps" else "devices"](self.ranks))


def _pandas():
    try:
        import pandas
    except ImportError:
        raise UsageError("to_pandas() needs pandas, which is not installed (pip install pandas; or read .raw)") from None
    return pandas


def _of_all(ranks, name):
    return tuple({**({"rank": rank["rank"]} if "rank" in rank else {}), **each} for rank in ranks for each in rank[name])


def _flat(parts):
    """{"idle": {"launch_ns": 1}} -> {"idle_launch_ns": 1}; lists are left out."""
    flat = {name: value for name, value in parts.items() if not isinstance(value, (dict, list))}
    flat.update({f"idle_{name}": value for name, value in parts.get("idle", {}).items()})
    return flat


def _devices(ranks):
    return [_flat(each) for each in _of_all(ranks, "devices")]


def _steps(ranks):
    return [{**_flat(step), **{"device": device["id"]}, **{k: v for k, v in _flat(device).items() if k != "id"}}
            for step in _of_all(ranks, "steps") for device in step["devices"]]


def _gaps(ranks):
    return [{"device": device["id"], **gap} for device in _of_all(ranks, "devices") for gap in device["largest_gaps"]]


def _places(ranks):
    return [{"device": device["id"], **place} for device in _of_all(ranks, "devices") for place in device["places"]]


def _memory(ranks):
    return [{"device": each["device"], **moment} for each in _of_all(ranks, "memory") for moment in each["timeline"]]


_ROWS = {"devices": _devices, "steps": _steps, "gaps": _gaps, "places": _places, "memory": _memory,
         "kernels": lambda ranks: list(_of_all(ranks, "kernels")),
         "operators": lambda ranks: list(_of_all(ranks, "operators"))}


def _activities(pandas, path, rank):
    import numpy

    from batchscope._core import read_trace

    columns, names = read_trace(path)
    frame = pandas.DataFrame({name: numpy.frombuffer(data, dtype=dtype) for name, (dtype, data) in columns.items()})
    for name in ("name", "kind"):
        frame[name] = pandas.Categorical.from_codes(frame[name].astype("int64"), categories=names[name])
    if rank is not None:
        frame.insert(0, "rank", rank)
    return frame


def trace(*files: str | os.PathLike, step: str | None = None) -> Trace:
    """Where the time of the devices went, and what would change it.

    files: traces of torch.profiler (.json, .json.gz, .json.zst) or SQLite exports of Nsight Systems; a folder, or
        several, are the ranks of one job.
    step: ranges whose names begin so are the steps (default: ProfilerStep#, else what repeats).

    Raises InputError for a file that cannot be read or is no trace.
    """
    if not files:
        raise UsageError("trace() needs a file")
    paths = tuple(os.fspath(each) for each in files)
    done = call(["trace", *words_for("trace", {"step": step}), "--format", "json", "--", *paths])
    raw = parsed(done.printed)
    return Trace.of(raw, tuple(each["source"] for each in raw.get("ranks") or (raw,)))
