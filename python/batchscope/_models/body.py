"""A model in Python is a *body*: an object with

- `prepare(batch_size, seq_len) -> Prepared`: made for one batch; both may be None in `seq_len`;
- `begin_timing()`: statistics begin anew between warm-up and timed iterations;
- `memory() -> dict | None`: peak_allocated_bytes and peak_reserved_bytes of the device since then;
- `infer(inputs) -> outputs`: tensors as (name, dtype, shape, bytes), for comparing outputs;
- `last_loss() -> float | None`, `diagnose(prepared, recording) -> dict`.

`Body` has what most of them do not have.
"""

import sys
from dataclasses import dataclass

from batchscope._explain import Refused


def _nothing():
    pass


@dataclass
class Prepared:
    """What runs one batch: `run()`, and `wait()` until a device has done it, or None where none has to be waited for."""

    run: object
    wait: object = None
    enter: object = _nothing  # called before the iterations: a mode that they run in, which the host leaves (as_before)
    cycle: int = 1  # how many iterations are alike only together
    settles: bool = False  # it is compiled by this package: called until nothing is, before the warm-up


def device_wait(device):
    """What waits for a device of torch, if the model is on one."""
    kind = device.split(":", 1)[0]
    torch = sys.modules.get("torch")
    module = getattr(torch, kind, None) if torch is not None else None
    if kind == "cpu" or module is None or not hasattr(module, "synchronize"):
        return None
    return lambda: module.synchronize(device)


class Body:
    """A model that has none of the extras."""

    def begin_timing(self):
        pass

    def memory(self):
        return None

    def infer(self, inputs):
        raise Refused("failed", "the model has no outputs to compare", "",
                      "use an nn.Module with --input")

    def last_loss(self):
        return None

    def loading(self):
        """What its loader did, schema::LoaderFacts; None for a model that loads nothing."""
        return None

    def diagnose(self, prepared, recording):
        """What was traced, with the trace in the file `recording`. Torch is not loaded for it: who has not, does not use it."""
        torch = sys.modules.get("torch")
        if torch is None:
            return {"absent": {"operations": "only torch models can be traced in Python"}}
        from batchscope._models.tracer import traced

        return traced(prepared, torch.device(self.request.device), recording)
