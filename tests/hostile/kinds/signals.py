"""SIGINT, SIGTERM and SIGKILL once the run file holds a random number of lines; then the run has to go on."""

import json
import signal

from ..tries import Interruption, Try

_BLOCKS, _SIZES = 8, 3
_LAW = "synthetic:affine:1ms,1ms;real=1;load=1ms"
_ARGUMENTS = ["-m", _LAW, "-b", "1,2,4", "--iterations", "2", "--warmup", "0", "--blocks", str(_BLOCKS), "--seed", "9", "-q"]


def _records(data):
    """Of the complete lines; the last may be torn."""
    return [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]


def _check(folder):
    path = folder / "cwd" / "run.jsonl"
    if not path.exists():
        return
    try:
        _records(path.read_bytes())
    except ValueError:
        yield "after the signal a complete line of the run file is no JSON"


def _integer(folder):
    records = _records((folder / "cwd" / "run.jsonl").read_bytes())
    if sum(record["type"] == "header" for record in records) != 1 or records[-1]["type"] != "end":
        yield "the resumed run has no single header, or no end"
    latest = {}
    for visit in (record for record in records if record["type"] == "visit"):
        latest.setdefault(visit["block"], []).append((visit["attempt"], visit["config"]))
    if sorted(latest) != list(range(_BLOCKS)):
        yield f"the resumed run has blocks {sorted(latest)}"
    for block, visits in latest.items():
        last = max(attempt for attempt, _ in visits)
        if sorted(config for attempt, config in visits if attempt == last) != list(range(_SIZES)):
            yield f"block {block} of the resumed run is not complete, or holds a visit twice"


def make(rng, _):
    number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL])
    lines = rng.choice([0, 1, rng.randrange(2, 5), *[rng.randrange(5, 30) for _ in range(5)]])
    isolation = rng.choice([[], ["--isolation", "block"], ["--isolation", "none"], ["--memory-limit", "1GiB"]])

    def complete(outcome):
        if outcome.code == 0 and lines and not outcome.signal_sent:
            return None
        return Try("resume", ["profile", *_ARGUMENTS, *isolation, "--resume", "-o", "run.jsonl"], extends=frozenset({"run.jsonl"}), check=_integer)

    return Try(f"{signal.Signals(number).name} after {lines} lines", ["profile", *_ARGUMENTS, *isolation, "--resume", "-o", "run.jsonl"],
               interruption=Interruption(number, "run.jsonl", lines), follows=complete, check=_check)
