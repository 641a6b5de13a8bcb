"""What the tests of the native module share."""

import json
import subprocess
import sys

import pytest

_core = pytest.importorskip("batchscope._core", reason="the package's extension module is not built here")

SHORT = ("--blocks", "2", "--iterations", "4", "--warmup", "1")
# Where every visit imports torch, which takes seconds.
ONCE = ("--blocks", "1", "--iterations", "4", "--warmup", "1")


def profile(program, *words, output="run.jsonl", short=SHORT, timeout=600):
    """Runs `batchscope profile` with this interpreter; what it printed, and its exit code."""
    command = [program, "profile", *words, *short, "--python", sys.executable, "-o", output, "-q"]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


def lines(path, kind):
    with open(path, encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if line["type"] == kind]
