"""A batch in hand, cut into micro-batches along its samples."""

import dataclasses
from collections.abc import Mapping

import torch

from batchscope._errors import UsageError


def _children(batch):
    """(name, value) of the fields of a container; None for a leaf."""
    if isinstance(batch, Mapping):
        return [(f"[{key!r}]", value) for key, value in batch.items()]
    if isinstance(batch, (list, tuple)):
        names = getattr(batch, "_fields", None)
        return [(f".{names[i]}" if names else f"[{i}]", value) for i, value in enumerate(batch)]
    if dataclasses.is_dataclass(batch) and not isinstance(batch, type):
        return [(f".{field.name}", getattr(batch, field.name)) for field in dataclasses.fields(batch)]
    return None


def _is_samples(value):
    """Whether a list holds a plain value for each sample, and no fields."""
    return isinstance(value, (list, tuple)) and value and all(isinstance(each, (str, bytes, int, float)) for each in value)


def _leaves(batch, name="batch"):
    """(name, value) of what is cut: tensors, arrays, lists of plain values."""
    if hasattr(batch, "shape") and len(batch.shape) > 0 or _is_samples(batch):
        yield name, batch
    else:
        for child, value in _children(batch) or ():
            yield from _leaves(value, name + child)


def first_length(batch):
    """(name, samples) of the first tensor or array of a batch. UsageError: it holds none."""
    for name, value in _leaves(batch):
        if hasattr(value, "shape"):
            return name, len(value)
    raise UsageError(f"the batch ({type(batch).__name__}) has no tensor with samples as its first dimension: pass items to "
                     "guard.step(), and a function split(batch, parts) to TrainingGuard")


def samples_of(batch):
    """How many samples a batch holds: the first dimension of all its tensors.

    UsageError: it holds none, or a field has another first dimension; it is named."""
    first, count = first_length(batch)
    for name, value in _leaves(batch):
        if len(value) != count:
            has = f"shape {tuple(value.shape)}" if hasattr(value, "shape") else f"{len(value)} values"
            raise UsageError(f"the batch cannot be split: {name} has {has}, but {first} has {count} samples; pass a function "
                             "split(batch, parts) to TrainingGuard")
    return count


def elements_of(batch):
    """Numbers in the tensors of a batch: what its memory grows with."""
    return sum(value.numel() if isinstance(value, torch.Tensor) else getattr(value, "size", len(value))
               for _, value in _leaves(batch))


def cut(batch, begin, end):
    """Samples begin to end (excluded) of a batch; tensors are views. What is no field of samples is in every part."""
    if hasattr(batch, "shape") and len(batch.shape) > 0 or _is_samples(batch):
        return batch[begin:end]
    children = _children(batch)
    if children is None:
        return batch
    values = [cut(value, begin, end) for _, value in children]
    if isinstance(batch, Mapping):
        return type(batch)(dict(zip(batch, values)))
    if isinstance(batch, (list, tuple)):
        return type(batch)(*values) if hasattr(batch, "_fields") else type(batch)(values)
    return dataclasses.replace(batch, **{field.name: value for field, value in zip(dataclasses.fields(batch), values)})


def split_evenly(batch, parts):
    """At most that many micro-batches whose numbers of samples differ by one at most."""
    count = samples_of(batch)
    parts = max(1, min(parts, count))
    edges = [count * i // parts for i in range(parts + 1)]
    return [cut(batch, begin, end) for begin, end in zip(edges, edges[1:])]
