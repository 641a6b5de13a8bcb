"""bs.range as nsys and ncu are shown it, told by a tool that writes it down."""

import pathlib

import pytest

import nvtx_record
from native import _core, lines, profile  # noqa: F401  (skips where there is no module)


@pytest.fixture(autouse=True)
def built_with_nvtx(program):
    if not nvtx_record.recorder(program).exists():
        pytest.skip("built without NVTX's headers")


@pytest.fixture
def shown(program, script, tmp_path):
    """shown(text): the threads of a fresh interpreter that runs it, with their ranges."""

    def run(text):
        output = tmp_path / "nvtx.txt"
        surroundings = nvtx_record.environment(program, output)
        process = script(text, **{name: surroundings[name] for name in surroundings if name.startswith("NVTX_")})
        printed, problems = process.communicate(timeout=300)
        assert process.returncode == 0, printed + problems
        return [[repr(each) for each in thread] for thread in nvtx_record.threads(output)]

    return run


def test_a_range_is_shown_recorded_or_not(shown):
    assert shown("""
        import batchscope as bs
        with bs.range("alone"):
            with bs.range("inside"):
                pass
        with bs.Profiler() as profiler:
            with bs.range("recorded"):
                pass
        assert [each["name"] for each in profiler.ranges()] == ["recorded"]
    """) == [["alone(inside)", "recorded"]]


def test_a_range_that_a_profiler_is_entered_in_goes_on(shown):
    assert shown("""
        import batchscope as bs
        with bs.range("around"):
            with bs.Profiler():
                with bs.range("recorded"):
                    pass
            with bs.range("after"):
                pass
    """) == [["around(recorded, after)"]]


def test_a_range_ends_when_its_body_raises(shown):
    assert shown("""
        import batchscope as bs
        for recorded in (False, True):
            profiler = bs.Profiler()
            if recorded:
                profiler.__enter__()
            try:
                with bs.range("outer"), bs.range("fails"):
                    raise KeyError("x")
            except KeyError:
                pass
            with bs.range("after"):
                pass
    """) == [["outer(fails)", "after"] * 2]


def test_a_decorated_function_that_calls_itself(shown):
    assert shown("""
        import batchscope as bs
        @bs.range("factorial")
        def factorial(n):
            return 1 if n == 0 else n * factorial(n - 1)
        assert factorial(2) == 2
    """) == [["factorial(factorial(factorial))"]]


def test_every_thread_has_a_stack_of_its_own(shown):
    main, *others = shown("""
        import threading
        import batchscope as bs
        part = bs.range("part")  # one object on all of them
        def work():
            with part:
                with bs.range("inside"):
                    pass
        with bs.range("main"):
            threads = [threading.Thread(target=work) for _ in range(3)]
            for each in threads: each.start()
            for each in threads: each.join()
    """)
    assert main == ["main"]
    assert others == [["part(inside)"]] * 3


def test_tasks_that_take_turns_stay_nested(shown):
    """The one that began first ends first: what is inside it in the tool's eyes is shown as two."""
    assert shown("""
        import asyncio
        import batchscope as bs
        async def task(name, wait, done):
            with bs.range(name):
                if wait: await wait.wait()
                else: await asyncio.sleep(0)
            done.set()
        async def both():
            first, second = asyncio.Event(), asyncio.Event()
            await asyncio.gather(task("first", None, first), task("second", first, second))
        asyncio.run(both())
    """) == [["first(second)", "second"]]


def test_ranges_of_a_model_lie_in_its_iterations(program, tmp_path, monkeypatch):
    pathlib.Path("net.py").write_text("""
import batchscope as bs

def factory(batch_size):
    def run():
        with bs.range("embed"):
            with bs.range("attention"):
                pass
        with bs.range("head"):
            pass
    return run
""")
    output = tmp_path / "nvtx.txt"
    for name, value in nvtx_record.environment(program, output).items():
        monkeypatch.setenv(name, value)
    done = profile(program, "-m", "net.py:factory", "-b", "1,2")
    assert done.returncode == 0, done.stderr
    measured = [each for thread in nvtx_record.threads(output) for each in thread if " batch_size=" in each.name]
    assert len(lines("run.jsonl", "visit")) == 4
    for visit in measured[-4:]:
        assert visit.names() == ["load", "prepare", "warm-up", "timed"]
        assert [repr(each) for each in visit.inside[-1].inside] == ["iteration(embed(attention), head)"] * 4
