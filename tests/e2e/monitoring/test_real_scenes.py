"""Programs on this machine that keep a GPU waiting, each for another reason, told apart by real signals; only the GPU
is the fake driver's."""

import json
import os
import pathlib
import sys

import pytest

from monitored import Machine, gpus
from scenes import MIB

pytestmark = pytest.mark.alone  # another test's work on the CPUs and the disk is a signal too

SCENES = str(pathlib.Path(__file__).with_name("scenes.py"))
SECONDS = "10"


@pytest.fixture
def machine(program, tmp_path):
    made = Machine(program, tmp_path)
    if not (made.driver / "libnvidia-ml.so.1").exists():
        pytest.skip(f"no driver library in {made.driver}: the target device_tests makes it")
    made.describe(gpus(1, utilization={"gpu": 25, "memory": 5}, power_milliwatts=150000))
    return made


@pytest.fixture
def large_file(tmp_path):
    file = tmp_path / "data.bin"
    with file.open("wb") as data:
        for _ in range(256):
            data.write(os.urandom(MIB))
        data.flush()
        os.fsync(data.fileno())
    try:
        os.close(os.open(file, os.O_RDONLY | os.O_DIRECT))
    except OSError as refused:
        pytest.skip(f"no reading beside the page cache in {tmp_path}: {refused}")
    return file


def found(cli, machine, *scene):
    """What was found of the GPU while the scene went on: {id: message}."""
    done = cli.run("monitor", "--interval", "250ms", "--window", "3s", "--format", "json", "--",
                   sys.executable, SCENES, *map(str, scene), env=machine.environment())
    reported = json.loads(done.stderr)
    return {each["finding"]["id"]: each["finding"]["message"] for each in reported["findings"]
            if each["finding"]["message"].startswith("GPU 0")}


def test_a_slow_loader(cli, machine):
    reported = found(cli, machine, "slow_loader", SECONDS)
    assert list(reported) == ["monitor.loading"], reported
    assert "its 1 worker uses" in reported["monitor.loading"]


def test_a_single_thread(cli, machine):
    reported = found(cli, machine, "single_thread", SECONDS)
    assert list(reported) == ["monitor.host-bound"], reported
    assert "one thread of the process" in reported["monitor.host-bound"]


def test_a_reader_that_waits_for_the_disk(cli, machine, large_file):
    reported = found(cli, machine, "disk_bound", SECONDS, large_file)
    assert list(reported) == ["monitor.disk"], reported
