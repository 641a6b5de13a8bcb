"""Models in Python that misbehave, one of each kind; ./dev hostile-models makes two hundred."""

import os
import pathlib
import sys

import pytest

pytest.importorskip("torch")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from hostile import execute, programs  # noqa: E402  (its folder is no package of these tests)


@pytest.mark.parametrize("index", range(len(programs.MAKERS)), ids=list(programs.MAKERS))
def test_what_misbehaves_costs_its_own_visit_alone(program, tmp_path, index):
    hostile = programs.made(index)
    execute.adopt_orphans()
    found = programs.violations(hostile, program, tmp_path / "tried", dict(os.environ))
    assert not found, f"{hostile.what}: {found}"


def test_every_number_gives_a_model_that_can_be_read():
    for index in range(200):
        compile(programs.made(index).source, "net.py", "exec")
