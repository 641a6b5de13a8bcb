"""Keyword arguments as flags."""

import pathlib

import pytest

import batchscope as bs
from batchscope._client.arguments import number, words_for
from batchscope._client.flags import flags_of


@pytest.mark.parametrize("keywords, words", [
    ({"latency_budget": 0.2}, "--latency-budget 0.2s"),
    ({"budget": 60}, "--budget 60s"),
    ({"budget": "60s"}, "--budget 60s"),
    ({"memory_limit": 1 << 30}, "--memory-limit 1073741824B"),
    ({"batch_sizes": [1, 2, 4]}, "--batch-sizes 1,2,4"),
    ({"batch_sizes": range(1, 4)}, "--batch-sizes 1,2,3"),
    ({"batch_sizes": {4, 1}}, "--batch-sizes 1,4"),
    ({"batch_sizes": "1-8"}, "--batch-sizes 1-8"),
    ({"batch_sizes": 3}, "--batch-sizes 3"),
    ({"precision": ("fp32", "bf16")}, "--precision fp32,bf16"),
    ({"target": 0.03}, "--target 0.03"),
    ({"diagnose": True}, "--diagnose"),
    ({"diagnose": False, "seed": None}, ""),
    ({"huge_pages": True}, "--huge-pages on"),
    ({"checkpointing": [False, True]}, "--checkpointing off,on"),
    ({"verify": True}, "--verify auto"),
    ({"verify": False}, "--verify off"),
    ({"texts": pathlib.Path("a.txt")}, "--texts a.txt"),
    ({"env": {"A": [1, 2], "B": "x"}}, "--env A=1,2 --env B=x"),
    ({"env": {"A": ["1,2", 3]}}, "--env A=1\\,2,3"),
    ({"env": ["A=1", "B=2"]}, "--env A=1 --env B=2"),
    ({"inputs": "x:Bx4"}, "--input x:Bx4"),
    ({"inputs": ["x:Bx4", "y:B"]}, "--input x:Bx4 --input y:B"),
    ({"inputs": {"x": "Bx4", "y": ("B", 3, 4)}}, "--input x:Bx4 --input y:Bx3x4"),
])
def test_keywords_of_profile(keywords, words):
    assert words_for("profile", keywords) == words.split()


def test_a_value_that_begins_with_a_dash_is_no_flag():
    assert words_for("profile", {"texts": "-x"}) == ["--texts=-x"]


def test_a_rate_is_a_second():
    assert words_for("plan", {"rate": 40, "p99": 0.5}) == ["--rate", "40/s", "--p99", "0.5s"]


def test_a_value_may_be_left_out_where_the_flag_lets_it():
    assert words_for("plan", {"charts": True}) == ["--charts"]
    assert words_for("plan", {"charts": "folder"}) == ["--charts=folder"]


@pytest.mark.parametrize("value, text", [(1e-6, "0.000001"), (1e9, "1000000000.0"), (60, "60"), (0.25, "0.25")])
def test_numbers_have_no_exponent(value, text):
    assert number(value) == text


def test_numbers_of_other_libraries_are_numbers():
    class Scalar:
        ndim = 0

        def tolist(self):
            return 3

        def __index__(self):
            return 3

    assert words_for("profile", {"blocks": Scalar()}) == ["--blocks", "3"]


def test_an_unknown_keyword_says_which_may_be_meant():
    with pytest.raises(bs.UsageError, match=r"profile\(\) has no keyword 'batchsizes' \(did you mean batch_sizes\?"):
        bs.profile("mlp", batchsizes=3)


def test_a_value_of_no_use_names_the_keyword_and_its_type():
    with pytest.raises(bs.UsageError, match=r"profile\(\): budget cannot be a object"):
        bs.profile("mlp", budget=object())


def test_a_switch_is_true_or_false():
    with pytest.raises(bs.UsageError, match=r"profile\(\): diagnose has to be True or False, not 'yes'"):
        bs.profile("mlp", diagnose="yes")


def test_what_python_has_in_another_way_is_refused():
    with pytest.raises(bs.UsageError, match=r"profile\(\) has no keyword 'format': the result has .to_json\(\)"):
        bs.profile("mlp", format="json")


def test_every_flag_of_the_help_is_understood():
    flags = flags_of("profile")
    assert flags["batch-sizes"].value == "SIZES"
    assert flags["diagnose"].value == ""
    assert flags["precision"].choices == ["fp32", "bf16", "fp16"]
    assert flags["tokenizer-threads"].value == "NUMBERS"
    assert flags_of("plan")["charts"].value_is_optional
