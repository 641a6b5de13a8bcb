"""Model files that take whoever opens them along: they are opened in a worker, under the limits of visits."""

import importlib.util
import pickle
import re
import struct
import subprocess
import sys
import time
import warnings
import zipfile

import pytest

from .test_programs import BUILT

GIB = 1 << 30
LONGEST_S = 60  # of a program; what hangs is ended


class Watched:
    """A program that has ended, and the most memory that it ever had itself: its workers do not count."""

    def __init__(self, process, folder):
        self.peak_bytes = 0
        self.hung = False
        deadline = time.monotonic() + LONGEST_S
        while process.poll() is None:
            if time.monotonic() > deadline:
                self.hung = True
                process.kill()
            try:
                process.wait(timeout=0.01)
            except subprocess.TimeoutExpired:
                self._look(process.pid)
        self.code = process.returncode
        self.stderr = process.stderr.read()
        self.leaves_a_run = (folder / "run.jsonl").exists()

    def _look(self, pid):
        """The kernel keeps the peak, so that none is missed that lasts until the next look."""
        try:
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
        except OSError:
            return
        if found:
            self.peak_bytes = int(found[1]) * 1024


def profiled(cli, path, *arguments):
    process = cli.start("profile", "-m", path, *arguments, "-b", "1,2", "-q", "-o", "run.jsonl", stdout=subprocess.DEVNULL)
    return Watched(process, cli.folder)


def claiming(path, size):
    """A torn archive, whose pickle begins with a text of so many bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.PROTO + b"\2" + pickle.BINUNICODE + struct.pack("<I", size) + b"abc")
        archive.writestr("archive/version", "3\n")
        archive.writestr("archive/constants.pkl", b"\x80\x02).")
        archive.writestr("archive/code/__torch__.py", "")
    assert path.stat().st_size < 1000
    return path


INPUTS = pytest.mark.parametrize("inputs", [[], ["--input", "x:Bx4"]], ids=["untold inputs", "told inputs"])


@pytest.mark.model
@INPUTS
def test_an_archive_that_claims_a_gigabyte_costs_the_program_nothing(cli, inputs):
    done = profiled(cli, claiming(cli.folder / "torn.pt", GIB), *inputs)
    assert done.code == 3, done.stderr
    assert "torn.pt: Unexpected end of pickler archive" in done.stderr
    assert "torch.jit" in done.stderr, "what mends it"
    assert 0 < done.peak_bytes < GIB // 2
    assert not done.leaves_a_run


@pytest.mark.model
@INPUTS
def test_an_archive_that_claims_more_than_the_memory_limit_is_reported_so(cli, inputs):
    done = profiled(cli, claiming(cli.folder / "torn.pt", 0xE0000000), "--memory-limit", "1GiB", *inputs)
    assert done.code == 1, done.stderr
    assert re.search("torn.pt: .*memory", done.stderr)
    assert "--memory-limit" in done.stderr
    assert 0 < done.peak_bytes < GIB // 2
    assert not done.leaves_a_run


MODULE = """
import torch
from typing import Tuple

class Net(torch.nn.Module):
    def forward(self, x):
        return x

    @torch.jit.export
    def __getstate__(self):
        return (self.training,)

    @torch.jit.export
    def __setstate__(self, state: Tuple[bool]):
        # Run by whoever loads the file.
        self.training = state[0]
"""
ENDLESS = """
        turns = 0
        while turns < 2:
            turns = 1 - turns
"""
# The unsafe constructor trusts its indices; making it dense writes there.
FATAL = """
        far = torch.tensor([[1 << 45]])
        self.training = bool(torch.ops.aten._sparse_coo_tensor_unsafe(far, torch.ones([1]), [1]).to_dense().sum() > 0)
"""


def written(folder, when_loaded):
    """A TorchScript file that runs this when it is loaded."""
    torch = pytest.importorskip("torch")
    source = folder / "net.py"
    source.write_text(MODULE + when_loaded)
    spec = importlib.util.spec_from_file_location("net", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch advises against its own format
        torch.jit.script(module.Net()).save(str(folder / "net.pt"))
    return folder / "net.pt"


@pytest.mark.model
@INPUTS
@pytest.mark.parametrize("when_loaded, printed, fix", [(ENDLESS, "did not end within 4.00 s", "--timeout"), (FATAL, "SIGSEGV", "check the file")],
                         ids=["hangs", "crashes"])
def test_a_file_that_ends_whoever_loads_it_is_an_error(cli, when_loaded, printed, fix, inputs):
    done = profiled(cli, written(cli.folder, when_loaded), "--timeout", "4s", *inputs)
    assert not done.hung
    assert done.code == 1, done.stderr
    assert "net.pt: inspection failed: " in done.stderr and printed in done.stderr and fix in done.stderr
    assert not done.leaves_a_run


IN_PYTHON = """
import os, signal
{when_loaded}
def net():
    return lambda x: x
"""


@pytest.mark.parametrize(
    "when_loaded, printed, fix",
    [("taken = bytearray(3 << 30)", "", "--memory-limit"), ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV", "load it")],
    ids=["takes memory", "crashes"],
)
def test_a_model_in_python_that_ends_whoever_loads_it_is_an_error(cli, monkeypatch, when_loaded, printed, fix):
    if not list(BUILT.glob("batchscope/_core*.so")):
        pytest.skip(f"no native module in {BUILT}: ./dev build makes it")
    monkeypatch.setenv("PYTHONPATH", str(BUILT))
    (cli.folder / "net.py").write_text(IN_PYTHON.format(when_loaded=when_loaded))
    done = profiled(cli, "net.py:net", "--python", sys.executable, "--input", "x:Bx4", "--memory-limit", "1GiB")
    assert not done.hung
    assert done.code == 1, done.stderr
    assert "net.py:net: " in done.stderr and printed in done.stderr and fix in done.stderr
    assert not done.leaves_a_run
