"""Models in Python through the program: visits in fresh interpreters, and what is said of what goes wrong."""

import os
import textwrap

import pytest

from native import lines, profile

MODEL = """
import os, sys

def pid(batch_size):
    print("made by", os.getpid())
    return lambda: sum(range(2000 * batch_size))

class Steps:
    def __init__(self, batch_size, width=1):
        self.size = batch_size * int(width)
    def prepare(self):
        return list(range(1000 * self.size))
    def run(self, batch):
        from batchscope import range as named
        with named("sum"):
            total = sum(batch)
        with named("sort"):
            sorted(batch)
        return total

def nothing(batch_size):
    return None

def refuses(batch_size):
    if batch_size == 2:
        raise ValueError("two is odd")
    return lambda: None

def odd_run(batch_size):
    def run():
        if batch_size == 2:
            raise ValueError("two is odd")
    return run

def colour(batch_size, hue):
    return lambda: None

def leaves(batch_size):
    return lambda: sys.exit(7)

def memory(batch_size):
    def run():
        if batch_size == 2:
            raise MemoryError("no more")
    return run

def dies(batch_size):
    def run():
        if batch_size == 2:
            os.kill(os.getpid(), 11)
    return run

def loud(batch_size):
    line = "x" * 1_000_000
    def run():
        if batch_size == 2:
            for _ in range(50):
                print(line)
    return run

def forks(batch_size):
    import subprocess
    subprocess.Popen(["sleep", "600"])
    return lambda: None

def threads(batch_size):
    import threading
    threading.Thread(target=lambda: threading.Event().wait()).start()
    return lambda: None
"""


@pytest.fixture(autouse=True)
def model(tmp_path):
    (tmp_path / "net.py").write_text(textwrap.dedent(MODEL))


def test_every_visit_is_a_fresh_interpreter(program):
    done = profile(program, "-m", "net.py:pid", "-b", "1,2")
    assert done.returncode == 0, done.stderr
    visits = lines("run.jsonl", "visit")
    assert len(visits) == 4
    assert all(visit["samples_ns"] and visit["clock"] == "steady" for visit in visits)
    (header,) = lines("run.jsonl", "header")
    assert header["versions"]["python"]
    assert {config["engine"] for config in lines("run.jsonl", "config")} == {"python"}


def test_a_module_in_the_folder_is_found(program):
    assert profile(program, "-m", "net:pid", "-b", "1").returncode == 0


def test_ranges_become_phases(program):
    done = profile(program, "-m", "net.py:Steps", "-b", "2")
    assert done.returncode == 0, done.stderr
    for visit in lines("run.jsonl", "visit"):
        named = {phase["name"]: phase["count"] for phase in visit["phases"]}
        assert named["sum"] == named["sort"] == 4


def test_a_parameter_is_an_axis(program):
    done = profile(program, "-m", "net.py:Steps", "-b", "1", "--param", "width=1,8")
    assert done.returncode == 0, done.stderr
    assert [config["param"] for config in lines("run.jsonl", "config")] == [{"width": "1"}, {"width": "8"}]
    assert "width=8" in done.stdout


def test_the_collector_is_an_axis_and_is_counted(program):
    done = profile(program, "-m", "net.py:pid", "-b", "1", "--gc", "on,off")
    assert done.returncode == 0, done.stderr
    assert all("collections" in visit for visit in lines("run.jsonl", "visit"))


@pytest.mark.parametrize(("name", "code", "words"), [
    ("absent", 3, "'absent' not found in net.py"),
    ("nothing", 3, "returned None"),
    ("colour", 3, "parameter 'hue' of"),
    ("leaves", 3, "sys.exit(7)"),
])
def test_a_wrong_factory_is_named_before_anything_is_measured(program, name, code, words):
    done = profile(program, "-m", f"net.py:{name}", "-b", "1,2")
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert not os.path.exists("run.jsonl")


def test_a_name_that_no_factory_takes_is_refused(program):
    done = profile(program, "-m", "net.py:Steps", "-b", "1", "--param", "depth=3")
    assert "has no parameter 'depth'" in done.stderr and "batch_size, width" in done.stderr


def test_a_setting_that_a_factory_does_not_take_is_refused(program):
    done = profile(program, "-m", "net.py:Steps", "-b", "1", "--precision", "bf16")
    assert "has no parameter 'precision'" in done.stderr


@pytest.mark.parametrize(("name", "kind", "words"), [
    ("refuses", "error", "two is odd"),
    ("odd_run", "error", "ValueError: two is odd"),
    ("memory", "out-of-memory", "MemoryError"),
    ("dies", "crash", "SIGSEGV"),
])
def test_what_befalls_a_batch_size_is_an_event_of_it(program, name, kind, words):
    done = profile(program, "-m", f"net.py:{name}", "-b", "1,2")
    assert done.returncode == 0, done.stderr
    events = [event for event in lines("run.jsonl", "event") if event["kind"] != "warning"]
    assert {event["kind"] for event in events} == {kind}
    assert {event["config"] for event in events} == {1}
    assert words in events[0]["message"]
    assert {visit["config"] for visit in lines("run.jsonl", "visit")} == {0}


def test_the_traceback_is_shortened_to_the_users_frames(program):
    profile(program, "-m", "net.py:odd_run", "-b", "1,2")
    (message,) = {event["message"] for event in lines("run.jsonl", "event") if event["kind"] == "error"}
    assert "net.py:" in message and "in run" in message
    assert "host.py" not in message


def test_a_hang_costs_its_visit_alone(program, tmp_path):
    # Holding the interpreter's lock for ever: a regular expression that backtracks without end.
    (tmp_path / "hang.py").write_text(textwrap.dedent("""
        import re
        def net(batch_size):
            return lambda: re.match("(a+)+b", "a" * 64) if batch_size == 2 else None
    """))
    done = profile(program, "-m", "hang.py:net", "-b", "1,2", "--timeout", "3s")
    assert done.returncode == 0, done.stderr
    assert {event["kind"] for event in lines("run.jsonl", "event") if event["kind"] != "warning"} == {"timeout"}


def test_a_flood_of_output_is_no_failure(program):
    done = profile(program, "-m", "net.py:loud", "-b", "1,2")
    assert done.returncode == 0, done.stderr
    assert len(lines("run.jsonl", "visit")) == 4
    assert len(done.stdout) < 10_000


@pytest.mark.parametrize("name", ["forks", "threads"])
def test_what_a_model_leaves_running_ends_with_its_visit(program, name):
    done = profile(program, "-m", f"net.py:{name}", "-b", "1")
    assert done.returncode == 0, done.stderr
    started = str(os.getcwd())
    left = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/cwd") == started and int(pid) != os.getpid():
                left.append(pid)
        except OSError:
            continue
    assert left == []


def test_an_interpreter_without_the_package_is_named(program, tmp_path):
    bare = tmp_path / "bare"
    bare.write_text("#!/bin/sh\necho \"ModuleNotFoundError: No module named 'batchscope'\" >&2\nexit 1\n")
    bare.chmod(0o755)
    import subprocess

    done = subprocess.run([program, "profile", "-m", "net.py:pid", "-b", "1", "--python", str(bare), "-o", "x.jsonl"],
                          capture_output=True, text=True)
    assert done.returncode == 1
    assert "No module named 'batchscope'" in done.stderr and "pip install" in done.stderr


def test_a_run_is_resumed(program):
    assert profile(program, "-m", "net.py:pid", "-b", "1,2").returncode == 0
    with open("run.jsonl", encoding="utf-8") as file:
        kept = file.read().split("\n")
    with open("run.jsonl", "w", encoding="utf-8") as file:
        file.write("\n".join(line for line in kept if '"end"' not in line and '"block":1' not in line))
    import subprocess
    import sys

    done = subprocess.run([program, "profile", "--resume", "--python", sys.executable, "-o", "run.jsonl", "-q"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(lines("run.jsonl", "visit")) == 4


def test_several_instances_run_at_once(program):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two processors")
    done = profile(program, "-m", "net.py:pid", "-b", "1", "--instances", "2", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert all(len(visit["instance_samples"]) == 2 for visit in lines("run.jsonl", "visit"))


def test_texts_and_lengths_reach_a_factory(program, tmp_path):
    (tmp_path / "seq.py").write_text("def net(batch_size, seq_len):\n    return lambda: sum(range(batch_size * seq_len))\n")
    done = profile(program, "-m", "seq.py:net", "-b", "2", "--seq-lens", "8,32")
    assert done.returncode == 0, done.stderr
    assert [config["seq_len"] for config in lines("run.jsonl", "config")] == [8, 32]
    done = profile(program, "-m", "seq.py:net", "-b", "2", "--seq-lens", "8-32:uniform", output="mix.jsonl")
    assert done.returncode == 0, done.stderr
    assert all(visit["iterations_per_sample"] == 16 for visit in lines("mix.jsonl", "visit"))


THREADS = """
import os

def net(batch_size):
    seen = os.environ["OMP_NUM_THREADS"]
    def run():
        from batchscope import range as named
        with named("threads " + seen):
            pass
    return run
"""


@pytest.mark.parametrize(("words", "seen"), [((), "1"), (("--env", "OMP_NUM_THREADS=7"), "7")])
def test_threads_are_those_of_the_run_not_of_the_shell(program, tmp_path, monkeypatch, words, seen):
    (tmp_path / "threads.py").write_text(THREADS)
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert profile(program, "-m", "threads.py:net", "-b", "1", "--threads", "1", *words).returncode == 0
    for visit in lines("run.jsonl", "visit"):
        assert f"threads {seen}" in {phase["name"] for phase in visit["phases"]}


def test_a_process_may_serve_a_full_block(program):
    done = profile(program, "-m", "net.py:Steps", "-b", "1,2", "--gc", "off,on", "--isolation", "block")
    assert done.returncode == 0, done.stderr
    assert len(lines("run.jsonl", "visit")) == 8


def test_tune_finds_a_setting(program):
    import json
    import subprocess
    import sys

    done = subprocess.run([program, "tune", "-m", "net.py:pid", "-b", "1,2,4", "--threads", "1", "--budget", "8s", "--seed", "1",
                           "--python", sys.executable, "-o", "tune.jsonl", "--format", "json", "-q"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answer"]["kind"] == "setting"


def test_the_largest_batch_is_found(program):
    import subprocess
    import sys

    done = subprocess.run([program, "tune", "--max-batch-only", "-m", "net.py:pid", "--max-batch-size", "8", "--soak-time", "1s",
                           "--python", sys.executable, "-o", "max.jsonl", "-q"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Batch 8 fits")
