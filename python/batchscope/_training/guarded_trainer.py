"""The Trainer of transformers, whose batches are split where memory is out."""

import torch

from batchscope._training import splitting
from batchscope._training.attempts import MicroBatches


class _Parts(MicroBatches):
    """Of a batch, each by the Trainer's own forward and backward."""

    def _backward_of(self, micro, training_step, items, scaled):
        return training_step(micro)


def _items_of(inputs):
    """What a model's mean loss is over: labels that are not ignored, or samples."""
    labels = inputs.get("labels")
    if torch.is_tensor(labels) and not labels.is_floating_point():
        return (labels != -100).sum()
    return splitting.samples_of(inputs)


class GuardedTrainerMixin:
    """Makes a Trainer split a batch that does not fit in memory, and later ones to the size that fits.

        class MyTrainer(GuardedTrainerMixin, Trainer):
            pass

    The gradients are those of the complete batch, to rounding: parts are weighed by the labels that count, also within gradient
    accumulation. Checkpoints and signals stay the Trainer's. With several processes it changes nothing: use TrainingGuard.
    """

    _parts_of_batch, _share = None, None

    def training_step(self, model, inputs, num_items_in_batch=None):
        if self.accelerator.num_processes > 1:
            return super().training_step(model, inputs, num_items_in_batch)
        if self._parts_of_batch is None:
            self._parts_of_batch = _Parts(model, None, None)
        step = super().training_step
        total = None if num_items_in_batch is not None else _items_of(inputs)

        def of_part(part):
            # With the number of items, a part's loss is its share of the sum already; else it is a mean.
            self._share = None if total is None else _items_of(part) / total
            return step(model, part, num_items_in_batch)

        parameters = [each for each in model.parameters() if each.requires_grad]
        earlier = [each.grad for each in parameters]  # of other batches of an accumulated step: none of them may be dropped
        _set_gradients(parameters, [None] * len(parameters))
        try:
            return self._parts_of_batch.run(inputs, of_part, None, None, lambda: _set_gradients(parameters, [None] * len(parameters)))
        finally:
            self._share = None
            _add_gradients(parameters, earlier)

    def compute_loss(self, model, inputs, return_outputs=False, **keywords):
        found = super().compute_loss(model, inputs, return_outputs, **keywords)
        if self._share is None:
            return found
        return (found[0] * self._share, found[1]) if return_outputs else found * self._share


def _set_gradients(parameters, gradients):
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = gradient


def _add_gradients(parameters, earlier):
    for parameter, gradient in zip(parameters, earlier):
        if gradient is not None:
            parameter.grad = gradient if parameter.grad is None else gradient.add_(parameter.grad)
