"""Measuring in this very process, for isolation="none"."""

import contextlib
import os
import sys

from batchscope import _host
from batchscope._arguments import texts_for
from batchscope._errors import MeasurementError, UsageError, in_keywords
from batchscope._flags import flags_of

# Keywords of bs.profile() that mean something without a process of its own.
TAKEN = ("batch_sizes", "inputs", "seed", "blocks", "iterations", "warmup", "min_visit_time", "target", "budget",
         "latency_budget", "current_batch_size", "threads", "params")
# Those that are no values of the run.
OWN = ("overwrite", "isolation")


def one_each(params):
    """{"width": "256"} for "width=256"; several values are an axis."""
    several = next((text for text in params if len(text.replace("\\,", "").split(",")) > 1), None)
    if several:
        raise UsageError(f'profile(): several values of {several.partition("=")[0]} need fresh processes (leave '
                         f'isolation="none" out)')
    return {name: value.replace("\\,", ",") for name, _, value in (text.partition("=") for text in params)}


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
        _host.as_before()
        torch.set_num_threads(threads)
        torch.set_rng_state(state)
        for each, training in trained:
            each.training = training


class Here:
    """A model of this process as study::profile calls it: prepare(batch_size), then run(batch_size) again and again."""

    def __init__(self, body):
        self.body, self.ready = body, {}

    def prepare(self, batch_size):
        _host.as_before()
        if batch_size not in self.ready:
            self.ready[batch_size] = self.body.prepare(batch_size, None)
        self.ready[batch_size].enter()

    def run(self, batch_size):
        prepared = self.ready[batch_size]
        prepared.run()
        if prepared.wait is not None:
            prepared.wait()


def check(models, keywords):
    given = [name for name, value in keywords.items() if value is not None and value is not False]
    unknown = [name for name in given if name not in TAKEN + OWN]
    if unknown:
        raise UsageError(f'profile(): {unknown[0]} needs fresh processes (leave isolation="none" out)')
    if len(models) != 1:
        raise UsageError('profile(): isolation="none" measures one model at a time (leave it out to compare several)')


def profile(models, path, keywords):
    """Measures a model, an object, in this process into the run file at `path`; keywords are those of bs.profile().

    Other work of the process is in the times then, and the analysis proves nothing of them.
    """
    texts = texts_for("profile", {name: value for name, value in keywords.items() if name not in OWN})
    check(models, keywords)
    from batchscope import _core
    from batchscope._explain import Refused
    from batchscope._models import factory

    model = models[0]
    name = getattr(model, "__name__", type(model).__name__)
    inputs, params = texts.pop("inputs", []), one_each(texts.pop("params", []))
    given = {keyword: text for keyword, (text,) in texts.items()}
    threads = given.get("threads", "1")
    if not threads.isdecimal():
        raise UsageError('profile(): several numbers of threads need fresh processes (leave isolation="none" out)')
    request = _host.Request(model=name, inputs=inputs, param=params, threads=int(threads))
    overwrites = bool(keywords.get("overwrite"))
    with as_it_was(model):
        try:
            here = Here(factory.open_object(model, request))
        except Refused as refused:
            raise UsageError(f"{refused.what} ({refused.fix})") from None
        failed = _core.profile_here(here.prepare, here.run, name, os.fspath(path), overwrites, given)
    if failed is None:
        return
    kind, text = failed[0], in_keywords(failed[1], {name.replace("-", "_") for name in flags_of("profile")})
    if kind == "interrupted":
        raise KeyboardInterrupt(f"interrupted; everything measured so far is in {path}")
    raise UsageError(f"profile(): {text}") if kind == "usage" else MeasurementError(text)
