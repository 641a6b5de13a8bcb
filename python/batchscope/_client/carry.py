"""Models as the program can name them: strings as they are, importable objects by name, anything else pickled."""

import functools
import json
import os
import re
import sys
from contextlib import contextmanager

from batchscope._errors import InputError, UsageError
from batchscope._models import stored
from batchscope._models.adapters import PREFIXES

_WAY_OUT = 'move the code of the model into a module and pass "module.py:factory"'


def _own_name(model):
    """What a reader knows the object by."""
    if isinstance(model, functools.partial):
        return _own_name(model.func)
    return getattr(model, "__name__", None) or type(model).__name__


def _file_name(model):
    return re.sub(r"\W+", "_", _own_name(model)).strip("_") or "model"


def _found_at(module, qualname):
    found = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found


def _is_on_the_path(module):
    """Whether a fresh interpreter finds it, too: some modules are only in the memory of this one."""
    top = module.partition(".")[0]
    finders = (getattr(finder, "find_spec", None) for finder in sys.meta_path)
    return any(find is not None and find(top, None) is not None for find in finders)


def importable_name(model):
    """"package.module:factory" for what a fresh interpreter can import by that name; else None."""
    module, qualname = getattr(model, "__module__", None), getattr(model, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(qualname, str) or module in ("__main__", "builtins"):
        return None
    if not all(part.isidentifier() for part in (*module.split("."), *qualname.split("."))):
        return None
    if _found_at(module, qualname) is not model or not _is_on_the_path(module):
        return None
    return f"{module}:{qualname}"


def _cloudpickle(name):
    try:
        import cloudpickle
    except ImportError:
        raise UsageError(f"{name}: sending it to new processes needs cloudpickle (pip install "
                         f"cloudpickle, or {_WAY_OUT})") from None
    return cloudpickle


@contextmanager
def _by_value(cloudpickle, model):
    """Its module goes along where a fresh interpreter would not find it."""
    module = sys.modules.get(getattr(model, "__module__", None) or "")
    if module is None or module.__name__ == "__main__" or _is_on_the_path(module.__name__):
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)


@contextmanager
def _numbered_classes(cloudpickle):
    """Classes that go by value are numbered; cloudpickle would name each by chance, and no pickle would equal another."""
    inner, names = getattr(cloudpickle, "cloudpickle", None), {}
    before = getattr(inner, "_get_or_create_tracker_id", None)
    if before is None:
        yield
        return
    inner._get_or_create_tracker_id = lambda found: names.setdefault(found, f"{found.__qualname__} {len(names)}")
    try:
        yield
    finally:
        inner._get_or_create_tracker_id = before


def _dump(cloudpickle, model, file):
    """The same bytes for what is alike, in any process: a run is gone on with where the model's hash is the same."""

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, obj):
            reduced = stored.reduced(obj)
            return super().reducer_override(obj) if reduced is NotImplemented else reduced

    with _by_value(cloudpickle, model), _numbered_classes(cloudpickle):
        Pickler(file).dump(model)


def _refusal(name, model, raised):
    from batchscope._client.unpicklable import culprit

    where, reason = culprit(model, name, raised)
    return UsageError(f"{name}: cannot go to new processes: {where}: {reason} (create it inside the factory, "
                      f"or {_WAY_OUT})")


def pickle_into(path, model):
    """Raises UsageError with the part of the model that cannot be pickled, and why."""
    name = _own_name(model)
    cloudpickle = _cloudpickle(name)
    try:
        with open(path, "wb") as file:
            _dump(cloudpickle, model, file)
    except OSError as raised:
        raise UsageError(f"{path}: cannot write the file: {raised.strerror} (set TMPDIR to another folder)") from None
    except Exception as raised:  # whatever a reduction of the user's raises
        raise _refusal(name, model, raised) from raised


def _free_path(folder, name):
    path = os.path.join(folder, f"{name}.pkl")
    number = 2
    while os.path.exists(path):
        path = os.path.join(folder, f"{name}_{number}.pkl")
        number += 1
    return path


def share_a_name(models):
    """Whether tables could not tell some of the objects apart; they call pickles by their files' names."""
    names = [_own_name(model) for model in models if not isinstance(model, (str, os.PathLike))]
    return len(set(names)) < len(names)


def pickles_of(run):
    """{name: path} of the pickles that a run file was begun with; {} where there is none to read."""
    try:
        with open(run, encoding="utf-8") as file:
            models = json.loads(file.readline())["models"]
        paths = [each["path"].removeprefix("pickle:") for each in models if each.get("path", "").endswith(".pkl")]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}
    return {os.path.splitext(os.path.basename(path))[0]: path for path in paths}


def name_for_program(model, folder, label="", begun=None):
    """What -m is given. `folder()` is a temporary folder, for a pickle, whose name ends in the label; `begun`: pickles of a run
    that is gone on with, which has its models where they were."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    importable = importable_name(model)
    if importable is not None:
        return importable
    name = _file_name(model)
    name = f"{name}_{label}" if label else name
    path = (begun or {}).get(name)
    if path is None:
        path = _free_path(folder(), name)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    pickle_into(path, model)
    return f"pickle:{path}"


def names_object(text):
    """Whether it is "net.py:factory" or "package.module:factory", as the program has it."""
    if text.startswith(PREFIXES):
        return False
    module, _, name = text.rpartition(":")
    dotted = all(part.isidentifier() for part in name.split("."))
    return dotted and (module.endswith(".py") or all(part.isidentifier() for part in module.split(".")))


def is_object(model):
    """Whether it is something of this process, or can be had in it by its name."""
    if isinstance(model, str):
        return names_object(model)
    return not isinstance(model, os.PathLike)


def object_of(model):
    """The object that a name means. Raises InputError."""
    if not isinstance(model, str) or not names_object(model):
        return model
    from batchscope._explain import Refused
    from batchscope._models.target import find

    try:
        return find(model)
    except Refused as refused:
        raise InputError(f"{refused.where}: {refused.what} ({refused.fix})") from None


def as_list(models):
    """Several models come as a list or a tuple; None is none."""
    if models is None:
        return []
    return list(models) if isinstance(models, (list, tuple)) else [models]
