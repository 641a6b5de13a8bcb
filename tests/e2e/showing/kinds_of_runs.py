"""The kinds of runs that a report may be of, as run files."""

import pytest

from conftest import ROOT

RUNS = ROOT / "tests/fixtures/runs"
KINDS = {"quiet": "ln_10_6_blocks_1_2_3_4_6_8_12_16", "noisy": "two_ways_20_100_12_blocks_1_8",
         "two_models": "kinds/two_models", "engines": "kinds/engines", "pipeline": "kinds/pipeline",
         "tuned": "kinds/tune_bounds", "imported": "kinds/import_table", "trained": "kinds/training",
         "causes": "kinds/traced", "one_size": "kinds/budget", "failed": "kinds/failures", "largest": "kinds/max_batch"}


@pytest.fixture
def page_of_kind(report_of):
    return lambda kind: report_of(str(RUNS / f"{KINDS[kind]}.jsonl"))
