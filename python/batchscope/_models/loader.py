"""Training over a DataLoader of torch: "step:20ms", or a step of the user's own, beside --loader python:data.py:dataset."""

from dataclasses import replace

from batchscope._explain import Refused
from batchscope._loaders.lengths import is_synthetic, parsed
from batchscope._loaders.plan import PYTHON, Plan
from batchscope._models import target
from batchscope._models.body import Body, Prepared
from batchscope._models.factory import set_torch_threads


def plan_of(request):
    source = request.loader["source"].removeprefix(PYTHON)
    if is_synthetic(request.model):
        return Plan(target.find(source), request.model)
    found = target.find(request.model)
    if not isinstance(found, Plan):
        return Plan(target.find(source), found)
    return found if found.dataset is not None else replace(found, dataset=target.find(source))


class LoaderBody(Body):
    def __init__(self, request):
        self.request, self.plan, self.loop = request, plan_of(request), None

    def prepare(self, batch_size, seq_len):
        import torch  # noqa: F401  (so that its threads can be set)
        from batchscope._loaders.loop import Loop

        set_torch_threads(self.request)
        if self.loop is not None:
            self.loop.close()
        self.loop = Loop(self.plan, self.request, batch_size)
        # Workers hand over in turn, so that as many iterations are alike as there are workers.
        return Prepared(self.loop.iterate, cycle=max(1, self.loop.workers))

    def begin_timing(self):
        self.loop.begin_timing()

    def loading(self):
        return self.loop.facts()

    def diagnose(self, prepared, recording):
        return {"absent": {"operations": "a loop over a loader is not traced"}}


def open_model(request):
    if request.loader is None:
        raise Refused("usage", "a synthetic step needs a loader", request.model,
                      "add --loader python:data.py:dataset")
    return LoaderBody(request)


def describe(request):
    computes, seconds = parsed(request.model)
    how = "computes" if computes else "sleeps"
    return {"description": f"a synthetic step that {how} for {seconds * 1e3:g} ms", "hash": ""}

