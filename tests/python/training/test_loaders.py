"""DataLoaders measured beside a step: profile_loader, make_loader, and what goes wrong."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("batchscope._core", reason="the native module is not built")

import batchscope as bs  # noqa: E402
from batchscope._explain import Refused  # noqa: E402
from batchscope._inside import host  # noqa: E402
from batchscope._loaders import lengths, processes  # noqa: E402
from batchscope._loaders.loop import Loop  # noqa: E402
from batchscope._loaders.plan import Plan, loader_keywords, step_of  # noqa: E402
from batchscope._loaders.steps import synthetic_step  # noqa: E402
from batchscope._loaders.timed import each_tensor, moved  # noqa: E402
from batchscope.torch import make_loader, profile_loader  # noqa: E402
from torch.utils.data import Dataset, IterableDataset  # noqa: E402

QUICK = {"blocks": 1, "min_visit_time": 0.05, "threads": 1, "verify": False, "progress": False}


class Numbers(Dataset):
    def __init__(self, samples=64):
        self.values = torch.arange(samples * 8, dtype=torch.float32).reshape(samples, 8)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index]


class Killed(Numbers):
    def __getitem__(self, index):
        if torch.utils.data.get_worker_info() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__getitem__(index)


class Locked(Numbers):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


class Broken(Numbers):
    def __getitem__(self, index):
        return {}["label"]


class Objects(Dataset):
    """Many small objects: a forked worker copies the pages of those that it reads."""

    def __init__(self, samples=800_000):
        self.paths = [f"data/train/class_{index % 1000}/image_{index}.jpg" for index in range(samples)]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return self.paths[index]


class Empty(IterableDataset):
    def __iter__(self):
        return iter(())


class Stream(IterableDataset):
    def __iter__(self):
        yield from torch.zeros(40, 4)


def raises(samples):
    raise ValueError("ragged samples")


@pytest.fixture(scope="module")
def profile(program, tmp_path_factory):
    """One run that several tests look at."""
    patch = pytest.MonkeyPatch()
    patch.setenv("BATCHSCOPE_PROGRAM", str(program))
    patch.setenv("PYTHONPATH", os.path.dirname(os.path.dirname(bs.__file__)))
    path = tmp_path_factory.mktemp("loaders") / "loaders.jsonl"
    yield profile_loader(Numbers(), 8, num_workers=[0, 1], prefetch_factor=2, step=0.004, output=path, **QUICK)
    patch.undo()


def test_every_setting_says_what_it_does(profile):
    assert [(each.num_workers, each.prefetch_factor) for each in profile.settings] == [(0, None), (1, 2)]
    for each in profile.settings:
        assert each.batch_size == 8
        assert each.own_ms >= 4
        assert each.iteration_ms.value == pytest.approx(each.wait_ms + each.own_ms, rel=0.05)
        assert [step.step_ms for step in each.steps] == [2, 4, 8]
        assert each.steps[0].iteration_ms.value >= 2
        assert each.raw["samples"] == 64
    alone, worker = profile.settings
    assert alone.handover_ms is None and worker.handover_ms > 0
    assert alone.new_epoch_ms < worker.new_epoch_ms
    assert worker.raw["worker_ended"]["pss_bytes"] > 1 << 20
    assert worker.raw["epoch_share"] == 1


def test_the_run_file_holds_settings_as_axes(profile):
    lines = [json.loads(line) for line in open(profile.run.path)]
    configs = [line for line in lines if line["type"] == "config"]
    assert [each["loader"] for each in configs] == [
        {"source": "python:Numbers", "workers": workers, "prefetch": 2} for workers in (0, 1)]
    assert {each["mode"] for each in configs} == {"train"}
    visit = next(line for line in lines if line["type"] == "visit")
    assert {phase["name"] for phase in visit["phases"]} == {"prepare", "load", "step"}
    assert visit["loader"]["batch_bytes"] == 8 * 8 * 4


def test_a_step_between_the_measured_ones_is_predicted(profile):
    setting = profile.setting(num_workers=0)
    at = setting.iteration_at(0.003)
    assert setting.steps[0].iteration_ms.value <= at.value <= setting.steps[1].iteration_ms.value
    with pytest.raises(bs.UsageError, match="2 to 8 ms"):
        setting.iteration_at(0.02)


def test_a_run_that_was_killed_goes_on_with_the_block_that_is_not_finished(profile, tmp_path):
    path = tmp_path / "resumed.jsonl"
    lines = open(profile.run.path).read().splitlines(keepends=True)
    at = [number for number, line in enumerate(lines) if json.loads(line)["type"] == "visit"]
    path.write_text("".join(lines[:at[1]]))
    resumed = profile_loader(Numbers(), 8, num_workers=[0, 1], prefetch_factor=2, step=0.004, output=path, resume=True, **QUICK)
    assert path.read_text().startswith("".join(lines[:at[1]]))
    visits = [json.loads(line) for line in open(path) if json.loads(line)["type"] == "visit"]
    order = [json.loads(lines[number])["config"] for number in at]
    assert [(each["config"], each.get("attempt", 0)) for each in visits] == [(order[0], 0), (order[0], 1), (order[1], 1)]
    assert [(each.num_workers, each.raw["n"]) for each in resumed.settings] == [(0, 1), (1, 1)]


def test_a_report_shows_the_loader(profile, tmp_path):
    assert "Loader" in open(profile.run.report(tmp_path / "page.md")).read()


def test_runs_are_compared(profile):
    against = profile.run.analyze(profile.run)
    assert {each.axis for each in against.comparisons} == {"run"}


def test_a_loader_is_made_of_a_setting(profile):
    made = make_loader(Numbers(), profile.setting(num_workers=1), drop_last=True)
    assert (made.num_workers, made.prefetch_factor, made.batch_size, made.persistent_workers) == (1, 2, 8, True)
    assert made.drop_last
    assert make_loader(Numbers(), profile.setting(num_workers=1), num_workers=0, prefetch_factor=None,
                       persistent_workers=False).num_workers == 0
    with pytest.raises(bs.UsageError, match="no setting"):
        make_loader(Numbers(), {"batch_size": 4})


def opened(dataset, workers=1, step="step:2ms", start_method="", batch_size=8, **keywords):
    """The loop that a visit runs, in this process."""
    loader = {"source": "python:data.py:made", "workers": workers, "prefetch": 2, "start_method": start_method, "pinned": False}
    return Loop(Plan(dataset, step, keywords), host.Request(model="step", loader=loader), batch_size)


def refusal(*of, **what):
    with pytest.raises(Refused) as raised:
        opened(*of, **what)
    assert raised.value.fix
    return raised.value.what


def test_an_empty_data_set_is_reported():
    assert refusal(Numbers(0)) == "the data set is empty"
    assert refusal(Empty()) == "the data set is empty"


@pytest.mark.parametrize("workers", [0, 1])
def test_what_collate_raises_is_reported(workers):
    assert refusal(Numbers(), workers, collate_fn=raises).startswith("collate_fn raised ValueError: ragged samples")


def test_what_a_sample_raises_is_reported_with_its_place():
    assert refusal(Broken()).startswith("the data set raised KeyError: 'label' (")
    assert "test_loaders.py:" in refusal(Broken())


def test_a_worker_that_is_killed_is_reported():
    assert refusal(Killed()) == "SIGKILL ended a loader worker"


def test_what_cannot_be_sent_to_a_worker_is_reported():
    assert "cannot send the data set to a worker" in refusal(Locked(), start_method="spawn")


def test_no_worker_outlives_a_failure():
    before = set(multiprocessing.active_children())
    refusal(Numbers(), collate_fn=raises)
    assert set(multiprocessing.active_children()) <= before


def test_the_program_tells_what_is_wrong():
    with pytest.raises(bs.InputError, match="collate_fn raised ValueError: ragged samples"):
        profile_loader(Numbers(), 8, num_workers=0, step=0.002, collate_fn=raises, **QUICK)


@pytest.mark.parametrize("words, named", [
    (["--loader", "python:data.py:made", "--start-method", "thread"], "--start-method"),
    (["--loader", "python:data.py:made", "--pin-memory", "on"], "--pin-memory"),
    (["--loader", "synthetic:4", "-m", "step:2ms", "--mode", "train", "--start-method", "fork"], "--start-method, --pin-memory"),
    (["-m", "step:2ms", "--start-method", "fork"], "--start-method, --pin-memory"),
    (["--loader", "python:data.py:made", "-m", "synthetic:affine:1ms,1ms", "--engine", "synthetic"], "--loader"),
])
def test_flags_that_nothing_can_follow_are_refused(program, words, named):
    done = subprocess.run([program, "profile", *words, "-b", "8", "-o", "run.jsonl", "-q"], capture_output=True, text=True)
    assert done.returncode == 2
    assert named in done.stderr.splitlines()[-1].split(": ")[1]


def test_what_cannot_be_pickled_is_named():
    with pytest.raises(bs.UsageError, match="lock"):
        profile_loader(Locked(), 8, **QUICK)


def facts_of(loop, iterations=4):
    loop.begin_timing()
    for _ in range(iterations):
        loop.iterate()
    return loop.facts()


def test_a_stream_without_a_length_is_measured():
    facts = facts_of(opened(Stream()), 12)  # beyond its end
    assert "samples" not in facts and facts["epoch_share"] == 0
    assert len(facts["memory_ended"]) == 1


def test_a_batch_sampler_is_taken_as_it_is():
    sizes = []
    opened(Numbers(), 0, step=lambda: lambda batch: sizes.append(len(batch)), batch_sampler=[[0, 1], [2], [3, 4, 5]])
    loop = opened(Numbers(), 0, step=lambda: lambda batch: sizes.append(len(batch)), batch_sampler=[[0, 1], [2], [3, 4, 5]])
    for _ in range(6):
        loop.iterate()
    assert sizes == [1, 3, 2, 1, 3, 2]  # the first was waited for


def test_objects_that_workers_copy_are_seen():
    loop = opened(Objects(), 1, batch_size=2000, collate_fn=len)
    facts = facts_of(loop)
    begun, ended = (facts[name][0]["private_dirty_bytes"] for name in ("memory_begun", "memory_ended"))
    assert ended - begun > 16 << 20


def make_step():
    seen = []

    def step(batch):
        assert batch.shape == (8, 8)
        seen.append(1)

    return step


def test_a_step_of_ones_own_is_run_as_it_is():
    facts = facts_of(opened(Numbers(), 0, step=make_step))
    assert "step_ns" not in facts and "other_steps" not in facts


def test_what_is_measured_cannot_be_set():
    with pytest.raises(bs.UsageError, match="num_workers="):
        profile_loader(Numbers(), 8, multiprocessing_context="spawn")
    with pytest.raises(bs.UsageError, match="cpu:20ms"):
        profile_loader(Numbers(), 8, step="a while")


@pytest.mark.parametrize("text, computes, seconds", [("step:20ms", False, 0.02), ("step:cpu:1.5s", True, 1.5),
                                                     ("step:300us", False, 3e-4)])
def test_lengths_are_read(text, computes, seconds):
    assert lengths.parsed(text) == (computes, pytest.approx(seconds))


def test_lengths_are_written_as_they_are_read():
    assert lengths.parsed(lengths.named(0.0125, True)) == (True, pytest.approx(0.0125))


def test_a_function_may_return_the_loaders_keywords():
    dataset = Numbers()
    assert loader_keywords(Plan(lambda: {"dataset": dataset, "drop_last": True}, "step:1ms"), "")["dataset"] is dataset
    with pytest.raises(Exception, match="not a data set"):
        loader_keywords(Plan(lambda: 3, "step:1ms"), "")
    with pytest.raises(Exception, match="num_workers"):
        loader_keywords(Plan(lambda: {"dataset": dataset, "num_workers": 3}, "step:1ms"), "")


def test_a_step_is_distinguished_from_what_makes_one():
    def own(batch):
        return batch

    assert step_of(Plan(None, own)) is own
    assert step_of(Plan(None, lambda: own)) is own


def test_a_computing_step_is_many_products_of_its_length():
    step = synthetic_step(*lengths.parsed("step:cpu:20ms"))
    assert step.times * step.of_one == pytest.approx(0.02, rel=0.05)
    assert step.scaled(0.5).times == pytest.approx(step.times / 2, abs=1)
    assert step.scaled(2).matrix is step.matrix


def test_every_tensor_of_a_batch_is_moved():
    batch = {"x": torch.zeros(2), "rest": [torch.ones(3), ("name", torch.ones(1))]}
    assert sum(each.numel() for each in each_tensor(batch)) == 6
    there = moved(batch, torch.device("meta"), non_blocking=True)
    assert [each.device.type for each in each_tensor(there)] == ["meta"] * 3
    assert there["rest"][1][0] == "name"


def test_shared_batches_are_no_workers_own(tmp_path):
    assert processes.memory_of(os.getpid())["pss_bytes"] > 1 << 20
    assert processes.memory_of(1 << 30) is None
    assert processes.cpu_ns(os.getpid()) > 0


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a mount of its own")
def test_full_shared_memory_is_reported(program, tmp_path):
    (tmp_path / "data.py").write_text(
        "import torch\nfrom torch.utils.data import TensorDataset\n\n\ndef large():\n"
        "    return TensorDataset(torch.zeros(64, 1 << 18))\n")
    command = ["unshare", "-m", "sh", "-c",
               'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "$@"', "sh", str(program), "profile", "--loader",
               f"python:{tmp_path}/data.py:large", "-m", "step:2ms", "-b", "8", "--loader-workers", "1", "--blocks", "1",
               "--python", sys.executable, "-o", str(tmp_path / "run.jsonl"), "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip("no mount of its own")
    assert done.returncode != 0
    assert "set_sharing_strategy" in done.stderr
