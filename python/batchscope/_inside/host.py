"""Models in Python as the worker's loop runs them; called by the extension module, one visit after the other.

What is called by name from C++ (python/src/interpreted_model.cpp): `load`, and of what it returns `prepare`, `wait`,
`begin_timing`, `memory`, `infer`, `last_loss`, `collections`, `compilation`, `loading` and `diagnose`.
"""

import json
import os
import platform
import sys
from dataclasses import dataclass, field

from batchscope._content import installed
from batchscope._explain import Refused
from batchscope._inside import collector
from batchscope._models import adapters
from batchscope._models.compiler import Compiler

PROTOCOL = 2  # kProtocol of libs/measuring/engines/src/python

# Read by the libraries that compute, when they are loaded.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


@dataclass
class Request:
    """How a model is to run: engine::ModelSpec and engine::ExecutionSpec."""

    model: str
    inputs: list = field(default_factory=list)
    seed: int = 0
    device: str = "cpu"
    threads: int = 1
    precision: str = "fp32"
    train: bool = False
    optimizer: str = ""
    accumulation: int = 1
    checkpointing: bool = False
    wait_each: bool = True
    param: dict = field(default_factory=dict)
    environment: dict = field(default_factory=dict)  # that the visit was asked to run in
    compile: bool | None = None
    gc: str | None = None
    loader: dict | None = None  # schema::Loader, of a data set in Python


class Loaded:
    """A model that is loaded; its work is in `body` (see _models/body.py)."""

    def __init__(self, request, body):
        self.request, self.body = request, body
        self.collector, self.compiler = collector.Collector(), Compiler()
        self.batches = {}

    def prepare(self, batch_size, seq_len):
        as_before()
        # The loop prepares twice, since the first time also pays for fresh memory; a factory makes its model once.
        key = (batch_size, seq_len)
        if key not in self.batches:
            self.batches.clear()
            self.batches[key] = self.body.prepare(batch_size, seq_len)
            if self.batches[key].settles:
                self.batches[key].enter()
                self.compiler.settle(self.batches[key].run)
            collector.apply(self.request.gc)
        prepared = self.batches[key]
        prepared.enter()
        return prepared

    def wait(self):
        for each in self.batches.values():
            if each.wait is not None:
                each.wait()

    def begin_timing(self):
        self.body.begin_timing()
        self.compiler.begin_timing()
        self.collector.begin()

    def memory(self):
        reported = self.body.memory()
        return None if reported is None else json.dumps(reported)

    def infer(self, inputs):
        return self.body.infer(inputs)

    def last_loss(self):
        return self.body.last_loss()

    def collections(self):
        return json.dumps(self.collector.counts())

    def compilation(self):
        reported = self.compiler.counts()
        return None if reported is None else json.dumps(reported)

    def loading(self):
        reported = self.body.loading()
        return None if reported is None else json.dumps(reported)

    def diagnose(self, prepared, recording):
        return json.dumps(self.body.diagnose(prepared, recording))


def set_threads(threads, asked_for=()):
    """For libraries that are not loaded yet: what the user's shell has set is no setting of the run, what --env says is."""
    for name in THREAD_VARIABLES:
        if name not in asked_for:
            os.environ[name] = str(threads)


def as_before():
    """Leaves the mode that the iterations of an earlier visit ran in; torch is not imported for it."""
    inference = sys.modules.get("batchscope._models.inference")
    if inference is not None:
        inference.leave()


def load(request):
    """A Loaded for a request, a dict with the fields of Request. Raises Refused and whatever the model raises."""
    as_before()
    wanted = Request(**request)
    set_threads(wanted.threads, wanted.environment)
    return Loaded(wanted, adapters.open_model(wanted))


def versions():
    """Of the interpreter and what is installed in it of what models are made with; nothing is imported."""
    names = ("torch", *adapters.PACKAGES, "numpy", "jax", "scikit-learn")
    return {"python": platform.python_version(), **dict(installed(names))}


def devices():
    # Importing torch takes seconds, so only where there may be a device.
    if not any(os.path.exists(path) for path in ("/dev/nvidiactl", "/dev/kfd", "/dev/dri/renderD128")):
        return ["cpu"]
    try:
        import torch
    except ImportError:
        return ["cpu"]
    found = ["cpu"]
    for kind in ("cuda", "xpu"):
        module = getattr(torch, kind, None)
        if module is not None and module.is_available():
            found += [f"{kind}:{i}" for i in range(module.device_count())]
    return found


def facts_of_interpreter():
    if sys.version_info < (3, 10):
        raise Refused("failed", f"Python {platform.python_version()} is too old", sys.executable, "use 3.10 or newer")
    return {"versions": versions(), "devices": devices()}


def facts_of(question):
    """What the program wants to know of a model before anything is measured: libs/measuring/engines/src/python/asking.hpp, Facts."""
    set_threads(1)
    return adapters.describe(Request(model=question["model"], inputs=question["inputs"], seed=question["seed"]))
