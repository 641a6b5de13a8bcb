"""Modules of torch through the program: eager, compiled, exported; training; operators; memory."""

import gzip
import json
import textwrap

import pytest

import batchscope as bs
from native import ONCE, lines, profile

torch = pytest.importorskip("torch", reason="needs torch")

MODEL = """
import torch

class Net(torch.nn.Module):
    def __init__(self, width=64):
        super().__init__()
        torch.manual_seed(1)
        self.layers = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, 4))
    def forward(self, x):
        return self.layers(x)

net = Net().eval()

def compiled():
    return torch.compile(Net().eval(), dynamic=False, backend="eager")

class Grows:
    # A row more with every call, of which each compiles anew.
    def __init__(self):
        self.model, self.rows = compiled(), 0
    def run(self):
        self.rows += 1
        return self.model(torch.zeros(self.rows, 64))

def grows(batch_size):
    return Grows().run

def hungry(batch_size):
    def run():
        return torch.ones(batch_size * 150_000_000)
    return run
"""


@pytest.fixture(autouse=True)
def model(tmp_path):
    (tmp_path / "net.py").write_text(textwrap.dedent(MODEL))


def export(tmp_path):
    scope = {}
    exec((tmp_path / "net.py").read_text(), scope)  # pylint: disable=exec-used
    torch.jit.trace(scope["net"], torch.rand(2, 64)).save(str(tmp_path / "net.pt"))


@pytest.mark.wheel
@pytest.mark.model
def test_eager_compiled_and_exported_are_one_run(program, tmp_path):
    export(tmp_path)
    done = profile(program, "-m", "python=net.py:net,torch=net.pt", "--engine", "python,torch", "--input", "x:Bx64",
                   "--compile", "off,on", "-b", "2", "--timeout", "300s", short=ONCE)
    assert done.returncode == 0, done.stderr
    configs = lines("run.jsonl", "config")
    assert [(config["engine"], config.get("compile")) for config in configs] == [
        ("python", False), ("python", True), ("torch", None)]
    outputs = {(pair["config"], pair["against"]): pair["cosine"] for pair in lines("run.jsonl", "outputs")}
    assert set(outputs) == {(1, 0), (2, 0)}
    assert min(outputs.values()) > 0.9999
    (compiled,) = (visit["compilation"] for visit in lines("run.jsonl", "visit") if "compilation" in visit)
    assert compiled["graphs"] >= 1 and compiled["total_ns"] > 0
    assert compiled.get("recompiled", 0) == 0


def loaded(tmp_path, **asked):
    """In this process: importing torch in every visit is what takes the time of the tests above."""
    from batchscope._inside import host

    return host.load({"model": f"{tmp_path / 'net.py'}:Net", "inputs": ["x:Bx64"], **asked})


def compilation(model, prepared, warmup, timed):
    for _ in range(warmup):
        prepared.run()
    model.begin_timing()
    for _ in range(timed):
        prepared.run()
    reported = model.compilation()
    return reported and json.loads(reported)


def load(tmp_path, name, **asked):
    from batchscope._inside import host

    return host.load({"model": f"{tmp_path / 'net.py'}:{name}", "inputs": ["x:Bx64"], **asked})


def test_what_a_model_compiles_by_itself_is_counted(tmp_path):
    model = load(tmp_path, "compiled")
    settled = compilation(model, model.prepare(2, None), 1, 5)
    assert (settled["graphs"], settled["recompiled_timed"]) == (1, 0)
    # Another size in the same process is one more, in its warm-up; without one, in its iterations.
    assert compilation(model, model.prepare(3, None), 1, 5)["recompiled_timed"] == 0
    late = compilation(model, model.prepare(4, None), 0, 5)
    assert (late["graphs"], late["recompiled_timed"]) == (3, 1) and late["recompiled_timed_ns"] > 0


def test_what_compiles_nothing_says_nothing(tmp_path):
    model = load(tmp_path, "Net")
    assert compilation(model, model.prepare(2, None), 1, 2) is None


def test_what_compiles_with_every_call_is_named(program):
    done = profile(program, "-m", "net.py:grows", "-b", "1", short=ONCE)
    assert done.returncode == 0, done.stderr
    assert lines("run.jsonl", "visit")[0]["compilation"]["recompiled_timed"] == 4
    findings = bs.load("run.jsonl").analyze().findings
    assert [each.id for each in findings if each.id.startswith(("cause.", "bottleneck."))] == [
        "bottleneck.recompilation"]


def test_a_module_trains(tmp_path):
    model = loaded(tmp_path, train=True, optimizer="adamw", accumulation=2)
    before = [each.clone() for each in model.body.body.module.parameters()]
    model.prepare(4, None).run()
    assert model.last_loss() > 0
    assert any((each != old).any() for each, old in zip(model.body.body.module.parameters(), before))


def test_precision_is_autocast(tmp_path):
    assert loaded(tmp_path).prepare(4, None).run().dtype == torch.float32
    assert loaded(tmp_path, precision="bf16").prepare(4, None).run().dtype == torch.bfloat16


def test_operators_are_traced(tmp_path):
    model, recording = loaded(tmp_path), tmp_path / "recording.json"
    seen = json.loads(model.diagnose(model.prepare(2, None), str(recording)))
    assert seen["traced_iterations"] == 3 and seen["traced_ns"] > 0
    events = json.loads(recording.read_text())["traceEvents"]
    assert "aten::addmm" in {event["name"] for event in events}
    assert {event["name"] for event in events if event.get("cat") == "user_annotation"} == {
        f"ProfilerStep#{step}" for step in range(3)}


def test_a_trace_is_kept_of_each_size(program):
    done = profile(program, "-m", "net.py:net", "--input", "x:Bx64", "-b", "1,4", "--diagnose", "--only", "trace",
                   "--verify", "off", "--verify-causes", "off", short=ONCE)
    assert done.returncode == 0, done.stderr
    found = [visit["diagnosis"] for visit in lines("run.jsonl", "visit") if "diagnosis" in visit]
    assert len(found) == 2
    for diagnosis in found:
        assert diagnosis["tracer"] == "torch.profiler"
        with gzip.open(diagnosis["trace_file"], "rt") as kept:
            events = json.load(kept)["traceEvents"]
        (calls,) = (each["calls"] for each in diagnosis["operations"] if each["name"] == "aten::addmm")
        assert calls == sum(event["name"] == "aten::addmm" for event in events) == 2 * diagnosis["traced_iterations"]


def test_a_memory_limit_is_an_event(program):
    done = profile(program, "-m", "net.py:hungry", "-b", "1,4", "--memory-limit", "1500MiB", short=ONCE)
    assert done.returncode == 0, done.stderr
    events = [event for event in lines("run.jsonl", "event") if event["kind"] != "warning"]
    assert {(event["kind"], event["config"]) for event in events} == {("out-of-memory", 1)}


def test_a_module_without_inputs_says_so(program):
    done = profile(program, "-m", "net.py:net", "-b", "1")
    assert done.returncode == 2
    assert "is an nn.Module with unknown inputs" in done.stderr and "--input x:Bx3x224x224" in done.stderr
