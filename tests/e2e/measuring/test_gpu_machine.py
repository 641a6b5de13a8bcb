"""What the program says of machines with NVIDIA GPUs: those that the fake driver libraries show it.

How such a machine is described is told in libs/machine/gpu/tests/fake_driver/described_machine.hpp.
"""

import json
import os

import pytest

from conftest import read_lines

GIB = 1 << 30
MACHINE = {"driver_version": "580.65.06", "cuda_version": 13020}
H100 = {
    "name": "NVIDIA H100 80GB HBM3", "memory": {"total": 80 * GIB, "used": GIB // 2}, "compute_capability": [9, 0],
    "sm_clock_mhz": 345, "max_sm_clock_mhz": 1980, "default_sm_clock_mhz": 1980, "temperature_celsius": 31,
    "power_milliwatts": 68000, "utilization": {"gpu": 0, "memory": 0}, "throttle_reasons": 0x1, "mig": False,
    "processes": [],
}
L4 = H100 | {"name": "NVIDIA L4", "memory": {"total": 24 * GIB, "used": 0}, "compute_capability": [8, 9]}
BUSY = H100 | {
    "memory": {"total": 80 * GIB, "used": 70 * GIB}, "utilization": {"gpu": 98, "memory": 61}, "throttle_reasons": 0,
    "processes": [{"pid": 4242, "memory": 40 * GIB}, {"pid": 4243, "memory": 29 * GIB}],
}
LOST = {"name": "NVIDIA H100 80GB HBM3", "lost_after_calls": 0}
DRIVER_NOT_LOADED, LIBRARY_VERSION_MISMATCH = 9, 18
POWER_CAP, HARDWARE_THERMAL = 0x4, 0x40


@pytest.fixture
def run_on(cli, program):
    """Calls the program on a machine with these GPUs; what else it has goes into `machine`."""
    libraries = program.parent.parent / "fake_driver"
    if not (libraries / "libnvidia-ml.so.1").exists() or not (libraries / "libcuda.so.1").exists():
        pytest.skip(f"no driver libraries in {libraries}: the target device_tests makes them")

    def call(gpus, *arguments, machine=None, check=0):
        description = cli.folder / "gpus.json"
        description.write_text(json.dumps((MACHINE if machine is None else machine) | {"gpus": gpus}))
        folders = [str(libraries), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        environment = os.environ | {"LD_LIBRARY_PATH": ":".join(folders), "FAKE_GPUS": str(description)}
        return cli.run(*arguments, check=check, env=environment)
    return call


@pytest.fixture
def checks_on(run_on):
    """The doctor's checks by name, on a machine with these GPUs."""
    def call(gpus, machine=None):
        document = json.loads(run_on(gpus, "doctor", "--format", "json", machine=machine).stdout)
        return {check["name"]: check for check in document["checks"]}
    return call


def gpus_of(checks):
    return [name for name in checks if name.startswith("gpu")]


def test_one_free_gpu(checks_on):
    checks = checks_on([H100])
    assert checks["nvml"]["status"] == "ok"
    assert (checks["nvml"]["value"], checks["nvml"]["explanation"]) == ("driver 580.65.06", "1 GPU")
    assert (checks["cuda"]["status"], checks["cuda"]["value"]) == ("ok", "13.2")
    assert gpus_of(checks) == ["gpu0"]
    gpu = checks["gpu0"]
    assert (gpu["status"], gpu["value"], gpu["explanation"]) == ("ok", "NVIDIA H100 80GB HBM3, 80.0 GiB", "free")


def test_two_unlike_gpus_keep_their_order(checks_on):
    checks = checks_on([L4, H100])
    assert checks["nvml"]["explanation"] == "2 GPUs"
    assert [checks[name]["value"] for name in gpus_of(checks)] == ["NVIDIA L4, 24.0 GiB",
                                                                   "NVIDIA H100 80GB HBM3, 80.0 GiB"]


def test_of_eight_those_in_trouble_are_named(checks_on):
    gpus = [H100] * 8
    gpus[2] = BUSY
    gpus[5] = H100 | {"throttle_reasons": POWER_CAP | HARDWARE_THERMAL}
    gpus[7] = LOST
    checks = checks_on(gpus)
    assert checks["nvml"]["explanation"] == "8 GPUs"
    assert gpus_of(checks) == [f"gpu{index}" for index in range(8)]
    troubled = {name for name in gpus_of(checks) if checks[name]["status"] == "warning"}
    assert troubled == {"gpu2", "gpu5", "gpu7"}
    assert all(checks[name]["status"] == "ok" for name in set(gpus_of(checks)) - troubled)
    assert checks["gpu5"]["explanation"] == "slowed down: power cap, thermal"


def test_others_on_a_gpu_are_counted(checks_on):
    gpu = checks_on([BUSY])["gpu0"]
    assert gpu["status"] == "warning" and "80.0 GiB" in gpu["value"]
    assert gpu["explanation"] == "other programs use it: 2"
    assert "nvidia-smi" in gpu["fix"] and "another GPU" in gpu["fix"]


@pytest.mark.parametrize("reasons", [0x0, 0x1, 0x2, 0x10, 0x100],
                         ids=["none", "idle", "application clocks", "sync boost", "display clocks"])
def test_reasons_that_are_no_slowdown_are_no_trouble(checks_on, reasons):
    assert checks_on([H100 | {"throttle_reasons": reasons}])["gpu0"]["status"] == "ok"


@pytest.mark.parametrize("calls", [0, 1], ids=["before", "between two questions"])
def test_a_lost_gpu_leaves_the_others(checks_on, calls):
    checks = checks_on([H100, H100 | {"lost_after_calls": calls}, L4])
    lost = checks["gpu1"]
    assert (lost["status"], lost["value"]) == ("warning", "does not answer")
    assert "nvidia-smi -q -i 1" in lost["fix"]
    assert checks["gpu0"]["status"] == checks["gpu2"]["status"] == "ok"


def test_mig_without_permission_for_the_full_still_has_its_name(checks_on):
    # In MIG mode a user who may not see all instances is told neither memory nor programs of the whole GPU.
    checks = checks_on([H100 | {"mig": True, "no_permission": ["memory", "processes", "utilization"]}, L4])
    assert checks["gpu0"]["value"] == "NVIDIA H100 80GB HBM3"
    assert checks["gpu1"]["value"] == "NVIDIA L4, 24.0 GiB"


def test_of_a_divided_gpu_the_physical_gpu_says_nothing(checks_on):
    # Neither its memory nor the programs of all slices tell anything of the slice that a process is given.
    gpu = checks_on([BUSY | {"mig": True}])["gpu0"]
    assert (gpu["status"], gpu["value"]) == ("ok", BUSY["name"])
    assert "slices (MIG)" in gpu["explanation"]


def test_a_gpu_that_tells_nothing_but_its_name(checks_on):
    refused = [fact for fact in H100 if fact != "name"]
    for gpu in ({"name": "NVIDIA H100 80GB HBM3"}, H100 | {"no_permission": refused}):
        assert checks_on([gpu])["gpu0"]["value"] == "NVIDIA H100 80GB HBM3"


@pytest.mark.parametrize("status, words, fix", [
    (DRIVER_NOT_LOADED, "Driver Not Loaded", "modprobe nvidia"),
    (LIBRARY_VERSION_MISMATCH, "version mismatch", "reboot"),
])
def test_a_driver_that_does_not_start(checks_on, status, words, fix):
    checks = checks_on([H100], machine={"init_status": status})
    assert checks["nvml"]["status"] == "missing" and words in checks["nvml"]["explanation"]
    assert fix in checks["nvml"]["fix"]
    assert checks["cuda"]["status"] == "missing" and "driver" in checks["cuda"]["fix"]
    assert gpus_of(checks) == []


def test_a_driver_without_gpus(checks_on):
    checks = checks_on([])
    assert checks["nvml"]["explanation"] == "0 GPUs" and gpus_of(checks) == []


def test_the_text_tells_what_to_do(run_on):
    lines = run_on([H100, BUSY], "doctor").stdout.splitlines()
    busy = next(number for number, line in enumerate(lines) if line.split()[1:2] == ["gpu1"])
    assert lines[busy].startswith("warning")
    assert lines[busy + 2].strip().startswith("-> stop ")


def test_a_run_tells_of_the_gpus_of_its_machine(cli, run_on):
    run_on([H100, LOST, L4], "profile", "-m", "synthetic:affine:2ms,1ms", "-b", "1,2", "--blocks", "6",
           "-o", "run.jsonl")
    machine = read_lines(cli.folder / "run.jsonl")[0]["machine"]
    assert machine["gpus"] == ["NVIDIA H100 80GB HBM3", "GPU 1", "NVIDIA L4"]
    assert machine["gpu_memory_bytes"] == [80 * GIB, 0, 24 * GIB]
