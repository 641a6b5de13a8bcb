"""Checkpoints of TrainingGuard: complete or not there, and of this training or refused."""

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap

import native  # noqa: F401 - the guard needs the native module
import numpy
import pytest

torch = pytest.importorskip("torch")

import guarded  # noqa: E402
from torch import nn  # noqa: E402

from batchscope._errors import InputError, MeasurementError, UsageError  # noqa: E402
from batchscope.torch import TrainingGuard  # noqa: E402


class Counter:
    """A sampler, or anything else with a state."""

    def __init__(self):
        self.count = 0

    def trained(self, number=None):
        self.count += 1

    def state_dict(self):
        return {"count": self.count}

    def load_state_dict(self, state):
        self.count = state["count"]


def training(made, seed=0, features=4, optimizer=torch.optim.AdamW, **keywords):
    """(guard, step()) of a small model."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(features, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    guard = made(net, optimizer(net.parameters(), 0.01), **keywords)
    return guard, lambda: guard.step(torch.randn(4, features), lambda batch: net(batch).sum()), net


def names(guard):
    return [each.name for each in guard.checkpoints]


def test_every_so_many_steps_one_is_written_and_the_oldest_goes(made):
    guard, step, _ = training(made, checkpoint_every=2, keep=2)
    for _ in range(7):
        step()
    assert names(guard) == ["step-000000006", "step-000000004"]
    assert guard.save().name == "step-000000007" == guard.save().name
    assert names(guard) == ["step-000000007", "step-000000006"]


def test_it_goes_on_where_it_was(made):
    guard, step, net = training(made, sampler=(sampler := Counter()), extra={"ema": (ema := Counter())}, precision="fp16")
    ema.count = 5
    for _ in range(3):
        step()
    guard.save()
    expected = [step().item() for _ in range(3)], guarded.weights(net), torch.rand(1), numpy.random.rand()
    guard.close()
    guard, step, net = training(made, seed=9, sampler=(sampler := Counter()), extra={"ema": (ema := Counter())}, precision="fp16")
    assert guard.resume() == guard.steps == 3 and (sampler.count, ema.count) == (3, 5)
    got = [step().item() for _ in range(3)], guarded.weights(net), torch.rand(1), numpy.random.rand()
    assert got[0] == expected[0] and torch.equal(got[1], expected[1]) and got[2:] == expected[2:]


def saved(made, count, **keywords):
    guard, step, _ = training(made, checkpoint_every=1, **keywords)
    for _ in range(count):
        step()
    guard.close()
    return guard.checkpoints


def cut(path):
    os.truncate(path, path.stat().st_size - 1)


def change(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def other_format(path):
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))


@pytest.mark.parametrize(("damage", "file", "words"), [
    (cut, "model.pt", "bytes"), (change, "optimizer.pt", "digest"), (os.unlink, "training.pt", "No such file"),
    (os.unlink, "manifest.json", "No such file"), (cut, "manifest.json", "not a checkpoint's manifest"), (other_format, "manifest.json", "format 99")])
def test_a_damaged_one_is_passed_over_and_keeps_nobody_from_its_place(made, damage, file, words):
    newest = saved(made, 3, keep=2)[0]
    damage(newest / file)
    guard, step, _ = training(made, checkpoint_every=1, keep=2)
    with pytest.warns(RuntimeWarning, match=f"damaged.*{words}"):
        assert guard.resume() == 2
    step()
    assert names(guard) == ["step-000000003", "step-000000002"]
    assert (newest.parent / f"damaged-{newest.name}").is_dir()


def test_where_none_is_complete_nothing_starts_anew(made):
    for path in saved(made, 2):
        cut(path / "model.pt")
    guard, _, _ = training(made)
    with pytest.warns(RuntimeWarning), pytest.raises(InputError, match="no checkpoint in .* is complete"):
        guard.resume()


def test_a_folder_of_an_earlier_training_is_not_written_to(made):
    saved(made, 1)
    guard, step, _ = training(made)
    with pytest.raises(UsageError, match="call resume"):
        step()
    assert guard.steps == 0


@pytest.mark.parametrize(("keywords", "words"), [
    ({"features": 5}, r"another model: '0.weight' has shape \(4, 4\) there and \(4, 5\) here"),
    ({"optimizer": torch.optim.SGD}, "AdamW, not SGD"),
    ({"precision": "fp16"}, "no scaler.*precision fp16"),
    ({"extra": {"ema": Counter()}}, r"extra \[\], but this TrainingGuard has \['ema'\]")])
def test_a_checkpoint_of_something_else_changes_nothing(made, keywords, words):
    saved(made, 1)
    guard, _, net = training(made, seed=5, **keywords)
    before = guarded.weights(net)
    with pytest.raises(InputError, match=words):
        guard.resume()
    assert torch.equal(before, guarded.weights(net)) and guard.steps == 0


def test_what_changes_the_bits_has_to_be_as_it_was_unless_that_does_not_matter(made, monkeypatch):
    saved(made, 1)
    guard, _, _ = training(made)
    torch.set_num_threads(2)
    with pytest.raises(InputError, match=r"threads 1, but this process has 2.*set_num_threads\(1\)"):
        guard.resume()
    assert guard.resume(exact=False) == 1
    guard.close()
    torch.set_num_threads(1)
    guard, _, _ = training(made)
    monkeypatch.setattr(torch, "__version__", "1.0")
    with pytest.raises(InputError, match="torch 2.*this process has 1.0"):
        guard.resume()


def test_other_numbers_of_ranks_are_refused(made):
    path = saved(made, 1)[0] / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["conditions"]["world_size"] = 4
    path.write_text(json.dumps(manifest))
    guard, _, _ = training(made)
    with pytest.raises(InputError, match="world size 4, but this process has 1.*Start 4 processes"):
        guard.resume()
    assert guard.resume(exact=False) == 1


def loader(samples, **keywords):
    return torch.utils.data.DataLoader(list(torch.randn(samples, 4)), batch_size=4, **keywords)


def test_a_data_set_of_another_length_is_refused(made):
    guard, _, net = training(made, checkpoint_every=1)
    for batch in guard.batches(loader(8)):
        guard.step(batch, lambda batch: net(batch).sum())
    assert guard.epoch == 1
    guard.close()
    guard, _, _ = training(made)
    guard.resume()
    with pytest.raises(InputError, match="9 samples, but the checkpoint's had 8"):
        next(guard.batches(loader(9)))


def test_a_sampler_that_was_there_has_to_be_there(made):
    saved(made, 1, sampler=Counter())
    guard, _, _ = training(made)
    with pytest.raises(InputError, match="sampler="):
        guard.resume()


def test_batches_out_of_order_need_their_numbers(made):
    guard, _, _ = training(made, sampler=Counter())
    with pytest.raises(UsageError, match="in_order=True"):
        next(guard.batches(loader(8, num_workers=1, in_order=False)))


@pytest.fixture
def full_disk():
    """Files may not become larger than this, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_on_a_full_disk_training_goes_on_with_the_checkpoints_that_are_there(made, full_disk):
    guard, step, _ = training(made, checkpoint_every=1)
    step()
    full_disk()
    with pytest.warns(RuntimeWarning, match="training continues.*File too large; step-000000001 is still there"):
        step()
    with pytest.raises(MeasurementError, match="cannot save the checkpoint of step 2"):
        guard.save()
    assert names(guard) == ["step-000000001"] and not list(guard.checkpoints[0].parent.glob(".writing-*"))


def test_what_a_killed_process_left_is_swept(made, tmp_path):
    (tmp_path / "checkpoints/.writing-step-000000007").mkdir(parents=True)
    training(made)
    assert not list((tmp_path / "checkpoints").glob(".writing-*"))


def test_two_processes_do_not_write_to_one_folder(made, tmp_path):
    training(made)
    code = textwrap.dedent("""
        import pathlib, sys
        from batchscope._training.folder_lock import FolderLock
        FolderLock(pathlib.Path(sys.argv[1]))
    """)
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "checkpoints"], capture_output=True, text=True)
    assert "UsageError: another training uses" in done.stderr


def test_a_folder_that_cannot_be_made(made, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write checkpoints"):
        training(made, folder="file/checkpoints")
    with pytest.raises(UsageError, match="keep has to be at least 1, not 0"):
        training(made, keep=0)


def test_a_state_that_weights_only_does_not_read_is_refused_when_it_is_saved(made):
    guard, step, _ = training(made, extra={"odd": (odd := Counter())})
    odd.count = pytest
    odd.state_dict = lambda: {"count": Counter()}
    step()
    with pytest.raises(MeasurementError, match="cannot load .*training.pt"):
        guard.save()
    assert names(guard) == []


def test_the_model_is_what_torch_loads_with_weights_only(made):
    guard, step, net = training(made)
    step()
    state = torch.load(guard.save() / "model.pt", weights_only=True)
    assert all(torch.equal(state[name], value) for name, value in net.state_dict().items())
    assert isinstance(guard, TrainingGuard)


def test_an_exception_of_the_loop_leaves_a_checkpoint_of_the_steps_before_it_to_the_same_bits(made):
    guard, step, net = training(made)

    def failing(batch):
        net(batch)
        raise ValueError("of the third step")

    with pytest.raises(ValueError), guard:
        step()
        step()
        guard.step(torch.randn(4, 4), failing)
    assert names(guard) == ["step-000000002"]
    expected = torch.rand(1)
    guard, _, _ = training(made, seed=3)
    guard.resume()
    assert torch.rand(1) == expected
