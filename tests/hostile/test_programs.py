"""Models in Python that misbehave, one of each kind; ./dev hostile-models makes two hundred."""

import os

import pytest

from . import execute, programs

BUILT = programs.ROOT / "build/release/python"


def tried(hostile, program, folder):
    pytest.importorskip("torch")
    if not list(BUILT.glob("batchscope/_core*.so")):
        pytest.skip(f"no native module in {BUILT}: ./dev build makes it")
    execute.adopt_orphans()
    found = programs.violations(hostile, program, folder, os.environ | {"PYTHONPATH": str(BUILT)})
    assert not found, f"{hostile.what}: {found}"


@pytest.mark.parametrize("index", range(len(programs.MAKERS)), ids=list(programs.MAKERS))
def test_what_misbehaves_costs_its_own_visit_alone(program, tmp_path, index):
    tried(programs.made(index, quick=True), program, tmp_path / "tried")


# Each ended the program, or the run, while a worker's answers were recognised by words that everybody can read.
@pytest.mark.parametrize("index", range(5))
def test_an_answer_that_the_model_forges_costs_its_own_visit_alone(program, tmp_path, index):
    tried(programs.forging(programs.FORGED[index]), program, tmp_path / "tried")


def test_every_number_gives_a_model_that_can_be_read():
    for index in range(200):
        for quick in (False, True):
            compile(programs.made(index, quick=quick).source, "net.py", "exec")
