"""`batchscope tune --mode train`: how to make a step, on the real engine, and what a precision has to do to be picked."""

import json

import pytest

from conftest import read_lines

LAW = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02"
QUICK = ["--instances", "1", "--seed", "4", "--budget", "30m", "-q"]


def tune(cli, *arguments, check=0):
    return json.loads(cli.run("tune", *arguments, "--format", "json", check=check).stdout)


@pytest.mark.model
def test_ways_to_make_a_step_are_searched_on_the_real_engine(cli, models):
    path, inputs = models["mlp"]
    found = tune(cli, "-m", path, *inputs, "--mode", "train", "--effective-batch", "8", "-b", "2,4,8", "--precision", "fp32,bf16",
                 "--threads", "1", "--instances", "1", "--iterations", "2", "--verify-blocks", "2", "--budget", "40s", "--seed", "3",
                 "-q")
    # How many are measured is up to the machine.
    assert found["points_total"] == 6 and found["points_measured"] >= 1
    for point in found["points"]:
        assert point["batch_size"] * point.get("accumulation", 1) == 8
    pick = found["recommendation"]
    assert pick["batch_size"] * pick.get("accumulation", 1) == 8
    assert pick["advice"] == [], "a step takes as many samples as before"
    records = read_lines(cli.folder / "tune.jsonl")
    assert all(record["losses"] for record in records if record["type"] == "visit")
    if pick["precision"] == "bf16":
        twin = {key: value for key, value in pick.items() if key in ("batch_size", "accumulation")} | {"precision": "fp32"}
        assert any(twin.items() <= point.items() for point in found["points"]), "its losses were held against fp32"


def test_a_step_of_other_samples_comes_with_its_learning_rate(cli):
    text = cli.run("tune", "-m", LAW, "--mode", "train", "-b", "1-16", *QUICK).stdout
    assert "Goyal et al. 2017" in text
    assert "--effective-batch fixes the samples per step" in text
    adam = cli.run("tune", "-m", LAW, "--mode", "train", "--optimizer", "adamw", "-b", "1-16", *QUICK, "-o", "adam.jsonl")
    assert "square root rule" in adam.stdout and "epsilon divided by" in adam.stdout
    same = cli.run("tune", "-m", LAW, "--mode", "train", "--effective-batch", "16", "-b", "1,2,4,8,16", *QUICK,
                   "-o", "same.jsonl")
    assert "rule" not in same.stdout
    assert "batches per step" in same.stdout


def test_a_precision_that_trains_otherwise_is_left_out(cli):
    arguments = ["-m", LAW, "--mode", "train", "--precision", "fp32,bf16", "-b", "1-8", *QUICK]
    cli.run("tune", *arguments)
    lines = read_lines(cli.folder / "tune.jsonl")
    precisions = {line["index"]: line["precision"] for line in lines if line["type"] == "config"}
    for line in lines:
        if line["type"] == "visit":
            line["losses"] = [1.0, 0.5 if precisions[line["config"]] == "fp32" else 0.7]
            if precisions[line["config"]] == "bf16":
                line["samples_ns"] = [ns // 2 for ns in line["samples_ns"]]
    (cli.folder / "other.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = tune(cli, "--resume", "-o", "other.jsonl")
    assert found["recommendation"]["precision"] == "fp32"
    assert any("bf16 does not train like fp32" in warning for warning in found["warnings"])
    assert all(point["precision"] == "fp32" for point in found["fronts"]["latency"])
    document = json.loads(cli.run("analyze", "other.jsonl", "--format", "json").stdout)
    assert document["recommendation"]["precision"] == "fp32"
    assert {each["reason"] for each in document["recommendation"]["left_out"]} == {"loss"}


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--mode", "train", "--effective-batch", "7", "-b", "2,4"], "no batch size divides 7"),
        (["--checkpointing", "auto", "-b", "2,4"], "--mode train"),
        (["--precision", "auto,bf16", "-b", "2,4"], "write auto alone"),
        (["--mode", "infer,train", "-b", "2,4"], "a search covers one kind of work"),
        (["--mode", "train", "-b", "2,4", "--export", "triton"], "triton serves a model, but this run trains one"),
        (["--mode", "train", "-b", "2,4", "--instances", "1,2"], "independent trainings, which share no gradients"),
    ],
)
def test_what_cannot_be_searched_is_stated(cli, arguments, says):
    quick = QUICK[2:] if "--instances" in arguments else QUICK
    assert says in cli.run("tune", "-m", LAW, *arguments, *quick, check=2).stderr


def test_an_export_of_a_training_holds_how_a_step_is_made(cli):
    arguments = ["--mode", "train", "--accumulation", "2", "-b", "2,4", *QUICK]
    found = tune(cli, "-m", LAW, *arguments, "--export", "env=pick.env")
    pick = found["recommendation"]
    assert "ms per step" in pick["message"] and " a batch" not in pick["message"]
    lines = dict(line.split("=", 1) for line in (cli.folder / "pick.env").read_text().splitlines() if line[0] != "#")
    assert (lines["MODE"], lines["ACCUMULATION"]) == ("train", "2")
    assert int(lines["EFFECTIVE_BATCH"]) == 2 * pick["batch_size"] == 2 * int(lines["BATCH_SIZE"])
    again = cli.run("tune", "--resume", "--export", "tei=pick.sh", check=2)
    assert "tei serves a model" in again.stderr and not (cli.folder / "pick.sh").exists()


def test_one_training_is_searched_for_not_several_at_once(cli):
    cli.run("tune", "-m", LAW, "--mode", "train", "-b", "1-4", "--threads", "1", "--seed", "4", "--budget", "30m", "-q")
    configs = [line for line in read_lines(cli.folder / "tune.jsonl") if line["type"] == "config"]
    assert configs and {line.get("instances", 1) for line in configs} == {1}


def test_auto_says_which_precisions_there_are(cli):
    done = cli.run("tune", "-m", LAW, "--precision", "auto", "-b", "1-4", *QUICK)
    assert "--precision auto: fp32" in done.stderr
    axes = read_lines(cli.folder / "tune.jsonl")[0]["axes"]
    assert axes["precision"] == "auto"
