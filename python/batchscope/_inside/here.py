"""Measuring in this very process, for isolation="none"."""

import contextlib
import os
import sys

from batchscope._errors import UsageError
from batchscope._inside import host


@contextlib.contextmanager
def as_it_was(model):
    """The process is somebody's: torch's threads, random numbers and mode, and whether modules train."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    trained = [(each, each.training) for each in model.modules()] if isinstance(model, torch.nn.Module) else []
    try:
        yield
    finally:
        host.as_before()
        torch.set_num_threads(threads)
        torch.set_rng_state(state)
        for each, training in trained:
            each.training = training


class Here:
    """A model of this process as study::profile calls it: prepare(batch_size), then run(batch_size) again and again."""

    def __init__(self, body):
        self.body, self.ready = body, {}

    def prepare(self, batch_size):
        host.as_before()
        if batch_size not in self.ready:
            self.ready[batch_size] = self.body.prepare(batch_size, None)
        self.ready[batch_size].enter()

    def run(self, batch_size):
        prepared = self.ready[batch_size]
        prepared.run()
        if prepared.wait is not None:
            prepared.wait()


def profile(model, path, inputs, params, given, overwrites):
    """Measures an object into the run file at `path`; `given`: the other keywords of bs.profile(), as texts.

    None, or (kind, text) of why it was not. Other work of the process is in the times, and the analysis proves nothing of them.
    """
    from batchscope import _core
    from batchscope._explain import Refused
    from batchscope._models import factory

    name = getattr(model, "__name__", type(model).__name__)
    request = host.Request(model=name, inputs=inputs, param=params, threads=int(given.get("threads", "1")))
    with as_it_was(model):
        try:
            here = Here(factory.open_object(model, request))
        except Refused as refused:
            raise UsageError(f"{refused.what} ({refused.fix})") from None
        return _core.profile_here(here.prepare, here.run, name, os.fspath(path), overwrites, given)
