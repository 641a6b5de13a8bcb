"""By whom models are made, as they are named. A new library of models is its module here, and its row: the help of the
program is made of the rows, too (libs/program/cli/CMakeLists.txt)."""

import importlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Adapter:
    """A module of this folder with `open_model(request) -> Body` and `describe(request) -> facts`: description, hash,
    parameters, inputs, has_seq_len, default_seq_len, trains. `packages`: what it needs, whose versions a run file holds."""

    module: str
    packages: tuple = ()


ADAPTERS = {
    "hf:": Adapter("hf", ("transformers",)),
    "st:": Adapter("sentence_transformers", ("sentence-transformers",)),
    "timm:": Adapter("timm", ("timm",)),
    "pickle:": Adapter("factory"),
    "step:": Adapter("loader"),
}
USERS_OWN = Adapter("factory")  # without a prefix: net.py:factory, package.module:factory

PREFIXES = tuple(ADAPTERS)
PACKAGES = tuple(name for adapter in ADAPTERS.values() for name in adapter.packages)
LIBRARIES = tuple(prefix for prefix, adapter in ADAPTERS.items() if adapter.packages)


def without_prefix(model):
    return model.partition(":")[2] if model.startswith(PREFIXES) else model


def adapter_of(model):
    """The module that knows models named like this."""
    prefix = model.partition(":")[0] + ":"
    return importlib.import_module(f"batchscope._models.{ADAPTERS.get(prefix, USERS_OWN).module}")


def open_model(request):
    """The body for a request (batchscope._inside.host.Request)."""
    if request.loader is not None:
        return importlib.import_module("batchscope._models.loader").open_model(request)
    return adapter_of(request.model).open_model(request)


def describe(request):
    return adapter_of(request.model).describe(request)
