"""Training: precisions with their losses, checkpointing, memory against batch size, the optimizer's share."""

import json

import pytest

from conftest import read_lines

pytestmark = pytest.mark.model

SHORT = ["--blocks", "2", "--iterations", "3", "--warmup", "2", "--threads", "1", "--seed", "7", "-q"]


def records(cli, kind):
    return [record for record in read_lines(cli.folder / "run.jsonl") if record["type"] == kind]


def visits_by_config(cli):
    visits = {}
    for visit in records(cli, "visit"):
        visits.setdefault(visit["config"], []).append(visit)
    return visits


def analysis(cli):
    return json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)


def test_precisions_start_from_the_same_weights_and_their_losses_are_compared(cli):
    cli.run("profile", "-m", "mlp", "--mode", "train", "--precision", "fp32,bf16,fp16", "-b", "2,4", *SHORT,
            "-o", "run.jsonl")
    configs = {record["index"]: record for record in records(cli, "config")}
    assert len(configs) == 6
    first = {}
    for index, visits in visits_by_config(cli).items():
        for visit in visits:
            assert len(visit["losses"]) == 5, "warm-up and timed steps"
            assert visit["losses"][-1] == visit["loss"]
            assert visit["losses"] == visits[0]["losses"], "the seed fixes weights and inputs"
            assert ("skipped_steps" in visit) == (configs[index]["precision"] == "fp16")
        first.setdefault(configs[index]["batch_size"], []).append(visits[0]["losses"][0])
    for losses in first.values():
        assert max(losses) < 1.05 * min(losses)
    summary = analysis(cli)
    assert [one["losses"]["steps"] for one in summary["comparisons"]] == [5] * 4
    assert "Loss after 5 steps" in summary["comparisons"][0]["message"]
    text = cli.run("analyze", "run.jsonl").stdout
    assert "Loss after 5 steps" in text
    assert "a sample" in text and "activations" in text
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
    assert "Checkpointing:" in cli.run("analyze", "run.jsonl").stdout


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
