"""bs.BatchSampler behind accelerate, the Trainer, Lightning and torchdata, where they are installed."""

import collections
import os

import pytest

import native  # noqa: F401 - skips without the extension module

import batchscope as bs

torch = pytest.importorskip("torch")

LENGTHS = [1 + (i * 37) % 20 for i in range(64)]
ONCE = dict.fromkeys(range(64), 1)


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return len(LENGTHS)

    def __getitem__(self, i):
        return {"x": torch.tensor([i / 64, 1.0]), "i": torch.tensor(i), "labels": torch.ones(1)}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.seen = torch.nn.Linear(2, 1), []

    def forward(self, x, i, labels):
        self.seen.append(i.tolist())
        return {"loss": ((self.linear(x) - labels) ** 2).mean()}


def sampler_of(state=None):
    sampler = bs.BatchSampler(LENGTHS, max_tokens=60)
    if state:
        sampler.load_state_dict(state)
    return sampler


def epochs_of(seen, steps):
    return [seen[at:at + steps] for at in range(0, len(seen), steps)]


def check_epochs(seen, steps, count):
    epochs = epochs_of(seen, steps)
    assert len(epochs) == count and all(collections.Counter(sum(epoch, [])) == ONCE for epoch in epochs)
    assert epochs[0] != epochs[1]


def read(loader, sampler, seen, stop_after=None):
    for batch in loader:
        seen.append(batch["i"].tolist())
        sampler.trained()
        if len(seen) == stop_after:
            return


@pytest.mark.parametrize("workers", [0, 2])
def test_accelerate(workers):
    accelerator = pytest.importorskip("accelerate").Accelerator(cpu=True)

    def loader(sampler):
        return accelerator.prepare(torch.utils.data.DataLoader(Samples(), batch_sampler=sampler, num_workers=workers))

    expected, seen, sampler = [], [], sampler_of()
    loaded = loader(sampler)
    for _ in range(3):
        read(loaded, sampler, expected)
    check_epochs(expected, len(sampler), 3)
    stopped = sampler_of()
    loaded = loader(stopped)
    for _ in range(2):
        read(loaded, stopped, seen, stop_after=len(stopped) + 5)
    resumed = sampler_of(stopped.state_dict())
    loaded = loader(resumed)  # which counts epochs from 0
    for _ in range(2):
        read(loaded, resumed, seen)
    assert seen == expected


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("is_counted", [True, False])
def test_the_state_of_torchdata(workers, is_counted):
    stateful = pytest.importorskip("torchdata.stateful_dataloader").StatefulDataLoader
    sampler, seen = sampler_of(), []
    loader = stateful(Samples(), batch_sampler=sampler, num_workers=workers)
    for batch in loader:
        seen.append(batch["i"].tolist())
        if is_counted:
            sampler.trained()
        if len(seen) == 5:
            break
    resumed = sampler_of()
    again = stateful(Samples(), batch_sampler=resumed, num_workers=workers)
    again.load_state_dict(loader.state_dict())
    seen += [batch["i"].tolist() for batch in again]
    assert seen == list(sampler_of())


@pytest.mark.parametrize("accumulation", [1, 2])
@pytest.mark.parametrize("is_counted", [True, False])
def test_the_trainer(tmp_path, accumulation, is_counted):
    pytest.importorskip("accelerate")
    transformers = pytest.importorskip("transformers")

    class Trainer(transformers.Trainer):
        def get_train_dataloader(self):
            self.sampler = sampler_of()
            return self.accelerator.prepare(torch.utils.data.DataLoader(self.train_dataset, batch_sampler=self.sampler))

        def training_step(self, *arguments, **keywords):
            loss = super().training_step(*arguments, **keywords)
            if is_counted:
                self.sampler.trained()
            return loss

    def train(resume=None):
        torch.manual_seed(0)
        options = transformers.TrainingArguments(str(tmp_path), num_train_epochs=3, save_steps=4, report_to=[], use_cpu=True,
                                                 disable_tqdm=True, gradient_accumulation_steps=accumulation)
        trainer = Trainer(model=Net(), args=options, train_dataset=Samples())
        trainer.train(resume_from_checkpoint=resume)
        return trainer.model

    model, steps = train(), len(sampler_of())
    check_epochs(model.seen, steps, 3)
    at = 4 * (steps // accumulation // 4 + 1)  # in the second epoch
    assert os.path.isdir(tmp_path / f"checkpoint-{at}") and at * accumulation > steps
    resumed = train(str(tmp_path / f"checkpoint-{at}"))
    assert resumed.seen == model.seen[at * accumulation:]
    assert all(torch.equal(a, b) for a, b in zip(resumed.state_dict().values(), model.state_dict().values()))


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("is_counted", [True, False])
def test_lightning(tmp_path, workers, is_counted):
    lightning = pytest.importorskip("pytorch_lightning")
    from batchscope.torch import ResumableLoader

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = Net()

        def training_step(self, batch, _):
            return self.net(**batch)["loss"]

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.01)

    def train(steps, resume=None, save=None):
        lightning.seed_everything(0, verbose=False)
        trainer = lightning.Trainer(max_steps=steps, accelerator="cpu", logger=False, enable_checkpointing=False,
                                    enable_progress_bar=False, enable_model_summary=False)
        module = Module()
        kind = ResumableLoader if is_counted else torch.utils.data.DataLoader
        trainer.fit(module, kind(Samples(), batch_sampler=sampler_of(), num_workers=workers), ckpt_path=resume)
        if save:
            trainer.save_checkpoint(save)
        return module.net

    steps, saved = len(sampler_of()), tmp_path / "saved.ckpt"
    net = train(3 * steps)
    check_epochs(net.seen, steps, 3)
    if is_counted:
        train(steps + 5, save=saved)
        assert train(3 * steps, resume=saved).seen == net.seen[steps + 5:]
