"""Truth on a real machine: 25 % more work at batch size 4 alone is found there and nowhere else; without it, nothing."""

import json

import pytest

from test_models import models, profile  # noqa: F401

pytestmark = pytest.mark.model


def proven(cli):
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    return [finding for finding in document["findings"] if finding["status"] == "proven"]


def measure(cli, models, name):  # noqa: F811
    profile(cli, models, name, "-b", "1,2,3,4,6,8", "--seed", "1", "--budget", "3m", "-q")


def test_a_planted_quarter_is_found_at_four_and_nowhere_else(cli, models):  # noqa: F811
    measure(cli, models, "extra-at-4")
    sizes = {size for finding in proven(cli) for size in finding["where"]["batch_sizes"]}
    assert sizes == {4}


def test_the_same_model_without_it_proves_nothing(cli, models):  # noqa: F811
    measure(cli, models, "steady")
    assert proven(cli) == []
