"""Assertions for test suites. Beside each other (pytest-xdist) they take turns, by a lock of the user on a machine."""

from __future__ import annotations

from typing import Any

from batchscope._client import turns, verbs
from batchscope._client.folder import Folder
from batchscope._client.outcomes import LargestBatch, Verdict
from batchscope._errors import MeasurementError, Undecided


def assert_not_slower(
        new: Any, old: Any, margin: float | str = 0.03, *, allow_inconclusive: bool = False, progress: bool = False,
        **flags: Any,
) -> Verdict:
    """Fails when `new` is shown to be slower than `old` by more than the margin.

    Both are measured in turn in one run, in fresh processes. Raises AssertionError with the answer in words, and
    Undecided, an AssertionError too, where it is neither shown to be slower nor shown not to be: more blocks=, or a
    wider margin, decide it, or allow_inconclusive=True lets it pass. Keywords are those of bs.compare().

    Under pytest-xdist measurements wait for each other, but not for tests that do not measure: those disturb, both
    models alike, so the verdict holds but is harder to reach. Where that matters run them apart: pytest -n0 -m speed.
    """
    __tracebackhide__ = True
    with turns.turn():
        verdict = verbs.compare(old, new, margin=margin, progress=progress, **flags)
    if verdict.slower:
        raise AssertionError(str(verdict))
    if verdict.undecided and not allow_inconclusive:
        raise Undecided(str(verdict))
    return verdict


def _largest(model, keywords):
    """That not even one sample fits is an answer here."""
    try:
        return verbs.max_batch(model, **keywords)
    except MeasurementError as raised:
        found = LargestBatch.of(raised.run.analyze(), raised.run) if raised.run is not None else None
        if found is None or found.bounded_by != "out-of-memory":
            raise
        return found


def assert_fits(
        model: Any, batch_size: int, memory_limit: int | str | None = None, *, soak_time: float | str = 1,
        margin: float | str = 0, progress: bool = False, **flags: Any,
) -> LargestBatch:
    """Fails when a batch of that size does not fit into `memory_limit` (8 * 2**30, "8GiB"; None: of the machine).

    Sizes up to it are tried in processes of their own that are held to the limit; it has to run for `soak_time`
    seconds, with the share `margin` of the limit free. Raises AssertionError with the answer in words, and Undecided
    where the budget ended before it was known. Keywords are those of bs.max_batch().
    """
    __tracebackhide__ = True
    folder = Folder()
    # What ran out of memory in another run is believed elsewhere; a test tries for itself.
    flags.setdefault("ceilings", folder.file("ceilings.jsonl"))
    with turns.turn():
        found = _largest(model, {"max_batch_size": batch_size, "memory_limit": memory_limit, "soak_time": soak_time,
                                 "margin": margin, "progress": progress, **flags})
    if (found.safe_batch_size or 0) >= batch_size:
        return found
    if not found.complete:
        raise Undecided(f"it is unknown whether batch {batch_size} fits: {found}")
    raise AssertionError(f"batch {batch_size} does not fit: {found}")
