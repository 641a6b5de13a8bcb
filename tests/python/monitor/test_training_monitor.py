"""bs.TrainingMonitor in plain loops."""

import gc
import json
import logging
import math
import multiprocessing
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request
import weakref

import pytest

import native  # noqa: F401 - skips where the module is not built

import batchscope as bs
from batchscope._monitoring import training


def lines_of(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def steps_of(path):
    return [line for line in lines_of(path) if line["type"] == "step"]


def test_a_plain_loop_is_reported_step_by_step(tmp_path):
    log = tmp_path / "run.jsonl"
    with bs.TrainingMonitor(log, name="small", interval=0.05) as monitor:
        for step in range(20):
            monitor.log_step(loss=1 / (step + 1), learning_rate=0.1, batch_size=8)
    reported = steps_of(log)
    assert [each["step"] for each in reported] == list(range(20))
    assert reported[3]["loss"] == 0.25 and reported[3]["source"] == "small"
    assert all(each["seconds"] > 0 for each in reported)
    assert sum(each["seconds"] for each in reported) < 60
    assert any(line["type"] == "sample" for line in lines_of(log))


def test_what_is_given_goes_before_what_is_measured(tmp_path):
    log = tmp_path / "run.jsonl"
    with bs.TrainingMonitor(log) as monitor:
        monitor.log_step(100, seconds=2.5, loading_seconds=0.5)
        monitor.log_step()
    first, second = steps_of(log)
    assert (first["step"], first["seconds"], first["loading_seconds"]) == (100, 2.5, 0.5)
    assert second["step"] == 101 and "loss" not in second


def test_the_wait_for_batches_is_measured(tmp_path):
    log = tmp_path / "run.jsonl"

    def slow_loader():
        for number in range(5):
            end = time.perf_counter() + 0.02
            while time.perf_counter() < end:
                pass
            yield number

    with bs.TrainingMonitor(log) as monitor:
        assert list(take(monitor, slow_loader())) == list(range(5))
    for each in steps_of(log):
        assert 0.02 <= each["loading_seconds"] <= each["seconds"]


def take(monitor, loader):
    for batch in monitor.batches(loader):
        monitor.log_step()
        yield batch


def test_a_loss_that_is_not_finite_is_found(tmp_path):
    found = []
    with bs.TrainingMonitor(tmp_path / "run.jsonl", interval=0.05,
                            on_finding=lambda finding, ended: found.append((finding.id, ended))) as monitor:
        for step in range(30):
            monitor.log_step(loss=math.nan if step >= 20 else 1.0, seconds=0.1)
    assert any("not-finite" in id and not ended for id, ended in found)
    assert any("not-finite" in each.id and each.severity == "high" for each in monitor.findings)


def test_a_loss_that_is_not_finite_once_was_a_skipped_step(tmp_path):
    with bs.TrainingMonitor(tmp_path / "run.jsonl", interval=0.05) as monitor:
        for step in range(30):
            monitor.log_step(loss=math.nan if step == 20 else 1.0, seconds=0.1)
    assert [each.severity for each in monitor.findings if "not-finite" in each.id] == ["info"]


@pytest.mark.parametrize(("wrong", "printed"), [
    ({"loss": "x"}, "loss has to be a number, not 'x'"),
    ({"loss": [1.0]}, "loss has to be a number, not a value of type list"),
    ({"seconds": "1s"}, "seconds has to be a number, not '1s'"),
    ({"batch_size": 2.5}, "batch_size has to be an integer, not 2.5"),
    ({"batch_size": math.nan}, "batch_size has to be an integer, not nan"),
    ({"batch_size": 2**70}, f"batch_size is out of range: {2**70}"),
    ({"step": 3.7}, "step has to be an integer, not 3.7"),
    ({"step": -2**70}, f"step is out of range: {-2**70}"),
    ({"learning_rate": {}}, "learning_rate has to be a number, not a value of type dict"),
])
def test_a_step_that_is_refused_does_not_count(tmp_path, wrong, printed):
    log = tmp_path / "run.jsonl"
    with bs.TrainingMonitor(log) as monitor:
        monitor.log_step(loss=1)
        with pytest.raises(ValueError) as raised:
            monitor.log_step(**wrong)
        monitor.log_step(loss=1, batch_size=8.0)
    assert str(raised.value) == printed
    assert [each["step"] for each in steps_of(log)] == [0, 1]
    assert steps_of(log)[1]["batch_size"] == 8


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_a_step_without_its_time_is_left_out_and_training_goes_on(tmp_path, caplog, seconds):
    log = tmp_path / "run.jsonl"
    with caplog.at_level(logging.WARNING, "batchscope"), bs.TrainingMonitor(log) as monitor:
        for _ in range(2):
            monitor.log_step(seconds=seconds)
        monitor.log_step(seconds=1)
    assert [each["step"] for each in steps_of(log)] == [2]
    assert [each.message for each in caplog.records if "seconds" in each.message] == ["ignored a step: its seconds must be above 0"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_a_callback_raises_does_not_end_the_training(tmp_path):
    def broken(finding, ended):
        raise ValueError("mine")

    with bs.TrainingMonitor(tmp_path / "run.jsonl", on_finding=broken) as monitor:
        for _ in range(10):
            monitor.log_step(loss=math.inf, seconds=0.1)
    assert len(steps_of(tmp_path / "run.jsonl")) == 10


def test_metrics_are_served_while_it_runs(tmp_path):
    with bs.TrainingMonitor(prometheus="127.0.0.1:0", interval=0.02, name="served") as monitor:
        monitor.log_step(7, loss=0.5, batch_size=4, seconds=0.1)
        deadline = time.monotonic() + 60
        text = ""
        while "batchscope_training_step" not in text:
            assert time.monotonic() < deadline, text
            try:
                with urllib.request.urlopen(monitor.address + "/metrics") as answer:
                    text = answer.read().decode()
            except urllib.error.HTTPError as refused:  # before the first sample
                assert refused.code == 503
    assert 'source="served"' in text


def test_a_log_that_exists_is_kept(tmp_path):
    (tmp_path / "run.jsonl").write_text("mine\n")
    with pytest.raises(bs.UsageError, match="run.jsonl"):
        bs.TrainingMonitor(tmp_path / "run.jsonl")
    assert (tmp_path / "run.jsonl").read_text() == "mine\n"
    with bs.TrainingMonitor(tmp_path / "run.jsonl", overwrite=True) as monitor:
        monitor.log_step(loss=1)
    assert len(steps_of(tmp_path / "run.jsonl")) == 1


def test_an_address_that_is_taken_is_an_error(tmp_path):
    with bs.TrainingMonitor(prometheus="127.0.0.1:0") as first:
        with pytest.raises(bs.MeasurementError):
            bs.TrainingMonitor(prometheus=first.address.removeprefix("http://"))


def test_an_interpreter_that_ends_writes_what_has_come(tmp_path):
    script = ("import batchscope as bs, sys\nmonitor = bs.TrainingMonitor(sys.argv[1], interval=60)\n"
              "for step in range(5): monitor.log_step(loss=1.0)\n")
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "run.jsonl")], check=True, timeout=120)
    assert len(steps_of(tmp_path / "run.jsonl")) == 5


def test_steps_are_profiled_within_a_bound(tmp_path):
    torch = pytest.importorskip("torch")
    folder = tmp_path / "profiles"
    weights = torch.rand(64, 64)
    with bs.TrainingMonitor(tmp_path / "run.jsonl", profile_every=20, profile_steps=3, profile_folder=folder,
                            profile_overhead=0.5) as monitor:
        for _ in range(60):
            (weights @ weights).sum()
            monitor.log_step(loss=1.0)
    files = [each["profile_file"] for each in steps_of(tmp_path / "run.jsonl") if each.get("profile_file")]
    assert files and all(pathlib.Path(each).exists() for each in files)
    trace = bs.trace(files[0])
    assert len(trace.raw.get("host_operators", trace.raw)) > 0


CLOSES_ITSELF = """
import sys
import batchscope as bs

class Told:
    def __call__(self, finding, ended):
        monitor.close()
        print("closed by", finding.id, flush=True)

told = Told()
monitor = bs.TrainingMonitor(sys.argv[1], interval=0.05, on_finding=told)
while not monitor.findings:
    monitor.log_step(loss=float("nan"), seconds=0.1)
monitor.close()
print("closed again")
"""


def test_a_callback_may_close_what_calls_it(tmp_path):
    done = subprocess.run([sys.executable, "-c", CLOSES_ITSELF, str(tmp_path / "run.jsonl")], capture_output=True, text=True,
                          timeout=120, check=True)
    assert done.stdout.splitlines() == ["closed by training.loss-not-finite", "closed again"]
    assert "leaked" not in done.stderr
    assert steps_of(tmp_path / "run.jsonl")


def test_what_a_callback_holds_is_let_go_with_the_monitor(tmp_path):
    class Holder:
        def reported(self, finding, ended):
            pass

    holder = Holder()
    holder.monitor = bs.TrainingMonitor(tmp_path / "run.jsonl", on_finding=holder.reported)
    holder.monitor.close()
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


PRINTS_AT_ITS_END = """
import sys, time
import batchscope as bs

def loader():
    for number in range(20):
        end = time.perf_counter() + 0.003
        while time.perf_counter() < end:
            pass
        yield number

how = sys.argv[1]
monitor = bs.TrainingMonitor(quiet=how == "quiet")
for batch in monitor.batches(loader()):
    monitor.log_step(batch_size=8)
if how == "raises":
    raise ValueError("mine")
if how == "closes":
    monitor.close()
"""


@pytest.mark.parametrize("how", ["ends", "closes", "raises", "quiet"])
def test_the_end_is_printed_once_and_last(how):
    done = subprocess.run([sys.executable, "-c", PRINTS_AT_ITS_END, how], capture_output=True, text=True, timeout=120, check=False)
    lines = done.stderr.splitlines()
    assert done.returncode == (how == "raises") and done.stdout == ""
    if how == "quiet":
        assert lines == []
        return
    first = [at for at, line in enumerate(lines) if line.startswith("batchscope: 20 steps of ")]
    assert len(first) == 1 and (first[0] > 0) == (how == "raises")
    assert [line.split(":")[0] for line in lines[first[0] + 1:]] == ["  fix", "  time", "  more"]
    assert ": waiting for the loader takes " in lines[first[0]]


def test_a_process_that_was_forked_prints_nothing(capfd, tmp_path):
    monitor = bs.TrainingMonitor(tmp_path / "run.jsonl")
    monitor.log_step(seconds=1)
    child = multiprocessing.get_context("fork").Process(target=training._close_all)
    child.start()
    child.join()
    assert child.exitcode == 0 and capfd.readouterr().err == ""
    monitor.close()
    assert capfd.readouterr().err.startswith("batchscope: 1 step of 1 s: too few")


def test_what_was_wrong_is_printed_with_its_fix(tmp_path, capsys):
    with bs.TrainingMonitor(tmp_path / "run.jsonl") as monitor:
        for step in range(40):
            monitor.log_step(loss=math.nan if step >= 20 else 1.0, seconds=0.1, loading_seconds=0.05)
        assert monitor.active is not None
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "batchscope: 40 steps of 100 ms: waiting for the loader takes 50 % of the time."
    assert lines[2].startswith("  high: ") and lines[3].startswith("  fix: ")
    assert lines[4:] == ["  time: load 50 %, other 50 %", f"  more: batchscope report {tmp_path}/run.jsonl -o report.html"]
    assert any(each.id == "training.loss-not-finite" for each in monitor.findings)
