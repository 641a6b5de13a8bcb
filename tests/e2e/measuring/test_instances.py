"""--instances: copies that run at once, by their total throughput."""

import json

import pytest

from conftest import read_lines

LAW = "synthetic:affine:5ms,2ms;process_sd=0.002;visit_sd=0.002;iteration_sd=0.001;contention=0.2"


def of_type(records, kind):
    return [record for record in records if record["type"] == kind]


def test_instances_are_an_axis_with_the_times_of_each(cli):
    cli.run("profile", "-m", LAW, "-b", "4,8", "--threads", "1", "--instances", "1,2", "--blocks", "6", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert records[0]["axes"]["instances"] == "1,2"
    configs = of_type(records, "config")
    assert [(c["instances"], c["batch_size"]) for c in configs] == [(1, 4), (1, 8), (2, 4), (2, 8)]
    for visit in of_type(records, "visit"):
        if configs[visit["config"]]["instances"] == 1:
            assert "instance_samples" not in visit
        else:
            assert len(visit["instance_samples"]) == 2
            assert sum(visit["instance_samples"]) == len(visit["samples_ns"])


def test_two_instances_against_one_are_compared_by_what_they_do_together(cli):
    cli.run("profile", "-m", LAW, "-b", "4,8", "--threads", "1", "--instances", "1,2", "--blocks", "12", "-o", "run.jsonl")
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    rows = {(r["instances"], r["batch_size"]): r for r in document["configs"]}
    # 2 x 4 samples in 1.2 x 13 ms, 8 in 21 ms.
    assert rows[2, 4]["throughput_per_s"] == pytest.approx(8 / 15.6e-3, rel=0.02)
    assert rows[2, 4]["per_sample_ms"] == pytest.approx(15.6 / 8, rel=0.02)
    (comparison,) = [c for c in document["comparisons"] if c["axis"] == "instances"]
    assert comparison["config"]["batch_size"] == 8 and comparison["other_config"]["batch_size"] == 4
    assert comparison["ratio"]["value"] == pytest.approx(15.6 / 21, rel=0.02)
    assert comparison["significant"]
    assert "more samples per second than 1 instance at batch 8" in comparison["message"]
    assert comparison["message"] in document["words"]
    assert document["recommendation"]["instances"] == 2


def test_a_resumed_run_keeps_its_instances(cli):
    arguments = ["profile", "-m", LAW, "-b", "4", "--instances", "2", "--threads", "1", "--blocks", "6", "-o", "run.jsonl"]
    cli.run(*arguments)
    lines = (cli.folder / "run.jsonl").read_text().splitlines(keepends=True)
    (cli.folder / "run.jsonl").write_text("".join(lines[:5]))
    refused = cli.run("profile", "--resume", "-o", "run.jsonl", "--instances", "1", check=2)
    assert "instances" in refused.stderr
    cli.run("profile", "--resume", "-o", "run.jsonl")
    visits = of_type(read_lines(cli.folder / "run.jsonl"), "visit")
    assert len({v["block"] for v in visits}) == 6
    assert all(len(v["instance_samples"]) == 2 for v in visits)


def test_one_copy_that_fails_fails_the_visit_and_is_named(cli):
    cli.run("profile", "-m", LAW + ";crash_at=4", "-b", "2,4", "--instances", "2", "--blocks", "2", "-o", "run.jsonl")
    events = of_type(read_lines(cli.folder / "run.jsonl"), "event")
    assert any(e["kind"] == "crash" and e["message"].startswith("instance 1 of 2: ") for e in events)


def test_instances_in_one_process_are_refused(cli):
    done = cli.run("profile", "-m", LAW, "--instances", "2", "--isolation", "none", "-o", "run.jsonl", check=2)
    assert "--isolation config" in done.stderr


@pytest.mark.model
def test_more_instances_than_cores_are_left_out_with_a_note(cli):
    plan = cli.run("profile", "-m", "mlp", "-b", "1", "--instances", "1,1000", "--dry-run", "--format", "json")
    document = json.loads(plan.stdout)
    assert [c["instances"] for c in document["configs"]] == [1]
    assert "1000 instances" in document["notes"][0]
    refused = cli.run("profile", "-m", "mlp", "-b", "1", "--instances", "1000", "--dry-run", check=2)
    assert "--instances" in refused.stderr


@pytest.mark.model
def test_a_real_model_runs_twice_at_once(cli):
    plan = json.loads(cli.run("profile", "-m", "mlp", "-b", "2", "--instances", "1,2", "--dry-run", "--format", "json").stdout)
    if len(plan["configs"]) < 2:
        pytest.skip("one core only")
    cli.run("profile", "-m", "mlp", "-b", "2", "--instances", "2", "--threads", "1", "--blocks", "2",
            "--min-visit-time", "20ms", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    visits = of_type(records, "visit")
    assert len(visits) == 2
    for visit in visits:
        assert len(visit["instance_samples"]) == 2 and min(visit["instance_samples"]) >= 5
        forward = [p for p in visit["phases"] if p["name"] == "forward"]
        assert forward[0]["count"] == len(visit["samples_ns"])
        assert visit["clock"] == "steady"
