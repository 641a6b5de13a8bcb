"""The whole program with `--device cuda:0`, on simulated devices whose times and memory are known."""

import json
import os
import re

import pytest

import accelerator
import device_causes_made
import nvtx_record
from conftest import ROOT, read_lines

pytestmark = pytest.mark.model

FEW = ["--blocks", "2", "--iterations", "5", "--warmup", "2", "--threads", "1", "--seed", "7", "-q"]
# mlp on a device: 3 matrix products and 2 activations; a sample has 1024 floats in and out.
OPERATIONS = 5
SAMPLE_BYTES = 1024 * 4
MS = 1_000_000
MIB = 1 << 20


@pytest.fixture
def run_on(cli, program):
    """Calls the program on a machine with simulated devices that cost so much."""
    if not accelerator.is_built(program):
        pytest.skip("no simulated device beside this program: a CPU build of LibTorch has one")

    def call(machine, *arguments, check=0):
        surroundings = accelerator.environment(program, cli.folder, **machine)
        return cli.run(*arguments, check=check, env=surroundings)
    return call


@pytest.fixture
def profile(cli, run_on):
    """Measures on such a machine, with cuda:0 unless another is asked for; gives the visits."""
    def call(machine, *arguments):
        device = [] if "--device" in arguments else ["--device", "cuda:0"]
        run_on(machine, "profile", *device, *arguments, "-o", "run.jsonl", "--overwrite")
        return of_kind(cli, "visit")
    return call


def of_kind(cli, kind):
    return [record for record in read_lines(cli.folder / "run.jsonl") if record["type"] == kind]


def analysis(cli):
    return json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)


def phases_of(visit):
    return {phase["name"]: phase for phase in visit["phases"]}


def copy_ns(size, bytes_per_us=10000):
    """As options.hpp says: a latency of 2 us, and 10 GB/s unless another bandwidth is set."""
    return 2000 + size * 1000 // bytes_per_us


def test_doctor_sees_the_devices(run_on):
    checks = json.loads(run_on({"devices": 2}, "doctor", "--format", "json").stdout)["checks"]
    by_name = {check["name"]: check for check in checks}
    assert by_name["gpu1"]["value"] == "Simulated GPU, 512 MiB"
    assert "cpu, cuda:0, cuda:1" in json.dumps(by_name["torch"])


@pytest.mark.parametrize("sync", ["each", "end"])
def test_phases_are_exact_in_virtual_time(profile, sync):
    visits = profile({"virtual_time": 1, "operation_ns": MS, "compute": 0}, "-m", "mlp", "-b", "1,8", "--sync", sync,
                     *FEW)
    assert len(visits) == 4
    for visit in visits:
        phases, size = phases_of(visit), (1, 8)[visit["config"]]
        count = phases["forward"]["count"]
        assert count >= 5
        assert phases["forward"]["device_ns"] == count * OPERATIONS * MS
        assert phases["h2d"]["device_ns"] == phases["d2h"]["device_ns"] == count * copy_ns(size * SAMPLE_BYTES)
        assert "device_ns" not in phases["prepare"]


def test_training_is_what_it_is_on_the_cpu(cli, profile):
    visits = profile({"operation_ns": 1000}, "-m", "mlp", "--mode", "train", "--device", "cpu,cuda:0", "-b", "4", *FEW)
    devices = [config["device"] for config in of_kind(cli, "config")]
    losses = {devices[visit["config"]]: visit["losses"] for visit in visits}
    assert losses["cuda:0"] == pytest.approx(losses["cpu"], rel=1e-4)
    on_device = next(visit for visit in visits if devices[visit["config"]] == "cuda:0")
    assert {"h2d", "forward", "loss", "backward", "optimizer", "d2h", "sync"} < set(phases_of(on_device))
    assert [one["axis"] for one in analysis(cli)["comparisons"]] == ["device"]


def test_copies_that_are_sent_ahead_hide_under_computing(cli, profile):
    # 16 KiB a step over 100 MB/s: 0.17 ms to copy, beside 5 ms and more of computing.
    visits = profile({"virtual_time": 1, "operation_ns": MS, "copy_bytes_per_us": 100}, "-m", "mlp", "--mode", "train",
                     "--loader", "synthetic:16", "--loader-workers", "1", "--prefetch-to-device", "off,on", "-b", "4",
                     *FEW)
    sent = [config["loader"].get("prefetch_to_device", False) for config in of_kind(cli, "config")]
    assert sorted(sent) == [False, True]
    for visit in visits:
        h2d = phases_of(visit)["h2d"]
        ahead = sent[visit["config"]]
        assert (h2d["device_ns"] == 0) if ahead else (h2d["device_ns"] >= h2d["count"] * copy_ns(4 * SAMPLE_BYTES, 100))
    (comparison,) = analysis(cli)["comparisons"]
    assert comparison["axis"] == "prefetch_to_device"


def test_half_precision_and_several_instances(cli, profile):
    two_programs = {"processes": [{"pid": 4242, "memory": MIB}, {"pid": 4243, "memory": MIB}]}
    visits = profile({"operation_ns": 200_000, "compute": 0, "driver_says": two_programs}, "-m", "mlp", "--precision",
                     "fp32,fp16", "--instances", "1,2", "-b", "4", *FEW)
    configs = of_kind(cli, "config")
    assert {(config["precision"], config["instances"]) for config in configs} == {
        (precision, instances) for precision in ("fp32", "fp16") for instances in (1, 2)}
    peaks = {}
    for visit in visits:
        config = configs[visit["config"]]
        peaks.setdefault((config["precision"], config["instances"]), visit["memory"]["peak_allocated_bytes"])
    assert peaks["fp16", 1] < 0.6 * peaks["fp32", 1], "weights of half the size"
    # The driver sees two programs: one beside a visit of one instance, both of one with two.
    others = {(configs[visit["config"]]["instances"], visit["fitness"]["other_gpu_processes"]) for visit in visits}
    assert others == {(1, 1), (2, 0)}


def test_two_devices_are_compared(cli, profile):
    profile({"devices": 2, "operation_ns": 300_000, "compute": 0}, "-m", "mlp", "--device", "cuda:0,cuda:1", "-b", "4",
            *FEW)
    header = of_kind(cli, "header")[0]
    assert header["machine"]["gpu_memory_bytes"] == [512 * MIB] * 2
    (comparison,) = [one for one in analysis(cli)["comparisons"] if one["axis"] == "device"]
    assert "cuda:1" in comparison["message"]


def test_what_a_device_computes_is_held_against_the_cpu(cli, profile):
    profile({"operation_ns": 1000}, "-m", "mlp", "--device", "cpu,cuda:0", "-b", "2", *FEW)
    (outputs,) = of_kind(cli, "outputs")
    assert outputs["cosine"] > 0.999999 and outputs["largest_relative_error"] < 1e-5
    (comparison,) = analysis(cli)["comparisons"]
    assert comparison["outputs"]["cosine"] == outputs["cosine"] and "On the same input the outputs" in comparison["message"]


def test_programs_beside_the_run_are_reported(cli, profile):
    beside = {"processes": [{"pid": 4242, "memory": MIB}, {"pid": 4243, "memory": MIB}]}
    visits = profile({"operation_ns": 200_000, "compute": 0, "driver_says": beside}, "-m", "mlp", "-b", "1,2", *FEW)
    # One of them is taken for the run's own.
    assert {visit["fitness"]["other_gpu_processes"] for visit in visits} == {1}
    assert "Other processes used the GPU in 4 of 4 visits" in " ".join(cli.run("analyze", "run.jsonl").stdout.split())


def test_a_gpu_that_its_driver_loses_costs_only_what_the_driver_tells(profile):
    lost = {"lost_after_calls": 60}
    visits = profile({"operation_ns": 200_000, "compute": 0, "driver_says": lost}, "-m", "mlp", "-b", "1,2", "--blocks",
                     "6", *FEW[2:])
    reported = ["other_gpu_processes" in visit["fitness"] for visit in visits]
    assert len(visits) == 12 and reported[0] and not reported[-1]


def test_memory_is_the_visits_own_whatever_came_before_it(profile):
    machine = {"operation_ns": 1000, "compute": 0}
    arguments = ["-m", "mlp", "-b", "8,2048", *FEW]
    fresh = profile(machine, *arguments)
    reused = profile(machine, *arguments, "--isolation", "none")

    def reserved(visits):
        return {visit["config"]: visit["memory"]["peak_reserved_bytes"] for visit in visits}
    assert reserved(reused) == reserved(fresh)


def test_a_batch_that_does_not_fit_is_an_event_and_the_next_visit_is_sound(cli, profile):
    visits = profile({"operation_ns": 1000, "capacity_mib": 600}, "-m", "mlp", "--mode", "train", "-b", "4,30000",
                     "--isolation", "none", *FEW)
    events = [event for event in of_kind(cli, "event") if event["kind"] == "out-of-memory"]
    assert events and "--memory-limit" not in events[0]["fix"]
    assert "out of memory" in events[0]["message"]
    assert [visit["config"] for visit in visits] == [0, 0]
    assert visits[0]["loss"] == visits[1]["loss"], "each begins with the weights of the seed"


def test_analyze_names_the_largest_batch_of_the_device(cli, profile):
    profile({"operation_ns": 1000, "compute": 0}, "-m", "mlp", "-b", "64,512,2048", *FEW)
    (group,) = analysis(cli)["groups"]
    law = next(law for law in group["memory_laws"] if law["of"] == "peak_allocated_bytes")
    assert law["limit_bytes"] == 512 * MIB and "cuda:0" in law["limit_of"]
    # Two layers of 4096 floats a sample lie in memory at once, and the input.
    assert law["per_sample_bytes"] == pytest.approx(2 * 4096 * 4, rel=0.2)
    assert law["predicted_largest_batch_size"] > 2048


def test_the_largest_batch_is_the_exhaustive_answer(cli, run_on):
    machine = {"operation_ns": 1000, "compute": 0, "capacity_mib": 160}
    done = run_on(machine, "tune", "--max-batch-only", "-m", "mlp", "--device", "cuda:0", "--soak-time", "1s",
                  "--format", "json", "-o", "max.jsonl")
    (found,) = json.loads(done.stdout)["configs"]
    largest = found["max_batch_size"]
    assert found["bounded_by"] == "out-of-memory" and 0 < found["safe_batch_size"] <= largest

    def fits(size):
        run_on(machine, "profile", "-m", "mlp", "--device", "cuda:0", "-b", size, "--blocks", "1", "--iterations", "2",
               "-q", "-o", "one.jsonl", "--overwrite", check=None)
        return any(record["type"] == "visit" for record in read_lines(cli.folder / "one.jsonl"))
    assert {size: fits(size) for size in range(largest - 1, largest + 3)} == {
        largest - 1: True, largest: True, largest + 1: False, largest + 2: False}
    assert fits(found["safe_batch_size"])


def test_tune_finds_what_a_device_does_best(run_on):
    # Launching costs 5 x 1 ms whatever the batch, copies 8.2 us a sample: more is better.
    done = run_on({"operation_ns": MS, "compute": 0, "copy_bytes_per_us": 1000}, "tune", "-m", "mlp", "--device",
                  "cuda:0", "--max-batch-size", "16", "--threads", "1", "--iterations", "10", "--verify-blocks", "2",
                  "--budget", "25s", "--format", "json", "-o", "tune.jsonl")
    pick = json.loads(done.stdout)["recommendation"]
    assert pick["device"] == "cuda:0" and pick["batch_size"] >= 12


@pytest.mark.skipif(not (ROOT / "models/all-minilm-l6-v2/tokenizer.xml").exists(),
                    reason="no model here: ./dev models makes it")
def test_texts_become_the_vectors_that_they_are_on_the_cpu(cli, run_on, monkeypatch):
    np = pytest.importorskip("numpy")
    monkeypatch.setenv("BATCHSCOPE_MODELS", os.environ.get("BATCHSCOPE_MODELS", str(ROOT / "models")))
    lines = (ROOT / "data/texts/mixed.txt").read_text(encoding="utf-8").splitlines()[:12]
    (cli.folder / "texts.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    for device in ("cpu", "cuda:0"):
        run_on({"operation_ns": 1000}, "embed", "-m", "all-minilm-l6-v2", "--texts", "texts.txt", "--device", device,
               "--max-length", "64", "-o", device.replace(":", "") + ".npy")
    there, here = np.load(cli.folder / "cuda0.npy"), np.load(cli.folder / "cpu.npy")
    assert there.shape == here.shape and np.abs(there - here).max() < 1e-5


@pytest.mark.skipif(not (ROOT / "models/all-minilm-l6-v2/tokenizer.xml").exists(),
                    reason="no model here: ./dev models makes it")
def test_the_pipeline_of_texts_is_measured_on_a_device(profile, monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_MODELS", os.environ.get("BATCHSCOPE_MODELS", str(ROOT / "models")))
    visits = profile({"operation_ns": 100_000, "compute": 0}, "-m", "all-minilm-l6-v2", "--pipeline", "embed", "-b",
                     "4", *FEW)
    assert len(visits) == 2
    for visit in visits:
        phases = phases_of(visit)
        assert {"tokenize", "h2d", "forward"} < set(phases)
        assert phases["forward"]["device_ns"] > phases["forward"]["count"] * 100_000


def test_a_tool_is_shown_the_phases_of_a_device(cli, profile, monkeypatch):
    """Those that are recorded, at both ends of each: what a kernel belongs to in nsys and ncu."""
    if not nvtx_record.recorder(cli.program).exists():
        pytest.skip("built without NVTX's headers")
    for mode, sync, phases in (("infer", "each", "h2d, forward, d2h, sync"), ("infer", "end", "h2d, forward, d2h"),
                               ("train", "each", "h2d, forward, loss, backward, optimizer, d2h, sync")):
        output = cli.folder / f"{mode}-{sync}.txt"
        for name in ("NVTX_INJECTION64_PATH", "NVTX_RECORDER_FILE"):
            monkeypatch.setenv(name, nvtx_record.environment(cli.program, output)[name])
        visits = profile({}, "-m", "mlp", "-b", "4", "--mode", mode, "--sync", sync, *FEW)
        *_, last = (visit for thread in nvtx_record.threads(output) for visit in thread)
        # A series that is waited for once has no wait in an iteration.
        recorded = [name for name in phases_of(visits[-1]) if name != "prepare" and (sync == "each" or name != "sync")]
        assert sorted(recorded) == sorted(phases.split(", "))
        assert last.name.startswith("mlp batch_size=4 fp32 cuda:0")
        assert {repr(each) for each in last.inside[-1].inside} == {f"iteration({phases})"}


@pytest.fixture(scope="module")
def causes(program, tmp_path_factory):
    if not accelerator.is_built(program):
        pytest.skip("no simulated device beside this program: a CPU build of LibTorch has one")
    return device_causes_made.Bench(program, tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("case", device_causes_made.CASES, ids=lambda case: case.cause)
def test_a_cause_that_is_made_to_happen_is_named_and_only_then(causes, case):
    assert causes.outcome(case) == (True, True)


def test_the_reference_names_tests_that_exist():
    """What docs/reference/gpu.md promises by name."""
    page = (ROOT / "docs/reference/gpu.md").read_text()
    sources = "".join(path.read_text() for folder in ("tests/e2e", "plugins/torch/tests")
                      for path in (ROOT / folder).rglob("*_test.cpp")) + "".join(
        path.read_text() for path in (ROOT / "tests/e2e").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)`", page):
        assert f"def {name}(" in sources, name
    for suite, name in re.findall(r"`([A-Z]\w+)\.(\w+)`", page):
        assert f"{suite}, {name})" in sources, f"{suite}.{name}"
