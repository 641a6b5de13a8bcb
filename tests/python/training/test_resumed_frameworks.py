"""Trainer and Lightning over bs.BatchSampler: killed and resumed, and batches that do not fit."""

import collections
import contextlib
import multiprocessing
import os
import pathlib
import signal
import warnings

import native  # noqa: F401 - the sampler needs the native module
import pytest

torch = pytest.importorskip("torch")

import batchscope as bs  # noqa: E402
from batchscope.torch import ResumableLoader, SeededDataset  # noqa: E402

LENGTHS = [1 + (i * 37) % 20 for i in range(64)]
STEPS = len(bs.BatchSampler(LENGTHS, max_tokens=60))
EVERY, KILLED_AT = 4, STEPS + 7  # in the second epoch, three steps after a checkpoint
assert KILLED_AT % EVERY == 3


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return len(LENGTHS)

    def __getitem__(self, i):
        return {"x": torch.tensor([i / 64, 1.0]) + 0.1 * torch.randn(2), "i": torch.tensor(i), "labels": torch.ones(1)}


class Net(torch.nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.linear, self.dropout, self.seen = torch.nn.Linear(2, 1), torch.nn.Dropout(dropout), []

    def forward(self, x, i, labels):
        self.seen.append(i.tolist())
        return {"loss": ((self.linear(self.dropout(x)) - labels) ** 2).mean()}


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def trained_by_trainer(folder, resume, kill_at, workers):
    pytest.importorskip("accelerate")
    transformers = pytest.importorskip("transformers")

    class Trainer(transformers.Trainer):
        def get_train_dataloader(self):
            sampler = bs.BatchSampler(LENGTHS, max_tokens=60)
            return self.accelerator.prepare(torch.utils.data.DataLoader(self.train_dataset, batch_sampler=sampler, num_workers=workers))

    class Killer(transformers.TrainerCallback):
        def on_step_begin(self, args, state, control, **_):
            if state.global_step == kill_at:
                die()

    torch.manual_seed(0)
    options = transformers.TrainingArguments(str(folder), num_train_epochs=3, save_steps=EVERY, report_to=[], use_cpu=True,
                                             disable_tqdm=True)
    trainer = Trainer(Net(dropout=0.5), options, train_dataset=SeededDataset(Samples(), seed=3), callbacks=[Killer()])
    trainer.train(resume_from_checkpoint=resume)
    return trainer.model


def trained_by_lightning(folder, resume, kill_at, workers):
    pl = pytest.importorskip("pytorch_lightning")

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = Net()

        def training_step(self, batch, _):
            if self.global_step == kill_at:
                die()
            return self.net(**batch)["loss"]

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), 0.01)

    torch.manual_seed(0)
    saves = pl.callbacks.ModelCheckpoint(folder, filename="{step}", every_n_train_steps=EVERY, save_top_k=-1)
    trainer = pl.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False,
                         callbacks=[saves])
    module = Module()
    newest = max(pathlib.Path(folder).glob("*.ckpt"), key=lambda path: path.stat().st_mtime_ns) if resume else None
    loader = ResumableLoader(SeededDataset(Samples(), seed=3), batch_sampler=bs.BatchSampler(LENGTHS, max_tokens=60),
                             num_workers=workers)
    trainer.fit(module, loader, ckpt_path=newest)
    return module.net


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("train", [trained_by_trainer, trained_by_lightning])
def test_a_run_that_is_killed_and_resumed_equals_the_uninterrupted_one(tmp_path, train, workers):
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        full = train(tmp_path / "full", None, None, workers)
        killed = multiprocessing.get_context("fork").Process(target=train, args=(tmp_path / "cut", None, KILLED_AT, workers))
        killed.start()
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
        resumed = train(tmp_path / "cut", True, None, workers)
    epochs = [full.seen[at:at + STEPS] for at in range(0, len(full.seen), STEPS)]
    assert len(epochs) == 3 and len({str(epoch) for epoch in epochs}) == 3
    assert all(collections.Counter(sum(epoch, [])) == dict.fromkeys(range(64), 1) for epoch in epochs)
    assert resumed.seen == full.seen[KILLED_AT - 3:]
    assert all(torch.equal(a, b) for a, b in zip(resumed.state_dict().values(), full.state_dict().values()))
