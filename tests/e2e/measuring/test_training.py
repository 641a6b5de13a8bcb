"""Training: precisions with their losses, checkpointing, memory against batch size, the optimizer's share."""

import csv
import json
import re

import pytest

from conftest import read_lines

pytestmark = pytest.mark.model

SHORT = ["--blocks", "2", "--iterations", "3", "--warmup", "2", "--threads", "1", "--seed", "7", "-q"]


@pytest.fixture
def small(models):
    """A model whose steps cost nothing, where any that trains will do."""
    path, inputs = models["mlp"]
    return ["-m", path, *inputs]


def records(cli, kind):
    return [record for record in read_lines(cli.folder / "run.jsonl") if record["type"] == kind]


def visits_by_config(cli):
    visits = {}
    for visit in records(cli, "visit"):
        visits.setdefault(visit["config"], []).append(visit)
    return visits


def analysis(cli):
    return json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)


@pytest.mark.timeout(300)  # trainings in fresh processes
def test_precisions_start_from_the_same_weights_and_their_losses_are_compared(cli):
    cli.run("profile", "-m", "mlp", "--mode", "train", "--precision", "fp32,bf16,fp16", "-b", "2,4", "--blocks", "2",
            "--iterations", "2", "--warmup", "1", "--threads", "1", "--seed", "7", "-q", "-o", "run.jsonl")
    configs = {record["index"]: record for record in records(cli, "config")}
    assert len(configs) == 6
    first = {}
    for index, visits in visits_by_config(cli).items():
        for visit in visits:
            assert len(visit["losses"]) == 3, "warm-up and timed steps"
            assert visit["losses"][-1] == visit["loss"]
            assert visit["losses"] == visits[0]["losses"], "the seed fixes weights and inputs"
            assert ("skipped_steps" in visit) == (configs[index]["precision"] == "fp16")
        first.setdefault(configs[index]["batch_size"], []).append(visits[0]["losses"][0])
    for losses in first.values():
        assert max(losses) < 1.05 * min(losses)
    summary = analysis(cli)
    assert [one["losses"]["steps"] for one in summary["comparisons"]] == [3] * 4
    assert "Loss after 3 steps" in summary["comparisons"][0]["message"]
    assert "Loss after 3 steps" in " ".join(cli.run("analyze", "run.jsonl").stdout.split())
    # 25 million weights for a few samples: stepping them is much of the work.
    assert any(finding["id"] == "train.optimizer-share" for finding in summary["findings"])


def test_checkpointing_trains_alike_and_takes_less_memory(cli):
    cli.run("profile", "-m", "minilm-l6", "--mode", "train", "--checkpointing", "off,on", "--seq-lens", "16",
            "-b", "1,8", *SHORT, "-o", "run.jsonl")
    configs = {record["index"]: record for record in records(cli, "config")}
    assert [config.get("checkpointing", False) for config in configs.values()] == [False, False, True, True]
    visits = visits_by_config(cli)
    for off, on in ((0, 2), (1, 3)):
        assert visits[off][0]["losses"] == pytest.approx(visits[on][0]["losses"], rel=1e-5)
        for visit in visits[off] + visits[on]:
            memory = visit["memory"]
            assert 0 < memory["peak_iterations_rss_bytes"] <= memory["peak_rss_bytes"]
    summary = analysis(cli)
    assert [group["memory_laws"][0]["of"] for group in summary["groups"]] == ["peak_iterations_rss_bytes"] * 2
    assert {one["axis"] for one in summary["comparisons"]} == {"checkpointing"}
    text = " ".join(cli.run("analyze", "run.jsonl", "--details").stdout.split())
    assert "Checkpointing:" in text
    assert text.count("of activations per sample (") == 2, "seven samples more are 19 MiB more"


def test_a_dry_run_and_a_resumed_one_know_checkpointing(cli):
    asked = ["profile", "-m", "minilm-l6", "--mode", "train", "--checkpointing", "on", "--seq-lens", "16", "-b", "1",
             "--blocks", "1", "--iterations", "1", "--threads", "1", "-o", "run.jsonl"]
    assert "checkpointing" in cli.run(*asked, "--dry-run").stdout
    cli.run(*asked, "-q")
    other = [word.replace("on", "off") if word == "on" else word for word in asked]
    assert "checkpointing" in cli.run(*other, "--resume", check=2).stderr


def test_only_transformers_that_are_built_in_can_be_checkpointed(cli):
    done = cli.run("profile", "-m", "mlp", "--mode", "train", "--checkpointing", "on", "-b", "1", "-o", "run.jsonl",
                   check=2)
    assert "distilbert, minilm-l6, bert-base" in done.stderr


def test_only_the_first_visit_to_a_model_tells_of_its_first_steps(cli):
    cli.run("profile", "-m", "mlp", "--mode", "train", "-b", "1,2", "--isolation", "block", *SHORT, "-o", "run.jsonl")
    for block in (0, 1):
        visits = sorted((one for one in records(cli, "visit") if one["block"] == block), key=lambda one: one["order"])
        assert [len(visit.get("losses", [])) for visit in visits] == [5, 0], "the second goes on with trained weights"
        assert all("loss" in visit for visit in visits)


def test_a_step_of_several_batches_trains_as_one_large_batch(cli):
    cli.run("profile", "-m", "mlp", "--mode", "train", "--effective-batch", "8", "-b", "2,3,4,8", *SHORT,
            "-o", "run.jsonl")
    configs = {record["index"]: record for record in records(cli, "config")}
    assert {(one["batch_size"], one.get("accumulation", 1)) for one in configs.values()} == {(2, 4), (4, 2), (8, 1)}
    visits = visits_by_config(cli)
    losses = {configs[index]["batch_size"]: visits[index][0]["losses"] for index in configs}
    assert len(losses[8]) == 5
    assert losses[2] == pytest.approx(losses[8], rel=1e-4)
    assert losses[4] == pytest.approx(losses[8], rel=1e-4)
    for index, config in configs.items():
        phases = {phase["name"]: phase["count"] for phase in visits[index][0]["phases"]}
        assert phases["forward"] == 3 * config.get("accumulation", 1)
        assert phases["optimizer"] == 3
    summary = analysis(cli)
    assert [(one["axis"], one["base"], one["other"]) for one in summary["comparisons"]] == [
        ("accumulation", "1", "2"), ("accumulation", "1", "4")]
    # The rate of the mean iteration, beside the time of the typical one: on a busy machine they are not the same.
    for row in summary["configs"]:
        assert row["throughput_per_s"] == pytest.approx(8e3 / row["time_ms"], rel=0.5)
    found = [one for one in summary["findings"] if one["id"] == "train.accumulation"]
    assert len(found) == 1
    table = list(csv.DictReader(cli.run("analyze", "run.jsonl", "--format", "csv").stdout.splitlines()))
    assert {row["effective_batch"] for row in table} == {"8"}
    assert {row["accumulation"] for row in table} == {"1", "2", "4"}
    assert "Batch size 3 skipped" in cli.run("analyze", "run.jsonl").stdout


def test_the_learning_rate_rule_is_reported_for_another_batch(cli):
    # Of a stated law: beside other programs two blocks of a real model do not always show that 16 is better than 1.
    cli.run("profile", "-m", "synthetic:affine:20ms,2ms;process_sd=0.01", "--mode", "train", "--optimizer", "adamw",
            "-b", "1,16", *SHORT, "-o", "run.jsonl")
    found = [one for one in analysis(cli)["findings"] if one["id"] == "train.learning-rate"]
    assert len(found) == 1, "16 samples a step do much more a second than 1"
    factors = {one["metric"]: one["value"] for one in found[0]["evidence"]}
    assert factors == {"effective_batch_factor": 16, "learning_rate_factor": 4, "one_minus_beta_factor": 16,
                       "epsilon_factor": 0.25}
    assert "Malladi et al. 2022" in cli.run("analyze", "run.jsonl").stdout
    cli.run("analyze", "run.jsonl", "--current-batch-size", "16", "--fail-on", "high")
    same = json.loads(cli.run("analyze", "run.jsonl", "--current-batch-size", "16", "--format", "json").stdout)
    assert not [one for one in same["findings"] if one["id"] == "train.learning-rate"]


@pytest.mark.timeout(300)  # trainings in fresh processes
def test_a_slow_loader_is_the_bottleneck_and_workers_take_it_away(cli):
    """Files that take 120 ms to open, 4 a batch, beside a step of some 50 ms, or of 200 on a crowded machine."""
    cli.run("profile", "-m", "mlp", "--mode", "train", "--loader", "synthetic:32,latency=120ms", "--loader-workers",
            "0,8", "-b", "4", "--blocks", "6", "--iterations", "2", "--warmup", "1", "--threads", "1", "--seed", "7",
            "-q", "-o", "run.jsonl")
    configs = {record["index"]: record for record in records(cli, "config")}
    assert [one["loader"]["workers"] for one in configs.values()] == [0, 8]
    shares = {row["loader"]["workers"]: {phase["name"]: phase["share"] for phase in row["phases"]}["load"]
              for row in analysis(cli)["configs"]}
    assert shares[0] > 0.5
    assert shares[8] < shares[0]
    found = [one for one in analysis(cli)["findings"] if one["id"] == "bottleneck.loading"]
    assert [one["where"]["loader"]["workers"] for one in found] == [0]
    assert found[0]["status"] == "confirmed"
    assert "workers=" in found[0]["fix"]
    again = cli.run("profile", "-m", "mlp", "--mode", "train", "--loader", "synthetic:32", "--resume", "-o",
                    "run.jsonl", check=2)
    assert "loader" in again.stderr


def test_training_on_a_folder_of_files(cli):
    folder = cli.folder / "samples"
    for kind in ("cats", "dogs"):
        (folder / kind).mkdir(parents=True)
        for i in range(4):
            (folder / kind / f"{i}.txt").write_text(f"{kind} number {i} say nothing new " * 10)
    cli.run("profile", "-m", "minilm-l6", "--mode", "train", "--loader", "samples", "--loader-workers", "1", "-b", "2",
            "--seq-lens", "16", *SHORT, "-o", "run.jsonl")
    phases = {phase["name"] for visit in records(cli, "visit") for phase in visit["phases"]}
    assert {"load", "forward", "backward"} <= phases
    assert not [one for one in analysis(cli)["findings"] if one["id"] == "bottleneck.loading"], "a fast loader"


@pytest.mark.parametrize(("arguments", "code", "printed"), [
    (["--loader", "nowhere"], 3, "nowhere"),
    (["--loader", "synthetic:many"], 2, "synthetic:256"),
    (["--loader", "synthetic:4", "--loader-workers", "x"], 2, "--loader-workers"),
    (["--loader-workers", "2"], 2, "--loader"),
    (["--prefetch-to-device", "on"], 2, "--loader"),
    (["--loader", "synthetic:4", "--prefetch-to-device", "maybe"], 2, "neither off nor on"),
    (["--loader", "synthetic:4", "--prefetch-to-device", "off,on"], 2, "the CPU"),
    (["--effective-batch", "7", "-b", "2,4"], 2, "no batch size divides 7"),
    (["--accumulation", "2", "--effective-batch", "8"], 2, "omit one"),
    (["--accumulation", "0"], 2, "--accumulation"),
])
def test_what_cannot_be_trained_on_is_stated_before_anything_is_measured(cli, arguments, code, printed):
    done = cli.run("profile", "-m", "mlp", "--mode", "train", *arguments, "-o", "run.jsonl", check=code)
    assert printed in done.stderr
    assert not (cli.folder / "run.jsonl").exists()


def test_only_training_accumulates_and_loads(cli):
    for arguments in (["--accumulation", "2"], ["--effective-batch", "8"], ["--loader", "synthetic:4"]):
        assert "--mode train" in cli.run("profile", "-m", "mlp", *arguments, "-o", "run.jsonl", check=2).stderr


def test_the_noise_scale_is_reported_with_its_interval(cli, small):
    cli.run("profile", *small, "--mode", "train", "-b", "2,8", *SHORT, "-o", "run.jsonl")
    asked = ["noise-scale", *small, "-b", "2", "--accumulation", "4", "--steps", "12", "--threads", "1"]
    reported = json.loads(cli.run(*asked, "--run", "run.jsonl", "--format", "json").stdout)
    scale = reported["noise_scale"]
    assert scale["ci_low"] is None or scale["ci_low"] <= scale["samples"]
    assert (reported["batch_size"], reported["effective_batch"], reported["steps"]) == (2, 8, 12)
    assert reported["made_up_samples"]
    if scale["samples"] is not None:
        assert [row["effective_batch"] for row in reported["batches"]] == [2, 8]
        assert min(row["time_factor"] for row in reported["batches"]) == 1
    lines = read_lines(cli.folder / "run.jsonl")
    for line in lines:
        if line["type"] == "config":
            line["instances"] = 2
    (cli.folder / "copies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    copies = json.loads(cli.run(*asked, "--run", "copies.jsonl", "--format", "json").stdout)
    sizes = [row["effective_batch"] for row in copies["batches"]]
    assert sizes == [row["effective_batch"] for row in reported["batches"]], "copies share no gradients"
    assert json.loads(cli.run(*asked, "--format", "json").stdout)["noise_scale"] == scale, "the seed fixes it"
    text = cli.run(*asked, "--loader", "synthetic:16").stdout
    assert "gradient noise scale:" in text
    assert "generated files (16)" in text


def test_tuning_measures_the_noise_scale_of_its_pick(cli, small):
    asked = ["tune", *small, "-b", "1,2", "--threads", "1", "--verify-blocks", "0", "--budget", "20s", "-q",
             "--noise-scale"]
    done = cli.run(*asked, "--mode", "train")
    assert re.search("(Use|Keep) batch", done.stdout).start() < done.stdout.index("gradient noise scale:")
    assert "--mode train" in cli.run(*asked, "-o", "other.jsonl", check=2).stderr
    assert "--noise-scale" in cli.run(*asked, "--mode", "train", "--format", "json", "-o", "o.jsonl", check=2).stderr


@pytest.mark.parametrize(("arguments", "code", "printed"), [
    (["--accumulation", "1"], 2, "--accumulation"),
    (["--steps", "3"], 2, "--steps"),
    (["--precision", "fp16"], 1, "fp32"),
    (["--optimizer", "lamb"], 2, "sgd or adamw"),
    (["--level", "2"], 2, "--level"),
    (["--run", "nowhere.jsonl"], 3, "nowhere.jsonl"),
    (["--loader", "nowhere"], 3, "nowhere"),
])
def test_what_a_noise_scale_cannot_be_distinguished_from(cli, arguments, code, printed):
    asked = ["noise-scale", "-m", "mlp", "-b", "1", "--steps", "10", "--accumulation", "2", "--threads", "1"]
    assert printed in cli.run(*asked, *arguments, check=code).stderr
