"""The object that a name means: net.py:factory, package.module:factory, pickle:FILE."""

import importlib
import importlib.util
import os
import sys

from batchscope._content import digest
from batchscope._explain import Refused
from batchscope._models.adapters import LIBRARIES


def parts_of(model):
    source, _, name = model.rpartition(":")
    return source, name


def load_file(path):
    if not os.path.isfile(path):
        raise Refused("input", "no such Python file", path, "check the path")
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.insert(0, folder)  # as for a script: its neighbours can be imported
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickles and compilers look classes up there
    spec.loader.exec_module(module)
    return module


def load_module(name):
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as raised:
        if raised.name is None or not name.startswith(raised.name):
            raise  # something that the module itself imports
        raise Refused("input", f"module '{raised.name}' not found", name,
                      "run from its folder, set PYTHONPATH, or use the file: net.py:factory; library models "
                      f"begin with {', '.join(LIBRARIES)}") from None


def attribute(module, name, where):
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            public = [each for each in dir(found) if not each.startswith("_")]
            raise Refused("input", f"'{part}' not found in {where}", where,
                          "it has " + ", ".join(public[:20]) if public else "check the name")
        found = getattr(found, part)
    return found


def unpickled(path):
    # cloudpickle writes what pickle reads; it has to be there for what it wrote by value.
    try:
        import cloudpickle as pickler
    except ImportError:
        import pickle as pickler
    try:
        with open(path, "rb") as file:
            return pickler.load(file)
    except OSError as raised:
        raise Refused("input", f"cannot read the file: {raised.strerror}", path,
                      "pass the model again, with resume=True and the same output") from None


def find(model):
    """The object itself."""
    if model.startswith("pickle:"):
        return unpickled(model.removeprefix("pickle:"))
    source, name = parts_of(model)
    module = load_file(source) if source.endswith(".py") else load_module(source)
    return attribute(module, name, source)


def file_of(model):
    if model.startswith("pickle:"):
        return model.removeprefix("pickle:")
    source, _ = parts_of(model)
    return source if source.endswith(".py") else getattr(sys.modules.get(source), "__file__", None)


def content_hash(model):
    """Of the file that says what the model is; what that imports is not in it."""
    path = file_of(model)
    if path is None:
        return ""
    return "sha256:" + digest([path])
