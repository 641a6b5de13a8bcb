"""Models in Python, by how they are named.

A model is a *body*: an object with

- `prepare(batch_size, seq_len) -> Prepared` (batchscope._host): made for one batch; both may be None in `seq_len`;
- `begin_timing()`: statistics begin anew between warm-up and timed iterations;
- `memory() -> dict | None`: peak_allocated_bytes and peak_reserved_bytes of the device since then;
- `infer(inputs) -> outputs`: tensors as (name, dtype, shape, bytes), for comparing outputs;
- `last_loss() -> float | None`, `diagnose(prepared, recording) -> dict`.

`Body` has what most of them do not have.
"""

import sys

from batchscope._explain import Refused


class Body:
    """A model that has none of the extras."""

    def begin_timing(self):
        pass

    def memory(self):
        return None

    def infer(self, inputs):
        raise Refused("failed", "the model has no outputs to compare", "",
                      "name an nn.Module with --input, so that it is run on given inputs")

    def last_loss(self):
        return None

    def diagnose(self, prepared, recording):
        """What was traced, with the trace in the file `recording`. Torch is not loaded for it: who has not, does not use it."""
        torch = sys.modules.get("torch")
        if torch is None:
            return {"absent": {"operations": "only models of torch are traced in Python"}}
        from batchscope._models.tracer import traced

        return traced(prepared, torch.device(self.request.device), recording)


def adapter_of(model):
    """The module of this package that knows models named like this."""
    prefix = model.split(":", 1)[0]
    if prefix == "hf":
        from batchscope._models import hf as adapter
    elif prefix == "st":
        from batchscope._models import sentence_transformers as adapter
    elif prefix == "timm":
        from batchscope._models import timm as adapter
    else:
        from batchscope._models import factory as adapter
    return adapter


def open_model(request):
    """The body for a request (batchscope._host.Request)."""
    return adapter_of(request.model).open_model(request)


def describe(request):
    """The facts of a model: description, hash, parameters, inputs, has_seq_len, default_seq_len, trains."""
    return adapter_of(request.model).describe(request)
