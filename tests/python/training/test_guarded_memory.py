"""TrainingGuard where memory is out: the same weights, and what cannot be split is named."""

import random

import native  # noqa: F401 - the guard needs the native module
import pytest

torch = pytest.importorskip("torch")

import guarded  # noqa: E402

from batchscope._errors import MeasurementError, UsageError  # noqa: E402
from batchscope.torch import TrainingGuard  # noqa: E402

RUNS = 60


def test_weights_are_those_without_a_failure_wherever_memory_was_out(made):
    rng, failures = random.Random(1), 0
    for seed in range(RUNS):
        plan = guarded.random_plan(rng, places=3, largest=24)
        expected, _ = guarded.run(lambda *_: None, guarded.no_failure(), seed)
        got, failed = guarded.run(lambda net, optimizer: made(net, optimizer), plan, seed)
        failures += failed > 0
        assert guarded.difference(expected, got) < 1e-5, (seed, plan.place, plan.limit)
    assert failures > RUNS / 2
