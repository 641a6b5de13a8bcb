"""Lengths of synthetic steps: "step:20ms" sleeps, as a loop does that waits for a device; "step:cpu:20ms" computes."""

import re

from batchscope._explain import Refused

STEP = "step:"
CPU = "cpu:"
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)(us|ms|s)")
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def is_synthetic(model):
    return isinstance(model, str) and model.startswith(STEP)


def parsed(model):
    """(whether it computes, seconds) of "step:cpu:20ms"."""
    text = model.removeprefix(STEP)
    computes = text.startswith(CPU)
    found = _LENGTH.fullmatch(text.removeprefix(CPU))
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < seconds <= 60:
        raise Refused("usage", f"'{text}' is not the length of a step", model,
                      f"use {STEP}20ms (sleeps, like a wait for a device) or {STEP}{CPU}20ms (computes)")
    return computes, seconds


def named(seconds, computes):
    """As it is typed: "step:20ms"."""
    return f"{STEP}{CPU if computes else ''}{seconds * 1e3:.6g}ms"
