"""Models in Python that misbehave, one of each kind; ./dev hostile-models makes two hundred."""

import os

import pytest

from . import execute, programs

pytestmark = pytest.mark.alone  # some take all memory or a processor for as long as they may

BUILT = programs.ROOT / "build/release/python"


@pytest.mark.parametrize("index", range(len(programs.MAKERS)), ids=list(programs.MAKERS))
def test_what_misbehaves_costs_its_own_visit_alone(program, tmp_path, index):
    pytest.importorskip("torch")
    if not list(BUILT.glob("batchscope/_core*.so")):
        pytest.skip(f"no native module in {BUILT}: ./dev build makes it")
    hostile = programs.made(index)
    execute.adopt_orphans()
    found = programs.violations(hostile, program, tmp_path / "tried", os.environ | {"PYTHONPATH": str(BUILT)})
    assert not found, f"{hostile.what}: {found}"


def test_every_number_gives_a_model_that_can_be_read():
    for index in range(200):
        compile(programs.made(index).source, "net.py", "exec")
