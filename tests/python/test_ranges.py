"""bs.range and bs.Profiler."""

import asyncio
import json
import threading

import pytest

from native import _core

import batchscope as bs


def recorded(work):
    with bs.Profiler() as profiler:
        work()
    return profiler.ranges()


def test_a_range_outside_a_profiler_is_nothing():
    with bs.range("unseen"):
        pass
    assert recorded(lambda: None) == []


def test_ranges_nest():
    def work():
        with bs.range("outer"):
            with bs.range("inner"):
                pass

    outer, inner = recorded(work)
    assert (outer["name"], outer["parent"]) == ("outer", None)
    assert (inner["name"], inner["parent"]) == ("inner", outer["number"])
    assert outer["begin_ns"] <= inner["begin_ns"] <= inner["end_ns"] <= outer["end_ns"]


def test_a_range_ends_when_its_body_raises():
    def work():
        with pytest.raises(KeyError):
            with bs.range("fails"):
                raise KeyError("x")

    (only,) = recorded(work)
    assert not only["open"]


def test_one_object_can_be_entered_inside_itself():
    @bs.range("factorial")
    def factorial(n):
        return 1 if n == 0 else n * factorial(n - 1)

    def work():
        assert factorial(3) == 6

    assert [each["name"] for each in recorded(work)] == ["factorial"] * 4
    assert factorial.__name__ == "factorial"


def test_every_thread_has_ranges_of_its_own():
    def work():
        def one():
            with bs.range("there"):
                pass

        threads = [threading.Thread(target=one) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    assert len({each["thread"] for each in recorded(work)}) == 3


def test_one_object_on_two_threads_ends_each_where_it_began():
    part, left = bs.range("part"), threading.Event()

    def short():
        with part:
            pass
        left.set()

    def work():
        other = threading.Thread(target=short)
        with part:
            other.start()
            assert left.wait(30)
        other.join()

    longer, shorter = sorted(recorded(work), key=lambda each: each["begin_ns"])
    assert longer["thread"] != shorter["thread"]
    assert longer["begin_ns"] <= shorter["begin_ns"] <= shorter["end_ns"] <= longer["end_ns"]


def test_profilers_are_left_and_dropped_in_any_order():
    first, second = bs.Profiler(), bs.Profiler()
    first.__enter__()
    second.__enter__()
    with pytest.raises(RuntimeError, match="already active"):
        second.__enter__()
    first.__exit__(None, None, None)
    with bs.range("x"):
        pass
    del first
    second.__exit__(None, None, None)
    with bs.range("y"):
        pass
    assert [each["name"] for each in second.ranges()] == ["x"]


def test_the_outer_profiler_goes_on_when_the_inner_is_left():
    with bs.Profiler() as outer:
        with bs.Profiler():
            pass
        with bs.range("x"):
            pass
    assert [each["name"] for each in outer.ranges()] == ["x"]


@pytest.mark.parametrize("async_", ["", "async "])
def test_a_generator_is_no_part_of_an_iteration(async_):
    scope = {}
    exec(f"{async_}def part():\n    yield 1\n", scope)  # pylint: disable=exec-used
    with pytest.raises(TypeError, match="put `with range"):
        bs.range("part")(scope["part"])


def test_a_coroutine_is_in_its_range_while_it_waits():
    @bs.range("task")
    async def task():
        await asyncio.sleep(0)
        return 5

    def work():
        assert asyncio.run(task()) == 5

    (only,) = recorded(work)
    assert only["name"] == "task" and not only["open"]


def test_a_recording_is_a_trace():
    with bs.Profiler() as profiler:
        with bs.range("step"):
            pass
    events = json.loads(profiler.chrome_trace())
    assert "step" in json.dumps(events)


@pytest.mark.parametrize("arguments", [(), (1,), ("a", "b")])
def test_a_range_takes_one_name(arguments):
    with pytest.raises(TypeError, match="name"):
        bs.range(*arguments)


def test_names_are_not_leaked():
    import sys

    name = "a name that nobody else has"
    before = sys.getrefcount(name)
    for _ in range(1000):
        with bs.range(name):
            pass
    assert sys.getrefcount(name) == before
    assert _core.range is bs.range
