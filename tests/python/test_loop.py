"""The loop around a callable: what it calls, what it leaves behind, what it says of what is raised."""

import gc
import tracemalloc

import pytest

from native import _core

from batchscope._inside import host
from batchscope._models.factory import open_object


def loaded(factory, **asked):
    request = host.Request(model=getattr(factory, "__name__", "model"), **asked)
    return host.Loaded(request, open_object(factory, request))


def test_every_iteration_is_one_call():
    calls = []
    times = _core.time_iterations(loaded(lambda batch_size: lambda: calls.append(batch_size)), 3, 25)
    assert calls == [3] * 25
    assert len(times) == 25 and all(each > 0 for each in times)


def test_what_is_raised_is_reported():
    def factory(batch_size):
        def run():
            raise LookupError("not there")

        return run

    with pytest.raises(RuntimeError, match="LookupError: not there"):
        _core.time_iterations(loaded(factory), 1, 5)


def test_a_range_that_stays_open_is_a_failure():
    from batchscope import range as named

    def factory(batch_size):
        kept = []

        def run():
            kept.append(named("open"))
            kept[-1].__enter__()

        return run

    with pytest.raises(RuntimeError, match="still open"):
        _core.time_iterations(loaded(factory), 1, 2)


def test_ten_thousand_iterations_leave_nothing():
    from batchscope import range as named

    def factory(batch_size):
        def run():
            with named("part"):
                return [batch_size] * 10

        return run

    model = loaded(factory)
    _core.time_iterations(model, 1, 1000)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(10):
        _core.time_iterations(model, 1, 1000)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 10_000
    assert resident() - settled(model) < 2_000_000


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def settled(model):
    """The resident memory after as many iterations again: what grows without end grows here too."""
    before = resident()
    _core.time_iterations(model, 1, 10_000)
    return before
