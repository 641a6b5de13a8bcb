"""A command that an answer proposes, as the call that does the same from Python."""

import keyword
import os
import shlex
import tempfile

_SHORT = {"-m": "model", "-b": "batch_sizes", "-o": "output", "-q": "progress"}
_ALIASES = {"input": "inputs", "param": "params"}
_VERBS = ("profile", "tune", "compare")


def _pairs(words):
    """(keyword, text) of each flag; the text of a switch is None."""
    at = 0
    while at < len(words):
        flag, value = words[at], None
        if at + 1 < len(words) and not words[at + 1].startswith("-"):
            value = words[at + 1]
            at += 1
        at += 1
        yield _SHORT.get(flag, flag.removeprefix("--").replace("-", "_")), value


def _model(text):
    """An object has no name but its own; everything else is named as it was."""
    if not text.startswith("pickle:"):
        return repr(text)
    name = os.path.splitext(os.path.basename(text))[0]
    return name if name.isidentifier() and not keyword.iskeyword(name) else "model"


def _value(text):
    if text is None:
        return "True"
    parts = text.split(",")
    if all(part.isdigit() for part in parts):
        return text if len(parts) == 1 else f"[{', '.join(parts)}]"
    return repr(text)


def _is_temporary(path):
    return path.startswith(os.path.join(tempfile.gettempdir(), "batchscope-"))


def as_call(command):
    """ "batchscope profile -m net.py:net -b 1,2" as "bs.profile('net.py:net', batch_sizes=[1, 2])"; what is no verb of Python
    stays a command."""
    words = shlex.split(command)
    if words[:1] != ["batchscope"] or words[1:2] == [] or words[1] not in _VERBS:
        return command
    models, arguments, verb = [], {}, words[1]
    for name, value in _pairs(words[2:]):
        if name == "on_existing":  # resume or overwrite: a keyword of its own
            name, value = value, None
        if name == "model":
            # A law has commas of its own.
            models += [_model(each) for each in ([value] if value.startswith("synthetic:") else value.split(","))]
        elif name == "max_batch_only":
            verb = "max_batch"
        elif name != "progress" and not (name == "output" and _is_temporary(value)):
            arguments.setdefault(_ALIASES.get(name, name), []).append(_value(value))
    given = models if len(models) == 1 or verb == "compare" else [f"[{', '.join(models)}]"] if models else []
    given += [f"{name}={made[0] if len(made) == 1 else '[' + ', '.join(made) + ']'}" for name, made in arguments.items()]
    return f"bs.{verb}({', '.join(given)})"
