#!/usr/bin/env python3
"""Writes docs/reference/python.md: every name of the package batchscope, with its signature and what it says of itself.

usage: python_api.py [-o FILE]   (with the package, and its module, on PYTHONPATH)
"""

import argparse
import dataclasses
import inspect
import pathlib
import re

import batchscope as bs
import batchscope.torch as of_torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = {
    "Measuring": ("profile", "tune", "max_batch", "compare", "plan", "load", "doctor"),
    "In a service, in a test suite": ("autotune", "assert_not_slower", "assert_fits"),
    "Inside a model": ("range", "Profiler"),
    "Forming batches": ("Batcher", "BatchSampler", "is_out_of_memory"),
    "Loaders of PyTorch (batchscope.torch)": ("profile_loader", "make_loader", "LoaderProfile", "LoaderSetting"),
    "Watching a training": ("TrainingMonitor", "watch", "TrainerMonitor", "LightningMonitor"),
    "Training with PyTorch (batchscope.torch)": ("TrainingGuard", "GuardedTrainerMixin", "SeededDataset", "ResumableLoader"),
    "Results": ("Run", "Analysis", "Answer", "Recommendation", "Config", "Finding", "Comparison", "Estimate", "Tuning",
                "LargestBatch", "Plan", "Verdict", "Doctor", "Check", "Preview", "Setting"),
    "Errors": ("Error", "UsageError", "InputError", "MeasurementError", "Undecided"),
}
HEAD = """# The package batchscope for Python

Generated from the package by `tools/guide/python_api.py`; how it is used is in [the guide](../guide/python/python.md). Keywords are
the flags of the program with `_` for `-`; those that are not named here are taken too. Of the types: `Models` is one of
`Model`, or a list; `Numbers` an int, a list, a range or "1-8"; `Words` a word or several; `Seconds` a number or "60s"; `Bytes`
a number or "8GiB"; `Inputs` "x:Bx64", several, or {"x": "Bx64"}; `Values` a dict of names with a value or several.
"""


def signature(found):
    try:
        return str(inspect.signature(found)).replace("'", "")
    except (TypeError, ValueError):
        return ""


def named(name):
    """(the object, how it is called)"""
    return (getattr(bs, name), f"bs.{name}") if hasattr(bs, name) else (getattr(of_torch, name), name)


def code(called, found):
    """The signature, an argument a line where one line is too long."""
    text = f"{called}{signature(found)}"
    if len(text) <= 110:
        return text
    opened, closed = text.split("(", 1)[0], text.rsplit(")", 1)[1]
    arguments = re.sub(r", (?=[*a-z_][*\w]*(?:[:=,]|$))", ",\n    ", text[len(opened) + 1:len(text) - len(closed) - 1])
    return f"{opened}(\n    {arguments}){closed}"


def docstring(found):
    """The docstring; lines that tell of an argument are a list."""
    text = re.sub(r"^(\w+(?:, \w+)*): ", r"- `\1`: ", inspect.getdoc(found) or "", flags=re.MULTILINE)
    text = re.sub(r"(?<!\n)\n\n?(?=- `)", "\n", text)
    return re.sub(r"^([^-\n][^\n]*)\n(?=- `)", r"\1\n\n", text, flags=re.MULTILINE)


def fields(found):
    if not dataclasses.is_dataclass(found):
        return ""
    source = inspect.getsource(found)
    rows = re.findall(r"^    (\w+): ([^=#\n]+?)(?: = [^#\n]*)?(?:  #: (.*))?$", source, re.MULTILINE)
    lines = [f"| `{name}` | `{kind.strip().replace(' | ', ' or ')}` | {words.strip()} |" for name, kind, words in rows]
    return "\n".join(["| field | type | |", "|---|---|---|", *lines]) if lines else ""


def methods(found):
    if not inspect.isclass(found) or issubclass(found, BaseException):
        return []
    named = {**{name: getattr(found, name) for name in found.__dict__ if not name.startswith("_")}}
    return [(name, each) for name, each in named.items() if callable(each) and not dataclasses.is_dataclass(each)
            and name not in ("of",) and each.__doc__]


def entry(name):
    found, called = named(name)
    parts = [f"### {name}"]
    if not (inspect.isclass(found) and issubclass(found, BaseException)) and not dataclasses.is_dataclass(found):
        parts.append(f"```python\n{code(called, found)}\n```")
    parts.append(docstring(found) if not docstring(found).startswith(f"{name}(") else "")
    parts.append(fields(found))
    parts += [f"- `.{method}{signature(each).replace('(self, ', '(').replace('(self)', '()')}`: {docstring(each).splitlines()[0]}"
              for method, each in methods(found)]
    return "\n\n".join(part for part in parts if part)


def page():
    parts = [HEAD.strip()]
    for title, names in GROUPS.items():
        parts += [f"## {title}", *(entry(name) for name in names)]
    return re.sub(r"\n\n(- `\.[^\n]*)\n\n(?=- `)", r"\n\n\1\n", "\n\n".join(parts)) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/reference/python.md")
    options = parser.parse_args()
    options.output.write_text(page())
    print(f"{options.output}: written")


if __name__ == "__main__":
    main()
