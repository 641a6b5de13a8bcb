"""Run files with fields missing or nonsense, lines swapped, repeated and torn, bits flipped."""

import json

from .. import byte_changes, record_changes, special
from ..tries import Try
from . import readers


def _resume(rng, corpus):
    """Going on with a run file that something else has changed. Fields are left alone: they say how much to measure."""
    name = rng.choice(["plain", "two", "failing"])
    lines = corpus.runs[name].split(b"\n")
    data = b"\n".join(lines[: rng.randrange(1, len(lines))]) + rng.choice([b"", b"\n"])
    data, done = byte_changes.change(rng, data, 1)
    return Try(f"resume {name}: {done}", ["profile", "--resume", "-o", "run.jsonl", "-q", *rng.choice([[], ["--force"]])],
               {"run.jsonl": data}, extends=frozenset({"run.jsonl"}))


_FULL_FIELDS = ("batch_size", "threads", "instances", "seq_len", "config", "block", "order", "attempt", "index", "iterations_per_sample", "blocks",
                 "samples_ns", "warmup_ns", "load_ns", "wall_ns", "memory_bytes", "physical_cores")


def _integers(rng, data):
    """Sizes, counts and times that are whole numbers of the right type, and far too large or small."""
    lines = [json.loads(line) for line in data.splitlines()]
    field, kind = rng.choice(_FULL_FIELDS), None
    holders = [line for line in lines if field in line]
    if not holders:
        field, holders = "batch_size", [line for line in lines if line["type"] == "config"]
    for holder in rng.choice([[rng.choice(holders)], holders[-1:], holders]):
        value, kind = rng.choice(special.FULL), holder["type"]
        holder[field] = [value] * len(holder[field]) if isinstance(holder[field], list) else value
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines), f"{field} of {kind}: whole numbers"


def make(rng, corpus):
    if rng.random() < 0.08:
        return _resume(rng, corpus)
    name = rng.choice(list(corpus.runs))
    change = rng.choices([byte_changes.change, record_changes.change, _integers], [35, 50, 15])[0]
    data, done = change(rng, corpus.runs[name])
    files = {"run.jsonl": data, "other.jsonl": corpus.runs["plain"]}
    arguments = readers.command(rng, "run.jsonl", "other.jsonl")
    return Try(f"{arguments[0]} of {name}: {done}", arguments, files)
