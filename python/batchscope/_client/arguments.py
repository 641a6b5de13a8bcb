"""Keyword arguments as the words of a command line: latency_budget=0.2 as --latency-budget 0.2s."""

import operator
import os

from batchscope._client.flags import flags_of
from batchscope._errors import UsageError, shown

# Where a keyword reads better in the plural than the flag, which is repeated.
_ALIASES = {"inputs": "input", "params": "param"}
# How a number is written where the flag wants a unit.
_UNITS = {"TIME": "s", "BYTES": "B", "RATE": "/s"}
# What Python has in another way: results are objects.
_ELSEWHERE = {
    "format": "the result has .to_json()",
    "brief": "str() of the result is the answer",
    "details": "the result has .raw",
    "help": "see help(bs.{verb})",
    "list_models": "run batchscope profile --list-models",
}


def _integer(value):
    try:
        return operator.index(value)
    except TypeError:
        return None


def number(value):
    """Without an exponent, which no flag wants to read: 0.2, 1000000, 0.000001."""
    full = _integer(value)
    if full is not None:
        return str(full)
    text = f"{float(value):.12f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _is_number(value):
    return _integer(value) is not None or isinstance(value, float) or hasattr(type(value), "__float__")


def _switched(flag, value):
    """True and False of a flag that takes words."""
    if not value:
        return "off"
    return "auto" if "auto" in flag.choices and "on" not in flag.choices else "on"


def _is_list(value):
    return isinstance(value, (list, tuple, range, set, frozenset)) or hasattr(value, "tolist")


def _text(verb, flag, value):
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return _switched(flag, value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if _is_list(value) and not _is_scalar(value):
        return ",".join(_text(verb, flag, each) for each in _items(value))
    if _is_number(value):
        return number(value) + _UNITS.get(flag.value, "")
    raise UsageError(f"{verb}(): {flag.name.replace('-', '_')} cannot be a {type(value).__name__} (give a string, a "
                     f"number or a list)")


def _is_scalar(value):
    # Of numpy and torch: a number that has tolist() all the same.
    return getattr(value, "ndim", 1) == 0


def _items(value):
    listed = value.tolist() if hasattr(value, "tolist") else value
    return sorted(listed) if isinstance(listed, (set, frozenset)) else listed


def _one_value(value):
    """Of several: a comma in it parts none."""
    return str(value).replace(",", "\\,")


def _value(value):
    return ",".join(map(_one_value, _items(value))) if _is_list(value) else str(value)


def _shape(value):
    return "x".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _named(flag, values):
    """{"x": "Bx1024"} as x:Bx1024, {"width": [1, 2]} as width=1,2."""
    if flag.name == "input":
        return [f"{name}:{_shape(value)}" for name, value in values.items()]
    return [f"{name}={_value(value)}" for name, value in values.items()]


def _texts(verb, flag, value):
    if isinstance(value, dict) and flag.is_repeated:
        return _named(flag, value)
    if flag.is_repeated and _is_list(value):
        return [_text(verb, flag, each) for each in value]
    return [_text(verb, flag, value)]


def _words(verb, flag, value):
    if value is None or (value is False and (not flag.value or flag.value_is_optional)):
        return []
    if value is True and (not flag.value or flag.value_is_optional):
        return [f"--{flag.name}"]
    if not flag.value:
        raise UsageError(f"{verb}(): {flag.name.replace('-', '_')} has to be True or False, not {shown(value)}")
    words = []
    for text in _texts(verb, flag, value):
        # Else a value that begins with a dash would be read as a flag.
        joined = flag.value_is_optional or text.startswith("-")
        words += [f"--{flag.name}={text}"] if joined else [f"--{flag.name}", text]
    return words


def _unknown(verb, command, name, known):
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return UsageError(f"{verb}() has no keyword '{name}' ({hint}see batchscope help {command}: keywords are its flags, with _ "
                      f"for -)")


def _with_flags(verb, command, keywords):
    """(keyword, flag, value) of each."""
    flags = flags_of(command)
    known = {name.replace("-", "_"): flag for name, flag in flags.items()}
    known |= {alias: flags[name] for alias, name in _ALIASES.items() if name in flags}
    for name, value in keywords.items():
        if name in _ELSEWHERE and name not in ("help",) and name.replace("_", "-") in flags:
            raise UsageError(f"{verb}() has no keyword '{name}': {_ELSEWHERE[name].format(verb=verb)}")
        if name not in known:
            raise _unknown(verb, command, name, [each for each in known if each not in _ELSEWHERE])
        yield name, known[name], value


def words_for(command, keywords, verb=None):
    """The words for keywords of a verb; None is what was not given. `verb`: as the user calls it.

    Raises UsageError for a keyword that is no flag and a value that is none.
    """
    verb, words = verb or command, []
    for _, flag, value in _with_flags(verb, command, keywords):
        words += _words(verb, flag, value)
    return words


def texts_for(command, keywords):
    """The same as the values alone: {"budget": ["60s"], "params": ["width=1"]}. Raises as words_for."""
    asked = _with_flags(command, command, keywords)
    return {name: _texts(command, flag, value) for name, flag, value in asked if value is not None}
