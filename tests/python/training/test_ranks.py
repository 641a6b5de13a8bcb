"""TrainingGuard on two ranks under DistributedDataParallel."""

import datetime
import os

import native  # noqa: F401 - the guard needs the native module
import pytest

torch = pytest.importorskip("torch")

import guarded  # noqa: E402
import processes  # noqa: E402
import ranked  # noqa: E402


def both(tmp_path, scene, **keywords):
    """What the two ranks said of a scene, or the exit code of one that said nothing."""
    return processes.ranks(2, scene, folder=tmp_path, **keywords)


def test_a_rank_that_ran_out_of_memory_holds_nobody_up_and_weights_are_those_of_one_process(tmp_path):
    first, second = both(tmp_path, "one_rank_fails")
    expected = ranked.by_hand()
    assert first["weights"] == second["weights"]
    assert (first["failures"], second["failures"]) == (0, 1)
    assert guarded.difference(torch.tensor(expected), torch.tensor(first["weights"])) < 1e-6


def test_buffers_are_those_of_the_first_rank_and_unused_parameters_stay(tmp_path):
    first, second = both(tmp_path, "buffers_and_unused")
    assert first == second and first["unused"] == [1.0]


def test_an_error_on_one_rank_ends_the_other(tmp_path):
    first, second = both(tmp_path, "one_rank_raises")
    assert first["raised"].startswith("MeasurementError: the step failed on rank 1")
    assert second["raised"].startswith("ValueError: of this rank")


def test_a_signal_to_one_rank_stops_both_after_the_same_step_and_they_go_on_together(tmp_path):
    assert both(tmp_path, "one_rank_is_signalled") == [75, 75]
    first, second = both(tmp_path, "goes_on")
    assert first == second and first["steps"] == 3


def test_ranks_that_disagree(tmp_path):
    for answer in both(tmp_path, "other_data"):
        assert "ranks disagree on the sampler" in answer["raised"]


def test_what_is_refused(tmp_path):
    for answer in both(tmp_path, "refused"):
        assert "is not wrapped in DistributedDataParallel" in answer["unwrapped"]
        assert "does not support FSDP" in answer["sharded"]
