"""plan: batching policies simulated over a run's measured times."""

import itertools
import json
import os

import pytest

from conftest import read_lines

LAW = "synthetic:affine:10ms,2ms;process_sd=0.002;visit_sd=0.002;iteration_sd=0.01"


@pytest.fixture
def measured(cli):
    """12, 14, 18 and 26 ms at 1, 2, 4 and 8: up to 308 requests a second."""

    def measure(*more, model=LAW, sizes="1,2,4,8"):
        cli.run("profile", "-m", model, "-b", sizes, "--blocks", "12", "-q", "-o", "run.jsonl", *more)
        return cli

    return measure


def planned(cli, *more, check=0):
    few = () if any(str(argument).startswith("file:") for argument in more) else ("--requests", "3000")
    done = cli.run("plan", "run.jsonl", "--format", "json", *few, *more, check=check)
    return json.loads(done.stdout)


def by_policy(plan):
    return {policy["policy"]: policy for policy in plan["policies"]}


def test_the_recommended_policy_keeps_the_bound(measured):
    plan = planned(measured(), "--rate", "100/s", "--p99", "100ms")
    assert plan["feasible"] and plan["instances"] == 1
    best = plan["recommended"]
    assert best["meets"] and best["p50_ms"] <= best["p90_ms"] <= best["p99_ms"] <= 100
    assert best["p99_ci_low_ms"] <= best["p99_ms"] <= best["p99_ci_high_ms"]
    assert best["throughput_per_s"] == pytest.approx(100, rel=0.1)
    assert set(by_policy(plan)) == {"fixed-timeout", "take-all", "good-sizes"}
    assert by_policy(plan)["take-all"]["capacity_per_s"] == pytest.approx(8 / 0.026, rel=0.02)
    assert any("interpolated" in warning for warning in plan["warnings"])


def test_the_text_has_the_table_the_settings_and_the_advice(measured):
    printed = measured().run("plan", "run.jsonl", "--rate", "6000/min", "--p99", "100ms", "--requests", "3000").stdout
    for part in ("100 requests per second, poisson", "p99 100", "fixed-timeout", "take-all", "good-sizes", "max_batch 8", "Use "):
        assert part in printed


def test_the_same_seed_gives_the_same_plan(measured):
    cli = measured()
    arguments = ("--rate", "100/s", "--p99", "100ms")
    assert planned(cli, *arguments) == planned(cli, *arguments)
    assert planned(cli, *arguments) != planned(cli, *arguments, "--seed", "2")


def test_instances_are_counted_and_their_sharing_is_warned_of(measured):
    plan = planned(measured(), "--rate", "900/s", "--p99", "80ms")
    assert plan["instances"] >= 3
    assert any("share cores" in warning for warning in plan["warnings"])


def test_bursts_are_slower_than_poisson(measured):
    cli = measured()
    calm = by_policy(planned(cli, "--rate", "150/s"))["take-all"]
    bursty = by_policy(planned(cli, "--rate", "150/s", "--arrivals", "bursty(4,10%,2s)", "--instances", "1"))["take-all"]
    assert bursty["p99_ms"] > 1.5 * calm["p99_ms"]


def test_recorded_arrivals_set_the_rate_and_may_be_spread(measured):
    cli = measured()
    (cli.folder / "arrivals.txt").write_text("# seconds\n" + "\n".join(f"{i / 50:.3f}" for i in range(600)))
    plan = planned(cli, "--arrivals", "file:arrivals.txt", "--p99", "100ms")
    assert plan["rate_per_s"] == pytest.approx(50)
    # Regular and slower than the model: everybody is alone.
    assert plan["recommended"]["p99_ms"] == pytest.approx(12, rel=0.1)
    assert plan["recommended"]["p99_ci_low_ms"] is None  # all series replay the same
    assert planned(cli, "--arrivals", "file:arrivals.txt", "--rate", "100/s")["rate_per_s"] == 100


def test_a_name_that_is_no_utf8_is_written_as_such(measured):
    cli = measured()
    name = os.fsdecode(b"caf\xe9.txt")
    (cli.folder / name).write_text("\n".join(f"{i / 50:.3f}" for i in range(600)))
    assert planned(cli, "--arrivals", f"file:{name}")["arrivals"] == "file:caf\ufffd.txt"


def test_the_instances_needed_are_those_of_the_full_recording(measured):
    """The last quarter comes at 1000 a second, of which an instance carries 308."""
    cli = measured()
    gaps = [0.03] * 6000 + [0.001] * 2000
    (cli.folder / "arrivals.txt").write_text("\n".join(f"{time:.3f}" for time in itertools.accumulate(gaps)))
    load = ("--arrivals", "file:arrivals.txt", "--p99", "150ms")
    plan = planned(cli, *load)
    assert plan["feasible"] and plan["instances"] > 2
    needed = {name: policy["instances_needed"] for name, policy in by_policy(plan).items()}
    assert min(needed.values()) == plan["instances"]
    more = planned(cli, *load, "--instances", "12")
    assert {name: policy["instances_needed"] for name, policy in by_policy(more).items()} == needed
    fewer = cli.run("plan", "run.jsonl", *load, "--instances", "1", check=1)
    assert f"needs {plan['instances']} instance" in fewer.stderr


def test_training_with_another_accumulation_is_another_setting(measured):
    cli = measured("--mode", "train", "--accumulation", "1,2")
    refused = cli.run("plan", "run.jsonl", "--rate", "40/s", check=3)
    assert "accumulation 1 or 2" in refused.stderr and "separate run files" in refused.stderr


def test_a_dominated_size_is_never_formed(measured):
    """Batch 8 takes 2.5 times as long as it should: 4 + 4 is faster."""
    plan = planned(measured(model=LAW + ";anomaly=8:2.5"), "--rate", "215/s", "--instances", "1", "--max-batch-size", "8")
    good = by_policy(plan)["good-sizes"]
    assert good["settings"].startswith("sizes 1-4,")
    assert good["values"]["sizes"] == [1, 2, 3, 4] and good["values"]["max_tokens"] is None
    assert good["capacity_per_s"] == pytest.approx(4 / 0.018, rel=0.02)


def test_lengths_are_an_axis_and_token_budgets_a_policy(measured):
    cli = measured("--seq-lens", "16,64,128", model=LAW + ";per_token=64")
    refused = cli.run("plan", "run.jsonl", "--rate", "20/s", check=3)
    assert "--lengths" in refused.stderr
    plan = planned(cli, "--rate", "20/s", "--lengths", "16-128:lognormal(48,0.6)")
    assert "token-budget" in by_policy(plan)
    assert planned(cli, "--rate", "20/s", "--seq-lens", "64")["config"]["seq_len"] == 64
    longer = planned(cli, "--rate", "20/s", "--lengths", "256")
    assert any("extrapolated" in warning for warning in longer["warnings"])


def test_a_single_measured_length_is_that_of_the_requests(measured):
    plan = planned(measured("--seq-lens", "128", model=LAW + ";per_token=128"), "--rate", "100/s", "--p99", "100ms")
    policies = by_policy(plan)
    values = policies["token-budget"]["values"]
    assert f"max_tokens {values['max_tokens']}," in policies["token-budget"]["settings"]
    assert values["max_tokens"] % 128 == 0 and values["max_batch"] == 8 and values["bucket_ends"] == [128]
    assert policies["take-all"]["values"]["max_delay_ms"] is None
    assert policies["fixed-timeout"]["interpolated"] < 0.9
    assert policies["take-all"]["capacity_per_s"] == pytest.approx(8 / 0.026, rel=0.02)


def test_a_chart_of_latency_against_load_is_drawn(measured):
    cli = measured()
    cli.run("plan", "run.jsonl", "--rate", "100/s", "--p99", "100ms", "--requests", "3000", "--charts=charts")
    assert {path.name for path in (cli.folder / "charts").iterdir()} >= {"latency_by_load.svg"}


@pytest.mark.parametrize("arguments, code, says", [
    (("--rate", "900/s", "--instances", "1"), 1, ("exceed the capacity of 1 instance", "the rate needs 3 instances")),
    (("--rate", "10/s", "--p99", "10ms"), 1, ("batch 1 without a queue", "% higher")),
    (("--rate", "290/s", "--p99", "30ms", "--instances", "1"), 1, ("No policy meets p99",)),
    ((), 2, ("--rate",)),
    (("--rate", "0"), 2, ("--rate",)),
    (("--rate", "40/week"), 2, ("--rate",)),
    (("--rate", "40/s", "--p99", "0ms"), 2, ("--p99",)),
    (("--rate", "40/s", "--arrivals", "bursty(4,50%,2s)"), 2, ("--arrivals",)),
    (("--rate", "40/s", "--arrivals", "file:absent.txt"), 3, ("absent.txt",)),
    (("--rate", "40/s", "--arrivals", "file:"), 2, ("--arrivals", "name of a file")),
    (("--rate", "1e9/s"), 1, ("instances", "--rate")),
    (("--rate", "1e-300/s"), 3, ("years", "--rate")),
    (("--rate", "100/s", "--arrivals", "bursty(4,10%,1ns)"), 3, ("--arrivals", "between two requests")),
    (("--rate", "40/s", "--precision", "fp16"), 3, ("no measurement with precision fp16",)),
])
def test_what_cannot_be_planned_is_reported(measured, arguments, code, says):
    refused = measured().run("plan", "run.jsonl", "--requests", "3000", *arguments, check=code)
    for part in says:
        assert part in refused.stderr


def test_a_run_of_a_single_batch_size_is_refused(measured):
    refused = measured(sizes="4").run("plan", "run.jsonl", "--rate", "40/s", check=3)
    assert "the run has only batch 4" in refused.stderr and "profile several batch sizes" in refused.stderr


def test_what_a_recording_decides_is_not_asked_for(measured):
    cli = measured()
    times = [f"{i / 50:.3f}" for i in range(600)]
    (cli.folder / "times.txt").write_text("\n".join(times))
    (cli.folder / "lengths.txt").write_text("\n".join(f"{time} 16" for time in times))
    for name, typed in (("times.txt", ("--requests", "3000")), ("lengths.txt", ("--lengths", "64"))):
        refused = cli.run("plan", "run.jsonl", "--arrivals", f"file:{name}", *typed, check=2)
        assert typed[0] in refused.stderr and "recorded arrivals" in refused.stderr
    assert planned(cli, "--arrivals", "file:times.txt", "--lengths", "64")["feasible"]


def test_means_of_series_are_refused(measured):
    refused = measured("--sync", "end").run("plan", "run.jsonl", "--rate", "40/s", check=3)
    assert "--sync end" in refused.stderr and "--sync each" in refused.stderr


def test_several_settings_have_to_be_distinguished(measured):
    cli = measured("--threads", "1,2")
    refused = cli.run("plan", "run.jsonl", "--rate", "40/s", check=3)
    assert "threads 1 or 2" in refused.stderr and "--threads 1" in refused.stderr
    assert planned(cli, "--rate", "40/s", "--threads", "2")["config"]["threads"] == 2


def test_an_environment_is_picked_as_other_axes_are(measured):
    cli = measured("--env", "MALLOC_ARENA_MAX=,1")
    refused = cli.run("plan", "run.jsonl", "--rate", "40/s", check=3)
    assert "environment MALLOC_ARENA_MAX=1 or unchanged" in refused.stderr
    assert "pick with --env MALLOC_ARENA_MAX=1" in refused.stderr
    set_once = planned(cli, "--rate", "40/s", "--env", "MALLOC_ARENA_MAX=1")
    assert set_once["config"]["environment"] == {"MALLOC_ARENA_MAX": "1"}
    assert "environment" not in planned(cli, "--rate", "40/s", "--env", "MALLOC_ARENA_MAX=")["config"]
    absent = cli.run("plan", "run.jsonl", "--rate", "40/s", "--env", "MALLOC_ARENA_MAX=2", check=3)
    assert "no measurement with environment MALLOC_ARENA_MAX=2" in absent.stderr
    assert "--env" in cli.run("plan", "run.jsonl", "--rate", "40/s", "--env", "MALLOC_ARENA_MAX", check=2).stderr


def test_a_tuning_run_is_planned_for_what_it_recommends(cli):
    law = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02;contention=0.05"
    cli.run("tune", "-m", law, "-b", "1-32", "--instances", "1,2,4", "--threads", "1", "--seed", "2", "--budget", "30m",
            "-q", "-o", "run.jsonl")
    plan = planned(cli, "--rate", "100/s")
    assert plan["config"]["instances"] == 4
    assert any("the one that it recommends" in warning and "instances=4" in warning for warning in plan["warnings"])
    typed = planned(cli, "--rate", "100/s", "--measured-instances", "1")
    assert typed["config"]["instances"] == 1
    assert not any("recommends" in warning for warning in typed["warnings"])


def test_a_tuning_run_whose_setting_has_a_single_size_says_which_it_is(cli):
    law = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02"
    cli.run("tune", "-m", law, "-b", "8", "--instances", "1,2", "--threads", "1", "--budget", "30m", "-q", "-o", "run.jsonl")
    refused = cli.run("plan", "run.jsonl", "--rate", "40/s", check=3)
    for part in ("the setting that it recommends", "2 instances", "only batch 8", "--measured-instances"):
        assert part in refused.stderr


def test_a_tuning_run_without_a_recommendation_is_not_planned_for_just_any_setting(cli):
    law = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02"
    cli.run("tune", "-m", law, "-b", "1-16", "--instances", "1", "--seed", "4", "--budget", "30m", "-q", "-o", "run.jsonl")
    pick = json.loads(cli.run("tune", "-o", "run.jsonl", "--resume", "-q", "--format", "json").stdout)["recommendation"]
    records = read_lines(cli.folder / "run.jsonl")
    sizes = [each["batch_size"] for each in records if each["type"] == "config"]
    for each in records:
        if each["type"] == "visit" and each["purpose"] == "verify" and sizes[each["config"]] == pick["batch_size"]:
            each["samples_ns"] = [100 * ns for ns in each["samples_ns"]]
    (cli.folder / "run.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    refused = cli.run("plan", "run.jsonl", "--rate", "40/s", check=3)
    assert "recommends no setting" in refused.stderr and "--threads" in refused.stderr
    planned(cli, "--rate", "40/s", "--measured-instances", "1")
