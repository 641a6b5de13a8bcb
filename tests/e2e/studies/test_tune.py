"""`batchscope tune`: on tables, and on laws in virtual time, where the best is known."""

import json
import re
import random
import signal
import subprocess

import pytest

from conftest import ROOT, read_lines

LAW = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02"


def write_table(cli, law, largest=64, name="table.csv"):
    rows = "\n".join(f"{size},{law(size)}" for size in range(1, largest + 1))
    (cli.folder / name).write_text("batch,latency_ms\n" + rows + "\n")
    return name


def tune(cli, *arguments, check=0):
    return json.loads(cli.run("tune", *arguments, "--format", "json", check=check).stdout)


def test_replay_finds_the_best_of_a_table_from_few_of_its_points(cli):
    table = write_table(cli, lambda size: 10 + size * (1.5 if size > 40 else 1))
    found = tune(cli, "--replay", table, "--noise", "3%", "--seed", "3")
    assert found["recommendation"]["points_measured"] <= 12
    assert found["recommendation"]["points_total"] == 64
    assert found["share_of_best"] >= 0.98
    assert found["best"]["batch_size"] == 40


def test_a_replay_says_of_how_many_settings_it_knows(cli):
    cli.run("tune", "-m", LAW, "-b", "1-64", "--instances", "1", "--threads", "1", "--budget", "3s", "--seed", "3", "-q",
            "-o", "cut.jsonl")
    lines = read_lines(cli.folder / "cut.jsonl")
    recorded = len({line["config"] for line in lines if line["type"] == "visit"})
    found = tune(cli, "--replay", "cut.jsonl")
    assert found["points_recorded"] == recorded < 64
    reported = cli.run("tune", "--replay", "cut.jsonl").stdout
    assert f"{recorded} recorded of 64" in reported and "full table" not in reported


def test_the_fronts_have_the_figures_of_the_answer(cli):
    found = tune(cli, "--replay", ROOT / "tests/fixtures/runs/kinds/tune.jsonl")
    pick = found["recommendation"]
    (same,) = (each for each in found["fronts"]["latency"]
               if each["batch_size"] == pick["batch_size"] and each["instances"] == pick["instances"])
    assert pick["fresh_visits"] == same["visits"] == 12
    assert same["throughput_per_s"] == pick["throughput_per_s"] and same["latency_ms"] == pick["latency_ms"]


def test_replay_is_the_same_again_with_the_same_seed(cli):
    table = write_table(cli, lambda size: 10 + size)
    runs = [cli.run("tune", "--replay", table, "--noise", "5%", "--seed", seed).stdout for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_replay_takes_run_files_and_explains_every_visit(cli):
    write_table(cli, lambda size: 10 + size, largest=32)
    cli.run("import", "table.csv")
    done = cli.run("tune", "--replay", "table.jsonl", "--explain")
    reasons = [line for line in done.stderr.splitlines() if "batch " in line]
    assert any("covers the range" in line for line in reasons)
    assert any("visit 3 of" in line for line in reasons)
    visits = int(re.search(r"measured, in (\d+) visits", done.stdout).group(1))
    assert len(reasons) == visits


def test_impossible_bounds_name_the_one_that_binds_and_by_how_much(cli):
    table = write_table(cli, lambda size: 10 + size)
    done = cli.run("tune", "--replay", table, "--latency-budget", "5500us", check=1)
    assert "The latency budget is 5.50 ms" in done.stdout
    assert "100 % more" in done.stdout


def test_bounds_that_can_be_kept_one_by_one_only_are_named_with_what_each_costs(cli):
    rows = "\n".join(f"{size},{10 + size},{(20 - size) * 2**20}" for size in range(1, 9))
    (cli.folder / "table.csv").write_text("batch,latency_ms,memory_bytes\n" + rows + "\n")
    bounds = ["--latency-budget", "12ms", "--memory-limit", "15MiB"]
    done = cli.run("tune", "--replay", "table.csv", *bounds, check=1)
    assert "but not both" in done.stdout and "27 % more" in done.stdout and "50 % more" in done.stdout
    assert "<- nearest to the bounds" in done.stdout and "<- recommended" not in done.stdout
    again = cli.run("tune", "--replay", "table.csv", *bounds, "--export", "yaml=pick.yaml", check=1)
    assert "no export written" in again.stderr and not (cli.folder / "pick.yaml").exists()


def test_a_memory_limit_says_when_the_table_has_no_memory(cli):
    table = write_table(cli, lambda size: 10 + size)
    assert "the table has no memory figures" in cli.run("tune", "--replay", table, "--memory-limit", "1GiB", check=2).stderr


def test_an_empty_grid_is_an_error(cli):
    table = write_table(cli, lambda size: 10 + size)
    done = cli.run("tune", "-m", LAW, "-b", "8,16", "--max-batch-size", "4", check=2)
    assert "the grid is empty" in done.stderr
    (cli.folder / "none.csv").write_text("batch,latency_ms\n")
    assert cli.run("tune", "--replay", "none.csv", check=3).stderr
    assert "replay" in cli.run("tune", "--replay", table, "-m", LAW, check=2).stderr


@pytest.mark.parametrize(
    "arguments, names",
    [
        (["--objective", "cost"], "--price-per-hour"),
        (["--latency-quantile", "p99"], "--latency-budget"),
        (["--noise", "3%"], "--replay"),
        (["--price-per-hour", "free"], "--price-per-hour"),
    ],
)
def test_flags_that_make_no_sense_are_named(cli, arguments, names):
    assert names in cli.run("tune", "-m", LAW, *arguments, check=2).stderr


def test_tune_measures_verifies_and_recommends(cli):
    law = LAW + ";anomaly=48:1.6;anomaly=64:1.6"
    found = tune(cli, "-m", law, "-b", "1-64", "--instances", "1", "--seed", "4", "--budget", "30m", "-q")
    pick = found["recommendation"]
    # Without noise: 63 has 63 / 146 ms = 432 samples/s; the anomalies hit 48 and 64 alone.
    size = pick["batch_size"]
    assert size != 64 and size / (20 + 2 * size) >= 0.97 * 63 / 146
    assert pick["verified"] and not pick["withdrawn"]
    assert {each["what"] for each in found["contrasts"]} == {"the default", "the runner-up"}
    gain = found["contrasts"][0]["gain"]
    assert gain["ci_low"] < gain["value"] < gain["ci_high"]
    assert pick["points_measured"] <= 32  # half of them, with half an hour for it
    # The pick's figures are those of its fresh visits, and the others' those of the search.
    others = [point["throughput_per_s"] for point in found["fronts"]["latency"] if point["batch_size"] != size]
    assert others == sorted(others)
    records = read_lines(cli.folder / "tune.jsonl")
    assert records[-1]["type"] == "end"
    fresh = [each for each in records if each["type"] == "visit" and each["purpose"] == "verify"]
    assert len(fresh) == 3 * 12


def test_its_run_file_is_one_like_any_other(cli):
    tune(cli, "-m", LAW, "-b", "1-16", "--instances", "1", "--seed", "4", "--budget", "30m", "-q")
    document = json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)
    assert {row["batch_size"] for row in document["configs"]} <= set(range(1, 17))
    cli.run("report", "tune.jsonl", "-o", "report.html")
    again = cli.run("tune", "--replay", "tune.jsonl")
    assert "Use batch" in again.stdout


def test_its_analysis_and_its_own_output_agree_with_the_published_schema(cli):
    pytest.importorskip("jsonschema")
    from published import load
    found = tune(cli, "-m", LAW, "-b", "1-16", "--instances", "1", "--seed", "4", "--budget", "30m", "-q",
                 "--latency-budget", "45ms")
    document = json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)
    for name, written in (("tuning", found), ("analysis", document)):
        load(name)[0].validate(written)
    # What the search recommends is what its analysis recommends.
    assert document["tunings"][0]["recommendation"] == found["recommendation"]
    assert document["recommendation"]["batch_size"] == found["recommendation"]["batch_size"]
    assert document["recommendation"]["verified"] and document["recommendation"]["fresh_visits"] == 12
    text = " ".join(cli.run("analyze", "tune.jsonl", "--details").stdout.split())
    assert found["message"] in text and "Throughput against latency" in text
    # Bounds of one's own are for the tables.
    other = json.loads(cli.run("analyze", "tune.jsonl", "--latency-budget", "23ms", "--format", "json").stdout)
    assert other["recommendation"]["batch_size"] == 1


def test_a_latency_quantile_is_supported_for_only_with_enough_samples(cli):
    arguments = ["-m", LAW, "-b", "1-16", "--instances", "1", "--seed", "4", "-q", "--iterations", "5"]
    bounded = [*arguments, "--latency-budget", "45ms", "--latency-quantile", "p99", "--budget", "30m"]
    found = tune(cli, *bounded)
    check = found["recommendation"]["latency_check"]
    assert found["recommendation"]["batch_size"] <= 12  # 12 takes 44 ms
    assert check["asked"] == check["vouched"] == "p99" and check["samples"] >= check["samples_needed"] == 368
    # Where the budget has no time for so many, what it has vouches for less, and verifies nothing.
    poor = tune(cli, *bounded[:-1], "40s", "-o", "poor.jsonl")
    check = poor["recommendation"]["latency_check"]
    assert check["vouched"] in ("p50", "p90") and not check["kept"] and check["samples"] < 368
    assert not poor["recommendation"]["verified"]


def test_a_default_that_was_compared_with_nothing_is_not_verified(cli):
    done = cli.run("tune", "-m", LAW, "--budget", "1s", "-q", "--export", "yaml")
    assert "verified: false" in done.stdout and "verified in" not in done.stdout


def test_a_replay_searches_its_table_as_it_is(cli):
    table = write_table(cli, lambda size: 10 + size, largest=8)
    for flags in (["-b", "1,2"], ["--threads", "7"], ["--precision", "bf16"], ["--budget", "5m"]):
        assert flags[0].strip("-")[0] in cli.run("tune", "--replay", table, *flags, check=2).stderr
    asked = cli.run("tune", "--replay", table, "--latency-budget", "15ms", "--latency-quantile", "p99")
    assert "fewer than the 368 iterations that p99 needs" in asked.stderr


def test_it_survives_failures_and_goes_below_what_ran_out_of_memory(cli):
    law = LAW + ";oom_above=40;throw_at=32"
    found = tune(cli, "-m", law, "-b", "1-64", "--instances", "1", "--seed", "4", "--budget", "30m", "-q")
    assert 35 <= found["recommendation"]["batch_size"] <= 40
    records = read_lines(cli.folder / "tune.jsonl")
    assert any(each["type"] == "event" and each["kind"] == "out-of-memory" for each in records)


def test_when_nothing_runs_it_says_so(cli):
    done = cli.run("tune", "-m", LAW + ";oom_above=0", "-b", "1-4", "--instances", "1", "-q", check=1)
    assert "No setting succeeded" in done.stdout


def test_instances_are_searched_too(cli):
    arguments = ["-b", "1-32", "--instances", "1,2,4", "--threads", "1", "--seed", "2", "--budget", "30m", "-q"]
    found = tune(cli, "-m", LAW + ";contention=0.05", *arguments)
    assert found["recommendation"]["instances"] == 4


def test_what_fresh_visits_refute_is_not_exported(cli):
    found = tune(cli, "-m", LAW, "-b", "1-16", "--instances", "1", "--seed", "4", "--budget", "30m", "-q")
    records = read_lines(cli.folder / "tune.jsonl")
    sizes = [each["batch_size"] for each in records if each["type"] == "config"]
    for each in records:
        fresh = each["type"] == "visit" and each["purpose"] == "verify"
        if fresh and sizes[each["config"]] == found["recommendation"]["batch_size"]:
            each["samples_ns"] = [100 * ns for ns in each["samples_ns"]]
    (cli.folder / "tune.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    arguments = ["tune", "-o", "tune.jsonl", "--resume", "-q"]
    assert "withdrawn" in cli.run(*arguments).stdout
    done = cli.run(*arguments, "--export", "triton=config.pbtxt", check=1)
    assert "withdrawn" in done.stdout and "not exported" in done.stderr
    assert not (cli.folder / "config.pbtxt").exists()


def test_a_default_over_the_budget_does_not_withdraw_what_keeps_it(cli):
    arguments = ["-b", "1-48", "--instances", "1", "--seed", "4", "--budget", "30m", "-q"]
    found = tune(cli, "-m", LAW, *arguments, "--latency-budget", "60ms", "--current-batch-size", "48")
    pick = found["recommendation"]
    assert pick["batch_size"] <= 20 and pick["verified"] and not pick["withdrawn"]
    assert found["contrasts"][0]["gain"]["ci_high"] < 0
    text = cli.run("tune", "-o", "tune.jsonl", "--resume", "-q").stdout
    assert "Verified" in text and "The default does not meet the bounds." in text


def test_quantiles_of_means_are_not_bounded(cli):
    mixed = ["-m", LAW, "--seq-lens", "16-128:lognormal(48,0.6)", "--latency-budget", "30ms"]
    refused = cli.run("tune", *mixed, "-b", "1,2", check=2)
    assert "not the p50 of one batch" in refused.stderr and "--latency-quantile mean" in refused.stderr


def test_a_resumed_run_keeps_how_it_compares(cli):
    begun = ["-m", LAW, "-b", "1-16", "--instances", "1", "--seed", "4", "--budget", "30m", "--verify-blocks", "7"]
    tune(cli, *begun, "-q")
    lines = (cli.folder / "tune.jsonl").read_text().splitlines(keepends=True)
    (cli.folder / "tune.jsonl").write_text("".join(line for line in lines if json.loads(line)["type"] != "end"
                                                   and json.loads(line).get("purpose") != "verify"))
    other = cli.run("tune", "-o", "tune.jsonl", "--resume", "--verify-blocks", "9", check=2)
    assert "--verify-blocks" in other.stderr
    assert "--seed" in cli.run("tune", "-o", "tune.jsonl", "--resume", "--seed", "5", check=2).stderr
    found = tune(cli, "-o", "tune.jsonl", "--resume", "-q")
    assert found["recommendation"]["verified"] and found["contrasts"][0]["n"] == 7


# Real time passes, so that a kill hits every part of it.
REAL = "synthetic:affine:2ms,0.1ms;real=1;load=3ms;process_sd=0;visit_sd=0;iteration_sd=0"
RUN = ["-m", REAL, "-b", "1-32", "--instances", "1", "--iterations", "3", "--seed", "9", "-q", "--verify-blocks", "6"]


def test_killed_at_random_moments_it_resumes_and_ends_with_the_same_pick(cli):
    rng = random.Random(7)
    kills = 0
    for _ in range(60):
        process = cli.start("tune", *RUN, "--resume", "-o", "run.jsonl")
        try:
            process.wait(timeout=rng.uniform(0.05, 0.6))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate(timeout=60)
        if process.returncode == 0:
            break
    assert kills > 0
    found = tune(cli, *RUN, "--resume", "-o", "run.jsonl")
    assert found["recommendation"]["batch_size"] == 32
    assert found["recommendation"]["verified"] and min(each["n"] for each in found["contrasts"]) >= 6
    assert sum(record["type"] == "end" for record in read_lines(cli.folder / "run.jsonl")) == 1
    other = cli.run("tune", *RUN, "--resume", "-o", "run.jsonl", "--latency-budget", "9s", check=2)
    assert "--latency-budget" in other.stderr
    assert sum(record["type"] == "header" for record in read_lines(cli.folder / "run.jsonl")) == 1


def test_a_file_that_a_kill_left_without_a_header_is_begun_anew(cli):
    (cli.folder / "run.jsonl").write_text('{"type":"head')
    found = tune(cli, *RUN, "--resume", "-o", "run.jsonl")
    assert found["recommendation"]["batch_size"] == 32


def test_what_profile_wrote_is_not_resumed_by_tune_and_the_other_way_round(cli):
    cli.run("profile", "-m", LAW, "-b", "1,2", "--blocks", "1", "-o", "profile.jsonl", "-q")
    assert "not written by `tune`" in cli.run("tune", "-m", LAW, "--resume", "-o", "profile.jsonl", check=3).stderr
    cli.run("tune", "-m", LAW, "-b", "1,2", "--instances", "1", "-o", "tune.jsonl", "-q")
    assert "tune --on-existing resume" in cli.run("profile", "-m", LAW, "--resume", "-o", "tune.jsonl", check=2).stderr


@pytest.mark.parametrize("name", ["nexus_titanx_vgg16.txt", "nexus_titanx_yolo9000.txt"])
def test_public_tables(cli, shared, name):
    for seed in range(1, 6):
        found = tune(cli, "--replay", shared / "profiles" / name, "--noise", "3%", "--seed", seed)
        points, total = (found["recommendation"][key] for key in ("points_measured", "points_total"))
        assert points <= (total // 10 if total >= 150 else max(8, total // 5))
        assert found["share_of_best"] >= 0.9


def test_a_dry_run_prints_the_grid_and_measures_nothing(cli):
    arguments = ["tune", "-m", LAW, "-b", "1,2,4", "--instances", "1", "--threads", "1", "--budget", "2m", "--dry-run"]
    text = cli.run(*arguments).stdout
    assert text.startswith("3 points: 1 setting of\n") and "batch 1,2,4" in text
    assert "measured: 3 points" in text and "time: at most 2 min" in text
    plan = json.loads(cli.run(*arguments, "--format", "json").stdout)
    assert plan["points_total"] == 3 and plan["budget_s"] == 120 and len(plan["configs"]) == 3
    assert not list(cli.folder.glob("*.jsonl"))
    assert "--dry-run" in cli.run("tune", "--replay", "x.csv", "--dry-run", check=2).stderr
    assert "--dry-run" in cli.run("tune", "-m", LAW, "--max-batch-only", "--dry-run", check=2).stderr


def test_the_help_names_the_defaults_of_tune(cli):
    words = " ".join(cli.run("tune", "--help-all").stdout.split())
    assert "1,2,3,4,6,8,12,16,24,32,48,64" in words and "as long as each has a core" in words
    assert "with --max-batch-only 1h" in words and "default 1,2,4,8)" not in words
    listed = json.loads(cli.run("tune", "-m", LAW, "--instances", "1", "--threads", "1", "--dry-run",
                                "--format", "json").stdout)
    assert listed["points_total"] == 12


def test_sizes_that_no_search_can_hold_against_their_splits_are_refused(cli):
    (cli.folder / "huge.csv").write_text("batch,latency_ms\n1,10\n2,12\n2147483647,2000\n")
    done = cli.run("tune", "--replay", "huge.csv", check=3)
    assert "batch 2147483647 is above the limit of 1048576" in done.stderr and "--max-batch-size" in done.stderr
    assert "Use batch 2" in cli.run("tune", "--replay", "huge.csv", "--max-batch-size", "1048576").stdout
    cli.run("import", "huge.csv", "-o", "huge.jsonl")
    done = cli.run("plan", "huge.jsonl", "--rate", "10/s", check=3)
    assert "2147483647" in done.stderr and "--max-batch-size 4096" in done.stderr
