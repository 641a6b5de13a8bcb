"""--env: variables of the visits as an axis, from the flag to what is recommended and exported."""

import json
import math

import pytest

from conftest import read_lines

# A sample of batch 8 costs half as much again until the variable is set.
LAW = "synthetic:affine:5ms,2ms;visit_sd=0.002;iteration_sd=0.001;heap_returned=8:1.5"
KEEPS = {"GLIBC_TUNABLES": "glibc.malloc.trim_threshold=1000000"}
COMPARED = f"GLIBC_TUNABLES=,{KEEPS['GLIBC_TUNABLES']}"


def configs_of(path):
    return [record for record in read_lines(path) if record["type"] == "config"]


def test_environments_are_compared_and_the_better_is_recommended(cli):
    cli.run("profile", "-m", LAW, "-b", "4,8", "--env", COMPARED, "--blocks", "12", "--controls", "off",
            "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert records[0]["axes"]["environment"] == COMPARED
    assert [(c.get("environment"), c["batch_size"]) for c in configs_of(cli.folder / "run.jsonl")] == [
        (None, 4), (None, 8), (KEEPS, 4), (KEEPS, 8)]
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    (comparison,) = [c for c in document["comparisons"] if c["config"]["batch_size"] == 8]
    assert (comparison["axis"], comparison["base"]) == ("environment", "unchanged")
    assert abs(math.log(comparison["ratio"]["value"])) == pytest.approx(math.log(1.5), rel=0.05)
    assert document["recommendation"]["environment"] == KEEPS and document["recommendation"]["batch_size"] == 8
    assert document["recommendation"]["points_total"] == 4
    assert "environment GLIBC_TUNABLES=" in document["recommendation"]["message"]
    header, *rows = cli.run("analyze", "run.jsonl", "--format", "csv").stdout.splitlines()
    assert header.endswith(",environment") and sum("GLIBC_TUNABLES=glibc" in row for row in rows) == 2


# The dynamic loader itself writes a file for each process that was started under these.
def test_workers_are_started_under_their_environment(cli):
    cli.run("profile", "-m", "synthetic:affine:1ms,1ms", "-b", "1", "--blocks", "3", "-o", "run.jsonl",
            "--env", "LD_DEBUG=,statistics", "--env", f"LD_DEBUG_OUTPUT={cli.folder}/seen")
    assert [c["environment"] for c in configs_of(cli.folder / "run.jsonl")] == [
        {"LD_DEBUG_OUTPUT": f"{cli.folder}/seen"},
        {"LD_DEBUG": "statistics", "LD_DEBUG_OUTPUT": f"{cli.folder}/seen"}]
    assert len(list(cli.folder.glob("seen.*"))) >= 3


def test_several_variables_make_each_combination(cli):
    cli.run("profile", "-m", LAW, "-b", "4", "--blocks", "2", "-o", "run.jsonl",
            "--env", "MALLOC_ARENA_MAX=1,2", "--env", r"OMP_PLACES=cores,{0}\,{1}")
    assert [tuple(c["environment"].values()) for c in configs_of(cli.folder / "run.jsonl")] == [
        ("1", "cores"), ("1", "{0},{1}"), ("2", "cores"), ("2", "{0},{1}")]
    refused = cli.run("profile", "--resume", "-o", "run.jsonl", "--env", "MALLOC_ARENA_MAX=1", check=2)
    assert "environment" in refused.stderr


def test_tune_chooses_and_exports_one(cli):
    tuned = cli.run("tune", "-m", LAW, "-b", "8", "--instances", "1", "--threads", "1", "--env", COMPARED,
                    "--export", "env=pick.env", "--export", "triton=config.pbtxt", "--format", "json")
    assert json.loads(tuned.stdout)["recommendation"]["environment"] == KEEPS
    variable = "GLIBC_TUNABLES=" + KEEPS["GLIBC_TUNABLES"]
    assert variable in (cli.folder / "pick.env").read_text().splitlines()
    assert f'# set in the environment of the server: "{variable}"' in (cli.folder / "config.pbtxt").read_text()


@pytest.mark.parametrize("typed, printed", [
    (["--env", "1ST=a"], "'1ST' is not the name of a variable"),
    (["--env", "=a"], "'' is not the name of a variable"),
    (["--env", "ONE"], "ONE has no value"),
    (["--env", "ONE="], "--env ONE=VALUE"),
    (["--env", "ONE=a,a"], "a value of ONE appears twice"),
    (["--env", "ONE=a", "--env", "ONE=b"], "ONE appears twice"),
    (["--env", "ONE=a", "--isolation", "none"], "different environments need different processes"),
])
def test_what_is_no_environment_is_stated(cli, typed, printed):
    refused = cli.run("profile", "-m", LAW, "-b", "4", "-o", "run.jsonl", *typed, check=2)
    assert printed in refused.stderr and "--env" in refused.stderr
    assert not (cli.folder / "run.jsonl").exists()
