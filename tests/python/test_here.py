"""isolation="none": a model is measured in this very process."""

import os
import signal
import sys

import pytest

from native import lines

import batchscope as bs
from batchscope._errors import in_keywords

SHORT = {"blocks": 2, "iterations": 3, "warmup": 1, "isolation": "none"}


def test_a_closure_is_measured_here():
    pids = set()

    def work(batch_size):
        def run():
            pids.add(os.getpid())
            return sum(range(1000 * batch_size))

        return run

    run = bs.profile(work, batch_sizes=[1, 2], **SHORT)
    assert pids == {os.getpid()}
    (header,) = lines(run.path, "header")
    assert header["plan"]["isolation"] == "none"
    assert [config.batch_size for config in run.analyze().configs] == [1, 2]
    assert all(finding.status != "proven" for finding in run.analyze().findings)


def test_a_batch_size_that_raises_is_an_event():
    def work(batch_size):
        def run():
            if batch_size == 2:
                raise MemoryError

        return run

    run = bs.profile(work, batch_sizes=[1, 2], **SHORT)
    assert {event["kind"] for event in lines(run.path, "event")} >= {"out-of-memory"}


def test_an_error_here_says_keywords():
    def work(batch_size):
        raise MemoryError

    with pytest.raises(bs.MeasurementError, match=r"or raise memory_limit"):
        bs.profile(work, batch_sizes=[1], **SHORT)


@pytest.mark.parametrize(("text", "words"), [
    ("raise --memory-limit, or --budget", "raise memory_limit, or budget"),
    ("--seq-lens: too long", "seq_lens: too long"),
    ("run `batchscope profile --budget 1m` or raise --budget", "run `batchscope profile --budget 1m` or raise budget"),
    ("numactl --cpunodebind, docker --gpus", "numactl --cpunodebind, docker --gpus"),
])
def test_flags_become_keywords(text, words):
    assert in_keywords(text, {"memory_limit", "budget", "seq_lens"}) == words


def test_values_are_those_of_the_command_line(tmp_path):
    asked = {}

    def work(batch_size, words="", width=1):
        asked.update(words=words, width=width)
        return lambda: sum(range(batch_size))

    run = bs.profile(work, batch_sizes="1-3", budget="1m", latency_budget=0.5, params={"words": ["a,b"], "width": 3},
                     output=tmp_path / "run.jsonl", **SHORT)
    assert [config.batch_size for config in run.analyze().configs] == [1, 2, 3]
    assert asked == {"words": "a,b", "width": 3}
    (header,) = lines(run.path, "header")
    assert (header["plan"]["budget_s"], header["plan"]["latency_budget_s"]) == (60, 0.5)


def test_ranges_become_phases_here():
    def work(batch_size):
        def run():
            with bs.range("part"):
                pass

        return run

    run = bs.profile(work, batch_sizes=[1], **SHORT)
    assert all("part" in {phase["name"] for phase in visit["phases"]} for visit in lines(run.path, "visit"))


def test_an_interruption_keeps_what_was_measured(tmp_path):
    calls = []

    def work(batch_size):
        def run():
            calls.append(batch_size)
            if len(calls) == 12:
                os.kill(os.getpid(), signal.SIGINT)

        return run

    with pytest.raises(KeyboardInterrupt, match="run.jsonl"):
        bs.profile(work, batch_sizes=[1, 2], output=str(tmp_path / "run.jsonl"), **{**SHORT, "blocks": 50})
    assert lines(tmp_path / "run.jsonl", "visit")


@pytest.mark.parametrize(("keywords", "words"), [
    ({"precision": "bf16"}, "precision needs fresh processes"),
    ({"batch_sizes": "one"}, "batch_sizes: .*'one'"),
    ({"budget": "soon"}, "budget: .*'soon' is not a duration"),
    ({"blocks": 2.5}, "blocks: '2.5' is not an integer"),
    ({"params": {"width": [1, 2]}}, "several values of width need fresh processes"),
    ({"threads": [1, 2]}, "several numbers of threads"),
    ({"buget": 1}, "did you mean budget"),
])
def test_what_needs_processes_is_refused(keywords, words):
    with pytest.raises(bs.UsageError, match=words):
        bs.profile(lambda batch_size: lambda: None, **{**SHORT, **keywords})


def test_a_factory_that_returns_nothing_is_refused():
    with pytest.raises(bs.UsageError, match="returned None"):
        bs.profile(lambda: None, batch_sizes=[1], **SHORT)


def test_the_process_is_left_as_it_was(monkeypatch):
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout()).train()
    torch.set_num_threads(2)
    state = torch.get_rng_state()
    with bs.Profiler() as profiler:
        bs.profile(net, batch_sizes=[1, 2], inputs={"x": "Bx4"}, **SHORT)
        with bs.range("still recorded"):
            pass
    assert torch.get_num_threads() == 2
    assert net.training and net[1].training
    assert torch.equal(torch.get_rng_state(), state)
    assert not torch.is_inference_mode_enabled()
    assert [each["name"] for each in profiler.ranges()] == ["still recorded"]


def test_a_name_is_found_in_this_process(tmp_path):
    (tmp_path / "net_here.py").write_text("import os\npids = []\ndef factory(batch_size):\n"
                                          "    return lambda: pids.append(os.getpid())\n")
    run = bs.profile("net_here.py:factory", batch_sizes=[1], **SHORT)
    assert set(sys.modules["net_here"].pids) == {os.getpid()}
    assert run.path
    with pytest.raises(bs.InputError, match="'none' not found in net_here.py"):
        bs.profile("net_here.py:none", batch_sizes=[1], **SHORT)
    with pytest.raises(bs.UsageError, match="needs fresh processes"):
        bs.profile("hf:folder", batch_sizes=[1], **SHORT)


def test_an_output_that_exists_is_kept(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("mine")
    with pytest.raises(bs.UsageError, match="exists"):
        bs.profile(lambda batch_size: lambda: None, output=str(path), **SHORT)
    assert path.read_text() == "mine"
