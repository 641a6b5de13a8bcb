"""Run files with fields missing or nonsense, lines swapped, repeated and torn, bits flipped."""

from .. import byte_changes, record_changes
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


def make(rng, corpus):
    if rng.random() < 0.08:
        return _resume(rng, corpus)
    name = rng.choice(list(corpus.runs))
    change = byte_changes.change if rng.random() < 0.4 else record_changes.change
    data, done = change(rng, corpus.runs[name])
    files = {"run.jsonl": data, "other.jsonl": corpus.runs["plain"]}
    arguments = readers.command(rng, "run.jsonl", "other.jsonl")
    return Try(f"{arguments[0]} of {name}: {done}", arguments, files)
