"""What a watched training is advised to set, by what its steps took."""

import types

import pytest

import native  # noqa: F401 - skips where the module is not built

from batchscope._monitoring import loader_advice
from batchscope._monitoring.closing_lines import closing_lines
from batchscope._monitoring.step_clock import PARTS
from batchscope._monitoring.totals import Totals


@pytest.fixture(autouse=True)
def eight_cpus(monkeypatch):
    monkeypatch.setattr(loader_advice, "_cpus", lambda: 8)


def totals_of(wait, own=0.010, steps=20, start_wait=0.0, epochs=1):
    totals = Totals()
    per_epoch = steps // epochs
    for step in range(steps + 1):  # the first does not count
        is_start = step > 0 and step % per_epoch == 1
        load = wait + (start_wait if is_start else 0.0)
        totals.add({**dict.fromkeys(PARTS, 0.0), "load": load, "other": own}, 4, is_start)
    return totals


def fix(workers, *arguments, persistent=False, **keywords):
    loader = types.SimpleNamespace(num_workers=workers, persistent_workers=persistent, batch_size=4)
    return loader_advice.fix_of(loader, totals_of(*arguments, **keywords))


def test_as_many_workers_as_batches_are_made_within_a_step():
    assert fix(0, 0.035) == "set num_workers=4 (now 0; 8 CPUs)"
    assert fix(0, 0.005) == "set num_workers=1 (now 0; 8 CPUs)"
    assert fix(0, 0.5) == "set num_workers=8 (now 0; 8 CPUs)"
    assert fix(2, 0.010) == "set num_workers=4 (now 2; 8 CPUs)"


def test_more_workers_than_processors_are_not_advised():
    assert fix(8, 0.010).startswith("make samples cheaper: 8 workers already share 8 CPUs")
    assert fix(12, 0.010).startswith("make samples cheaper: 12 workers")


def test_a_wait_as_short_as_handing_over_is_not_cured_by_workers():
    assert "a worker would not help" in fix(0, 0.001)
    assert "about as long as the wait" in fix(1, 0.0015)


def test_workers_that_start_each_epoch_are_kept():
    assert fix(2, 0.0, start_wait=0.5, epochs=4).startswith("set persistent_workers=True: most of the wait is the start of 2 workers")
    assert "persistent_workers" not in fix(2, 0.01, start_wait=0.5, epochs=4, persistent=True)


def test_a_loader_of_ones_own_has_no_number_of_workers():
    totals = totals_of(0.030)
    assert loader_advice.fix_of(iter([]), totals).startswith("load batches in other processes")
    lines = closing_lines(totals, iter([]), [], None)
    assert lines[0] == "batchscope: 21 steps of 40 ms: waiting for the loader takes 75 % of the time."
    assert lines[-1] == "  more: batchscope help training.loading"


def test_shares_are_judged_as_the_rule_does():
    assert [loader_advice.severity_of(share) for share in (0.04, 0.05, 0.15, 0.4)] == [None, "low", "medium", "high"]
