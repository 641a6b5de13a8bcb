"""The recommendation: bounds, what its gain is against, good sizes."""

import json
import pathlib

import pytest

from conftest import read_lines

RUNS = pathlib.Path(__file__).resolve().parents[2] / "fixtures/runs"
LAW = "synthetic:affine:5ms,2ms;process_sd=0.002;visit_sd=0.002;iteration_sd=0.001"


@pytest.fixture
def run(cli):
    """7, 9, 13 and 21 ms at 1, 2, 4 and 8."""

    def measure(*more):
        cli.run("profile", "-m", LAW, "-b", "1,2,4,8", "--blocks", "6", "-o", "run.jsonl", *more)
        return cli

    return measure


def analysed(cli, *more):
    return json.loads(cli.run("analyze", "run.jsonl", "--format", "json", *more).stdout)["recommendation"]


def test_a_latency_budget_is_kept_by_analyze(run):
    pick = analysed(run(), "--latency-budget", "15ms")
    assert pick["batch_size"] == 4 and pick["feasible"]
    assert pick["objective"] == "throughput with latency <= 15.0 ms"
    assert [(o["batch_size"], o["reason"]) for o in pick["left_out"]] == [(8, "latency")]
    assert pick["good_sizes"] == [1, 2, 4]


def test_the_budget_of_profile_is_in_the_file_and_resume_keeps_it(run):
    cli = run("--latency-budget", "15ms", "--current-batch-size", "2")
    plan = read_lines(cli.folder / "run.jsonl")[0]["plan"]
    assert plan["latency_budget_s"] == 0.015 and plan["current_batch_size"] == 2
    pick = analysed(cli)
    assert pick["batch_size"] == 4
    assert pick["gain"]["against"] == "batch_size 2"
    assert pick["gain"]["value"] == pytest.approx(4 / 13 * 9 / 2 - 1, abs=0.02)
    refused = cli.run("profile", "--resume", "-o", "run.jsonl", "--latency-budget", "20ms", check=2)
    assert "--latency-budget" in refused.stderr


@pytest.mark.parametrize("form", ["text", "md"])
def test_every_form_says_what_was_left_out_and_the_good_sizes(run, form):
    printed = run().run("analyze", "run.jsonl", "--format", form, "--latency-budget", "15ms", "--details").stdout
    printed = " ".join(printed.replace("\\", "").split())
    assert "throughput with latency" in printed
    assert "Excluded: batch 8" in printed
    assert "Good sizes to round to: 1, 2 and 4." in printed


def test_nothing_that_keeps_the_bounds_is_stated_with_the_nearest(run):
    cli = run()
    pick = analysed(cli, "--latency-budget", "5ms")
    assert not pick["feasible"] and pick["batch_size"] == 1
    assert "Nothing measured meets latency" in pick["message"]
    pick = analysed(cli, "--memory-limit", "1GiB")
    assert not pick["feasible"] and "memory unknown" in pick["message"]


def test_a_current_size_that_is_not_measured_is_refused(cli):
    done = cli.run("profile", "-m", LAW, "-b", "1,2", "--current-batch-size", "4", "-o", "run.jsonl", check=2)
    assert "add 4 to --batch-sizes" in done.stderr


@pytest.mark.parametrize("flag, value", [("--latency-budget", "0ms"), ("--latency-budget", "x"), ("--memory-limit", "-1")])
def test_a_bound_that_is_none_is_refused(run, flag, value):
    done = run().run("analyze", "run.jsonl", f"{flag}={value}", check=2)
    assert flag in done.stderr


def recorded(cli, name, *more):
    run = RUNS / f"{name}.jsonl"
    return json.loads(cli.run("analyze", str(run), "--format", "json", *more).stdout)


def test_a_size_that_ran_out_of_memory_is_left_out(cli):
    summary = recorded(cli, "oom")
    pick = summary["recommendation"]
    assert pick["batch_size"] == 8
    assert [(each["batch_size"], each["reason"]) for each in pick["left_out"]] == [(16, "out-of-memory")]
    assert summary["groups"][0]["good_sizes"] == [1, 2, 4, 8] and not summary["groups"][0]["untested_sizes"]
    printed = cli.run("analyze", str(RUNS / "oom.jsonl")).stdout
    assert "excluded" in printed and "out of memory repeatedly" in printed


def test_nothing_is_recommended_and_to_be_avoided(cli):
    printed = " ".join(cli.run("analyze", str(RUNS / "budget.jsonl"), "--latency-budget", "42ms").stdout.split())
    assert "Use batch 8" in printed and "Avoid batch 8" not in printed


def test_a_better_size_than_expected_fails_no_gate(cli):
    cli.run("analyze", str(RUNS / "wave.jsonl"), "--fail-on", "high", check=0)


def test_a_gain_that_does_not_matter_is_no_advice(cli):
    cli.run("profile", "-m", "synthetic:affine:5us,2ms;process_sd=0;visit_sd=0.0001;iteration_sd=0", "-b", "1,2,4", "--blocks", "6", "-o", "flat.jsonl")
    asked = ["analyze", "flat.jsonl", "--format", "json"]
    assert json.loads(cli.run(*asked).stdout)["recommendation"]["batch_size"] == 1
    assert json.loads(cli.run(*asked, "--practical", "0%").stdout)["recommendation"]["batch_size"] == 4
    assert "--practical" in cli.run(*asked, "--practical", "-1%", check=2).stderr


@pytest.mark.model
def test_memory_of_a_real_model_is_held_against_the_limit(cli):
    cli.run("profile", "-m", "mlp", "-b", "1,2", "--blocks", "2", "--min-visit-time", "20ms", "-o", "run.jsonl")
    assert analysed(cli, "--memory-limit", "64GiB")["feasible"]
    pick = analysed(cli, "--memory-limit", "1MiB")
    assert not pick["feasible"] and pick["left_out"][0]["reason"] == "memory"
