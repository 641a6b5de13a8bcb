"""Results from documents of this version and of later ones."""

import dataclasses

import pytest

import batchscope as bs


def test_names_that_are_not_known_yet_are_kept():
    finding = bs.Finding.of({"id": "a", "colour": "blue", "gain": {"low": 0.1, "high": 0.2, "mid": 0.15}})
    assert finding.raw["colour"] == "blue"
    assert finding.gain == (0.1, 0.2)


@pytest.mark.parametrize("kind", [bs.Answer, bs.Recommendation, bs.Finding, bs.Config, bs.Comparison, bs.Check])
def test_a_document_that_says_nothing_is_no_error(kind):
    assert kind.of({}).raw == {}


@pytest.mark.parametrize("raw", [{}, {"answer": None, "configs": None, "recommendation": None, "findings": None}])
def test_an_empty_analysis_is_shown(raw):
    analysis = bs.Analysis(raw)
    assert str(analysis) == ""
    assert analysis.recommendation is None
    assert analysis.configs == analysis.findings == analysis.comparisons == ()
    assert analysis._repr_html_().startswith("<div")


def test_results_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        bs.Estimate(1.0).value = 2.0


def test_an_estimate_in_words():
    assert str(bs.Estimate(1.23456, 1.2, 1.3)) == "1.235 [1.2, 1.3]"
    assert str(bs.Estimate(2.0)) == "2"
    assert str(bs.Estimate(None)) == "unknown"


def test_a_setting_is_what_was_chosen_and_not_what_was_measured():
    config = bs.Config.of({"batch_size": 4, "threads": 2, "environment": {"A": "1"}, "time_ms": 3.0, "n": 12})
    assert config.setting == {"batch_size": 4, "threads": 2, "environment": {"A": "1"}}
    assert config.visits == 12


@pytest.mark.parametrize("kind", [bs.UsageError, bs.InputError, bs.MeasurementError])
def test_a_long_error_keeps_its_beginning_and_its_end(kind):
    text = str(kind("model: " + "x" * 5000 + " (use a smaller batch)"))
    assert len(text) == 600
    assert text.startswith("model: xxx") and text.endswith("xxx (use a smaller batch)")
