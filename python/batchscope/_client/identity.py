"""What a measured setting holds for: this machine, this model, these versions, these bounds."""

import glob
import hashlib
import json
import os
import platform
import subprocess
import sys

from batchscope._client import carry
from batchscope._client.program import environment, find_program, version_of
from batchscope._content import digest, installed
from batchscope._models.adapters import PACKAGES, without_prefix

_LIBRARIES = ("torch", "torchvision", *PACKAGES, "numpy", "jax", "jaxlib", "scikit-learn", "onnx", "onnxruntime", "openvino",
              "tensorflow")
_MEMORY_STEP_KIB = 64 << 10  # a kernel keeps a little more or less for itself from one start to the next


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _field(text, name):
    """The first "name : value" in it."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def _memory_kib():
    total = _field(_read("/proc/meminfo"), "MemTotal").split()
    return int(total[0]) // _MEMORY_STEP_KIB * _MEMORY_STEP_KIB if total else 0


def _accelerators():
    # Asking the driver's own files starts nothing.
    return sorted(_field(_read(path), "Model") for path in glob.glob("/proc/driver/nvidia/gpus/*/information"))


def machine():
    """What decides its speed, and what this process may use of it."""
    limits = {name: _read(f"/sys/fs/cgroup/{name}").strip() for name in ("cpu.max", "memory.max")}
    cpu = _field(_read("/proc/cpuinfo"), "model name") or platform.machine()
    return {"cpu": cpu, "cpus": len(os.sched_getaffinity(0)), "memory_kib": _memory_kib(),
            "accelerators": _accelerators(), **limits}


def versions(interpreter=None):
    """Of the program, the interpreter that makes the visits, and what models are made with there."""
    return {"batchscope": version_of(find_program()), **(_versions_there(interpreter) if interpreter else _versions_here())}


def _versions_here():
    return {"python": sys.version, **dict(installed(_LIBRARIES))}


def _versions_there(interpreter):
    """Of another interpreter; where it cannot be asked, measuring will say why."""
    text = "import json; from batchscope._client import identity; print(json.dumps(identity._versions_here()))"
    try:
        reported = subprocess.run([interpreter, "-c", text], env=environment(), capture_output=True, text=True, check=True)
        return json.loads(reported.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError) as raised:
        return {"python": str(raised)}


def content(path):
    """A hash of a file; "" where there is none."""
    try:
        return digest([path])
    except OSError:
        return ""


def _folder(name):
    """Files of a folder by name, size and time: models with their weights may be large."""
    found = sorted(glob.glob(os.path.join(glob.escape(name), "**"), recursive=True))
    return [[os.path.relpath(path, name), os.stat(path).st_size, os.stat(path).st_mtime_ns] for path in found
            if os.path.isfile(path)]


def _source(module):
    """The file of a module, found as a visit finds it; it is not imported for that unless it lies in a package."""
    import importlib.util

    path = list(sys.path)
    sys.path.insert(0, os.getcwd())
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    finally:
        sys.path[:] = path
    return spec.origin if spec is not None and spec.origin else ""


def _models_in(name):
    """Of "torch=a.pt,python=net.py:factory" the models, without their engines."""
    return [model if engine.isidentifier() and model else part
            for part in name.split(",") for engine, _, model in [part.partition("=")]]


def _path_of(model):
    if carry.names_object(model):
        module = model.rpartition(":")[0]
        return module if module.endswith(".py") else _source(module)
    return os.path.expanduser(without_prefix(model))


def _files_of(name):
    """The files that a model's name speaks of: a.pt, torch=a.pt,openvino=a.xml, net.py:factory, package.net:factory."""
    paths = [_path_of(model) for model in _models_in(name)]
    weights = [path.removesuffix(".xml") + ".bin" for path in paths if path.endswith(".xml")]
    return paths + weights


def _folders_of(name):
    places = [os.environ.get("BATCHSCOPE_MODELS") or "models", "."]
    named = [os.path.expanduser(without_prefix(model)) for model in _models_in(name)]
    return [path for path in (os.path.join(place, each) for place in places for each in named) if os.path.isdir(path)]


def model(model, folder):
    """A model's name and what is behind it; `folder()` is where it is pickled, if it has to be."""
    name = carry.name_for_program(model, folder)
    hashes = [found for found in map(content, _files_of(name)) if found]
    # The folder of a pickle is another one each time.
    shown = os.path.basename(name) if name.startswith("pickle:") else name
    return {"name": shown, "files": hashes, "folders": [_folder(path) for path in _folders_of(name)]}


def key(facts):
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
