"""GuardedTrainerMixin: batches of a Trainer that do not fit, split so that the weights are those without a failure."""

import contextlib
import warnings

import native  # noqa: F401 - as the other tests of the guard
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("accelerate")
transformers = pytest.importorskip("transformers")

import guarded  # noqa: E402

from batchscope.torch import GuardedTrainerMixin  # noqa: E402

CLASSES, WIDTH = 10, 6


class Trainer(GuardedTrainerMixin, transformers.Trainer):
    pass


class Mean(torch.nn.Module):
    """The loss of a part is the mean over its labels that count."""

    def __init__(self, plan):
        super().__init__()
        self.net = guarded.Net(plan, features=8, outputs=CLASSES)

    def forward(self, x, labels):
        return {"loss": self.loss(x, labels, "mean")}

    def loss(self, x, labels, reduction):
        return torch.nn.functional.cross_entropy(self.net(x).flatten(0, 1), labels.flatten(), ignore_index=-100, reduction=reduction)


class OverItems(Mean):
    """As language models of transformers: the sum, over the number of labels in all batches of the step."""

    def forward(self, x, labels, num_items_in_batch=None, **kwargs):
        return {"loss": self.loss(x, labels, "sum") / num_items_in_batch if num_items_in_batch is not None else
                self.loss(x, labels, "mean")}


def samples():
    generator = torch.Generator().manual_seed(2)
    labels = torch.randint(0, CLASSES, (48, WIDTH), generator=generator)
    labels[torch.rand(labels.shape, generator=generator) < 0.4] = -100
    return [{"x": torch.randn(WIDTH, 8, generator=generator), "labels": each} for each in labels]


def weights_of(kind, plan, folder, accumulation):
    torch.manual_seed(5)
    model = kind(plan)
    options = transformers.TrainingArguments(str(folder), num_train_epochs=2, per_device_train_batch_size=8, use_cpu=True,
                                             gradient_accumulation_steps=accumulation, report_to=[], disable_tqdm=True,
                                             save_strategy="no", max_grad_norm=0.0)
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    trainer = Trainer(model, options, train_dataset=samples(), optimizers=(optimizer, None))
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        losses = trainer.train().training_loss
    return guarded.weights(model), losses


@pytest.mark.parametrize("accumulation", [1, 2])
@pytest.mark.parametrize("kind", [Mean, OverItems])
@pytest.mark.parametrize("place", [2, -2])
def test_weights_and_losses_are_those_without_a_failure(tmp_path, kind, accumulation, place):
    expected, loss = weights_of(kind, guarded.no_failure(), tmp_path, accumulation)
    plan = guarded.Plan(3, place)
    got, got_loss = weights_of(kind, plan, tmp_path, accumulation)
    assert plan.failures == 2  # 8 samples, then 4; later batches are split at once
    assert guarded.difference(expected, got) < 1e-5
    assert got_loss == pytest.approx(loss, rel=1e-5)


def test_a_sample_that_does_not_fit_is_an_error(tmp_path):
    with pytest.raises(Exception, match="single sample"):
        weights_of(Mean, guarded.Plan(0, 1), tmp_path, 1)
