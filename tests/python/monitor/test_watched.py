"""Trainings of plain loops, accelerate, the Trainer and Lightning, watched: the parts of each step, and the last lines."""

import contextlib
import json
import pathlib
import warnings

import pytest

import native  # noqa: F401 - skips where the module is not built

torch = pytest.importorskip("torch")

import virtual_training as scene  # noqa: E402

from batchscope._monitoring import loader_advice, step_clock  # noqa: E402
from batchscope.torch import watch  # noqa: E402

SLOW, HEALTHY = scene.LOAD, 0.0001


@pytest.fixture
def time(monkeypatch):
    virtual = scene.VirtualTime()
    monkeypatch.setattr(step_clock, "time", virtual)
    monkeypatch.setattr(loader_advice, "_cpus", lambda: 8)
    return virtual


class Spy:
    """Keeps the parts of the steps of a monitor."""

    def __init__(self, monkeypatch):
        from batchscope._monitoring.training import TrainingMonitor

        self.parts, real = [], TrainingMonitor._report
        monkeypatch.setattr(TrainingMonitor, "_report", lambda monitor, parts, *rest: (self.parts.append(parts),
                                                                                       real(monitor, parts, *rest)))


@pytest.fixture
def spy(monkeypatch):
    return Spy(monkeypatch)


def steps_of(path):
    lines = map(json.loads, pathlib.Path(path).read_text().splitlines())
    return [line for line in lines if line["type"] == "step"]


def plain(time, load, log):
    net = scene.Net(time)
    optimizer = scene.Update(net)
    loader = watch(torch.utils.data.DataLoader(scene.Samples(time, load), batch_size=scene.BATCH), net, optimizer, log=log)
    for _ in range(2):
        for batch in loader:
            optimizer.zero_grad()
            net(**batch)["loss"].backward()
            optimizer.step()
        net.eval()
        net(**batch)
        net.train()
    loader.monitor.close()


def accelerated(time, load, log):
    accelerator = pytest.importorskip("accelerate").Accelerator(cpu=True)
    net = scene.Net(time)
    loader = torch.utils.data.DataLoader(scene.Samples(time, load), batch_size=scene.BATCH)
    net, optimizer, loader = accelerator.prepare(net, scene.Update(net), loader)
    loader = watch(loader, net, optimizer, log=log)
    for _ in range(2):
        for batch in loader:
            optimizer.zero_grad()
            accelerator.backward(net(**batch)["loss"])
            optimizer.step()
    loader.monitor.close()


def trainer(time, load, log, accumulation=1):
    pytest.importorskip("accelerate")
    transformers = pytest.importorskip("transformers")
    from batchscope.torch import TrainerMonitor

    class Saves(transformers.TrainerCallback):
        """Comes after the monitor's."""

        def on_save(self, *_, **__):
            time.spend(scene.SAVE)

    net = scene.Net(time)
    options = transformers.TrainingArguments(
        str(log.parent / "out"), num_train_epochs=2, per_device_train_batch_size=scene.BATCH, per_device_eval_batch_size=scene.SAMPLES,
        gradient_accumulation_steps=accumulation, eval_strategy="steps", eval_steps=5, save_steps=5, logging_steps=5, report_to=[], use_cpu=True, disable_tqdm=True)
    transformers.Trainer(net, options, train_dataset=scene.Samples(time, load), eval_dataset=scene.Samples(time, 0.0),
                         optimizers=(scene.Update(net), None), callbacks=[TrainerMonitor(log), Saves()]).train()


def lightning(time, load, log):
    pl = pytest.importorskip("pytorch_lightning")
    from batchscope.torch import LightningMonitor

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = scene.Net(time)

        def training_step(self, batch, _):
            return self.net(**batch)["loss"]

        def validation_step(self, batch, _):
            self.net(**batch)

        def on_save_checkpoint(self, checkpoint):
            time.spend(scene.SAVE)

        def configure_optimizers(self):
            return scene.Update(self.net)

    fit = pl.Trainer(max_epochs=2, accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False,
                     val_check_interval=5, num_sanity_val_steps=1, callbacks=[
                         LightningMonitor(log), pl.callbacks.ModelCheckpoint(log.parent, every_n_train_steps=5)])
    data = [torch.utils.data.DataLoader(scene.Samples(time, seconds), batch_size=scene.BATCH) for seconds in (load, 0.0)]
    fit.fit(Module(), *data)


LOOPS = [plain, accelerated, trainer, lightning]


def run(loop, *arguments):
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        loop(*arguments)


def lines_of(capsys):
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith(("batchscope:", "  "))]


@pytest.mark.parametrize("loop", LOOPS)
def test_the_parts_of_each_step_hold_neither_evaluation_nor_saving(tmp_path, time, spy, capsys, loop):
    log = tmp_path / "run.jsonl"
    run(loop, time, SLOW, log)
    assert len(spy.parts) == 2 * scene.STEPS
    expected = dict(scene.PARTS)
    ahead = loop in (accelerated, trainer)  # accelerate fetches a batch ahead: two for the first step, none for the last
    for number, parts in enumerate(spy.parts):
        at = number % scene.STEPS
        expected["load"] = scene.LOAD * ((2 if at == 0 else 0 if at == scene.STEPS - 1 else 1) if ahead else 1)
        assert parts == pytest.approx(expected, abs=1e-9), number
    steps = steps_of(log)
    assert [each["step"] for each in steps] == list(range(*((1, 25) if loop is trainer else (0, 24))))
    assert {each["batch_size"] for each in steps} == {scene.BATCH} and {each["learning_rate"] for each in steps} <= {0.125, *(
        each["learning_rate"] for each in steps if loop is trainer)}
    assert sum(each["loading_seconds"] for each in steps if "loading_seconds" in each) == pytest.approx(24 * scene.LOAD)
    mean, share = ("19.5", 59) if ahead else ("20", 60)  # without the first step
    own = scene.FORWARD + scene.BACKWARD + scene.UPDATE
    lines = lines_of(capsys)
    assert lines[:2] == [f"batchscope: 24 steps of {mean} ms: waiting for the loader takes {share} % of the time.",
                         "  fix: set num_workers=2 (now 0; 8 CPUs)"]
    assert lines[2].startswith(f"  time: load {share} %, forward 15 %, backward 2") and lines[2].endswith(" %, optimizer 5 %")
    assert lines[3:] == [f"  more: batchscope.torch.profile_loader(dataset, 4, step={own:.2g}) finds the best setting"]


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loader_that_keeps_up_is_called_so(tmp_path, time, capsys, loop):
    run(loop, time, HEALTHY, tmp_path / "run.jsonl")
    lines = lines_of(capsys)
    assert lines[0] == "batchscope: 24 steps of 8.1 ms: the loader keeps up (1 % of the time)."
    assert not any("fix" in line for line in lines)
    assert lines[-1] == f"  more: batchscope report {tmp_path}/run.jsonl -o report.html"


def test_an_accumulated_step_of_the_trainer_holds_its_batches(tmp_path, time, spy):
    run(trainer, time, SLOW, tmp_path / "run.jsonl", 2)
    assert len(spy.parts) == scene.STEPS
    expected = {**scene.PARTS, "load": 2 * scene.LOAD, "forward": 2 * scene.FORWARD, "backward": 2 * scene.BACKWARD}
    for parts in spy.parts[1:5]:  # the first of an epoch fetches a batch more, the last one less
        assert parts == pytest.approx(expected, abs=1e-9)
    assert {each["batch_size"] for each in steps_of(tmp_path / "run.jsonl")} == {2 * scene.BATCH}


def test_of_several_ranks_the_first_writes_and_prints(tmp_path, time, capsys, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    run(plain, time, SLOW, tmp_path / "run.jsonl")
    assert not (tmp_path / "run.jsonl").exists() and lines_of(capsys) == []


def test_a_loop_that_is_left_has_its_last_step_and_a_loop_may_report_its_own(tmp_path, time, spy):
    loader = watch(torch.utils.data.DataLoader(scene.Samples(time, SLOW), batch_size=scene.BATCH), log=tmp_path / "run.jsonl", quiet=True)
    for number, _ in enumerate(loader):
        time.spend(1.0)
        if number == 2:
            break
    time.spend(50.0)
    for number, _ in enumerate(loader):
        loader.monitor.log_step(loss=0.5)
        if number == 1:
            break
    loader.monitor.close()
    assert [parts["other"] for parts in spy.parts] == pytest.approx([1, 1, 1, 0, 0])
    assert [each.get("loss") for each in steps_of(tmp_path / "run.jsonl")] == [None, None, None, 0.5, 0.5]


def test_a_watched_loader_is_guarded_as_the_loader_itself(tmp_path, time, spy):
    import batchscope as bs
    from batchscope.torch import TrainingGuard

    net = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    sampler = bs.BatchSampler(scene.SAMPLES, max_batch=scene.BATCH)
    inner = torch.utils.data.DataLoader(scene.Samples(time, 0.0), batch_sampler=sampler, num_workers=1)
    loader = watch(inner, net, optimizer, quiet=True)
    with TrainingGuard(net, optimizer, tmp_path / "checkpoints", sampler=sampler) as guard:
        for batch in guard.batches(loader):
            guard.step(batch, lambda part: ((net(part["x"]) - part["labels"]) ** 2).sum())
    loader.monitor.close()
    assert type(inner.worker_init_fn).__name__ == "Obedient"
    assert guard.steps == len(spy.parts) == scene.STEPS and sampler.position == scene.STEPS
