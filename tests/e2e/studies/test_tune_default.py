"""`batchscope tune` changes nothing for nothing, and tells what separate visits showed."""

import json
import statistics

import pytest

from conftest import read_lines

LAW = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02"
# 0.7 % more throughput at batch 8 than at batch 1, and next to no noise.
FLAT = "synthetic:affine:16us,2ms;process_sd=0.0002;visit_sd=0.0002;iteration_sd=0.0002"
FLAT_RUN = ["-m", FLAT, "-b", "1,8", "--instances", "1", "--seed", "4", "--budget", "30m", "-q"]


def tune(cli, *arguments):
    return json.loads(cli.run("tune", *arguments, "--format", "json").stdout)


def write_flat_table(cli):
    """0.75 % more throughput at batch 16 than at batch 1."""
    rows = "\n".join(f"{size},{10 * size / (1 + 0.0005 * (size - 1))}" for size in range(1, 17))
    (cli.folder / "flat.csv").write_text("batch,latency_ms\n" + rows + "\n")
    return "flat.csv"


def test_a_gain_that_does_not_matter_leaves_the_default(cli):
    found = tune(cli, *FLAT_RUN, "--export", "yaml=pick.yaml")
    pick = found["recommendation"]
    assert pick["batch_size"] == 1 and pick["looks_best"]["batch_size"] == 8
    assert "Keep batch 1" in found["message"] and "better by 1 % or more" in found["message"]
    assert "batch_size: 1\n" in (cli.folder / "pick.yaml").read_text()
    document = json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)
    assert document["recommendation"]["batch_size"] == 1
    text = cli.run("tune", "-o", "tune.jsonl", "--resume", "-q").stdout
    assert text.startswith("Keep batch 1") and "separate visits, the best setting of the search had" in text


def test_who_asks_for_less_gets_it(cli):
    strict = tune(cli, *FLAT_RUN, "--practical", "0.1%")
    assert strict["recommendation"]["batch_size"] == 8 and strict["recommendation"]["verified"]
    # The analysis of the run judges as it was asked to.
    document = json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)
    assert document["tunings"][0]["recommendation"]["batch_size"] == 8
    again = tune(cli, "-o", "tune.jsonl", "--resume", "-q", "--practical", "1%")
    assert again["recommendation"]["batch_size"] == 1
    assert "--practical" in cli.run("tune", *FLAT_RUN, "-o", "new.jsonl", "--practical", "110%", check=2).stderr
    assert "--practical" in cli.run("tune", "-m", LAW, "--max-batch-only", "--practical", "1%", check=2).stderr


def test_a_replay_keeps_the_default_too_and_says_that_nothing_is_verified(cli):
    table = write_flat_table(cli)
    done = cli.run("tune", "--replay", table, "--export", "env=pick.env")
    assert done.stdout.startswith("Keep batch 1") and "not verified" in done.stdout
    assert "BATCH_SIZE=1\n" in (cli.folder / "pick.env").read_text()
    assert tune(cli, "--replay", table)["share_of_best"] == pytest.approx(1 / 1.0075)
    assert "\n\nUse batch" in cli.run("tune", "--replay", table, "--practical", "0.1%").stdout


def test_the_figures_are_those_of_the_fresh_visits(cli):
    found = tune(cli, "-m", LAW, "-b", "1-64", "--instances", "1", "--seed", "4", "--budget", "30m", "-q",
                 "--export", "yaml=pick.yaml")
    pick = found["recommendation"]
    records = read_lines(cli.folder / "tune.jsonl")
    sizes = [each["batch_size"] for each in records if each["type"] == "config"]
    fresh = [each["samples_ns"] for each in records if each["type"] == "visit" and each["purpose"] == "verify"
             and sizes[each["config"]] == pick["batch_size"]]
    assert pick["fresh_visits"] == len(fresh) == 12
    mean_s = statistics.mean(statistics.mean(samples) for samples in fresh) / 1e9
    # But for what counts as warm-up.
    assert pick["throughput_per_s"] == pytest.approx(pick["batch_size"] / mean_s, rel=0.005)
    own = next(each for each in found["points"] if each["batch_size"] == pick["batch_size"])
    assert own["throughput_per_s"] != pick["throughput_per_s"]
    exported = dict(line.split(": ", 1) for line in (cli.folder / "pick.yaml").read_text().splitlines() if line[0] != "#")
    assert float(exported["throughput_per_s"]) == pytest.approx(pick["throughput_per_s"], rel=1e-5)
    assert float(exported["latency_ms"]) == pytest.approx(pick["latency_ms"], rel=1e-5)
    assert exported["fresh_visits"] == "12"
    assert f"{pick['throughput_per_s']:.4g} samples/s" in found["message"] and "not verified" not in found["message"]


def test_figures_without_fresh_visits_are_stated_to_be_the_search_s_own(cli):
    done = cli.run("tune", "-m", LAW, "-b", "1-16", "--instances", "1", "--seed", "4", "--verify-blocks", "0", "-q")
    assert "Not proven: only in the visits used to choose it" in " ".join(done.stdout.split())
