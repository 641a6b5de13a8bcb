"""Training that is killed anywhere and goes on: losses and weights are those of a run that was not, to the last bit."""

import native  # noqa: F401 - the guard needs the native module
import pytest

pytest.importorskip("torch")

import processes  # noqa: E402
import trained  # noqa: E402

STEPS = 30
# While files are written, before and after the rename; in forward; after an update that no checkpoint has.
DEATHS = (("fsync", 3, 0), ("fsync", 5, 2), ("fsync", 6, 0), ("loss", 4, 2), ("update", 3, 0), ("fsync", 8, 2))


def test_losses_after_kills_are_those_of_an_uninterrupted_run_with_any_number_of_workers(tmp_path):
    full, cut = tmp_path / "whole" / "run", tmp_path / "cut" / "run"
    code, weights = processes.Training(folder=full, steps=STEPS, workers=0).end()
    assert code == 0
    for place, count, workers in DEATHS:
        assert processes.Training((place, count), folder=cut, steps=STEPS, workers=workers).end()[0] == -9, (place, count)
    assert processes.Training(folder=cut, steps=STEPS, workers=2).end() == (0, weights)
    expected, got = trained.losses_of(full), trained.losses_of(cut)
    assert got == {step: expected[step] for step in got}
    # The loss of a step is written after it, so that a kill within its checkpoint takes it along.
    assert len(expected) == STEPS and len(got) >= STEPS - len(DEATHS)
    assert not list((cut / "checkpoints").glob(".writing-*"))
