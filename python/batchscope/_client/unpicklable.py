"""Which part of an object cannot be pickled."""

import io

_DEPTH = 8


def _complaint(part):
    """Why it cannot be pickled, or None where it can."""
    import cloudpickle

    try:
        cloudpickle.dump(part, io.BytesIO())
    except Exception as raised:
        return raised
    return None


def _closure(found, where):
    names, cells = found.__code__.co_freevars, found.__closure__ or ()
    for name, cell in zip(names, cells):
        try:
            yield f"{where}, which uses '{name}'", cell.cell_contents
        except ValueError:
            continue  # a variable that has no value yet


def _globals(found, where):
    for name in found.__code__.co_names:
        if name in found.__globals__:
            yield f"{where}, which uses '{name}'", found.__globals__[name]


def _elements(found, where):
    pairs = found.items() if isinstance(found, dict) else enumerate(found)
    return ((f"{where}[{key!r}]", value) for key, value in pairs)


def _arguments(found, where):
    yield f"{where}.func", found.func
    yield from _elements(found.args, f"{where}.args")
    yield from _elements(found.keywords, f"{where}.keywords")


def _parts(found, where):
    if hasattr(found, "__code__"):
        yield from _closure(found, where)
        yield from _globals(found, where)
    elif isinstance(found, (dict, list, tuple)):
        yield from _elements(found, where)
    elif hasattr(found, "func") and hasattr(found, "keywords"):
        yield from _arguments(found, where)
    elif hasattr(found, "__self__"):
        yield f"{where}.__self__", found.__self__
    elif not isinstance(found, type):
        for name, value in getattr(found, "__dict__", {}).items():
            yield f"{where}.{name}", value


def _first_bad(found, where):
    for place, part in _parts(found, where):
        complaint = _complaint(part) if part is not found else None
        if complaint is not None:
            return place, part, complaint
    return None


def culprit(model, name, raised):
    """The innermost part that cannot be pickled, as ("net.lock", "cannot pickle '_thread.lock' object")."""
    where, found = name, model
    for _ in range(_DEPTH):
        deeper = _first_bad(found, where)
        if deeper is None:
            break
        where, found, raised = deeper
    return where, str(raised) or type(raised).__name__
