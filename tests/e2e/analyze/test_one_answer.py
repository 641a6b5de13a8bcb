"""Over all kinds of recorded run: nothing that is said contradicts what else is said, and a printed command runs."""

import json
import re
import shlex
import shutil

import pytest

from conftest import ROOT

RUNS = ROOT / "tests/fixtures/runs"
ALL = sorted(RUNS.glob("*.jsonl")) + sorted(RUNS.glob("kinds/*.jsonl")) + sorted(RUNS.glob("screens/*.jsonl"))
ALL = [path for path in ALL if path.stem != "nothing_left"]  # which every reader refuses
NAMES = [f"{path.parent.name}/{path.stem}" for path in ALL]
AXES = ("engine", "model", "precision", "device", "threads", "instances", "mode")


@pytest.fixture
def analysed(cli):
    """The analysis of a run, and its text, in a folder that has nothing but the run."""
    def analyse(path):
        shutil.copy(path, cli.folder)
        return (json.loads(cli.run("analyze", path.name, "--format", "json", "-q").stdout),
                cli.run("analyze", path.name, "-q").stdout)
    return analyse


def row_of(document, config):
    """The row of the table that a configuration has; none where it was not measured alone."""
    same = [row for row in document["configs"] if all(row.get(key) == value for key, value in config.items())]
    return same[0] if len(same) == 1 else None


def group_of(document, row):
    return next(group for group in document["groups"] if all(group["key"].get(axis) == row.get(axis) for axis in AXES))


def accused(document, group):
    """The sizes of a group that are proven to take longer than they need to."""
    sizes = set()
    for finding in document["findings"]:
        where = finding["where"]
        if finding["status"] != "proven" or any(where.get(axis) != group["key"].get(axis) for axis in AXES):
            continue
        slow = finding["id"] == "scaling.dominated" or (finding["id"] == "scaling.departure" and any(
            each["metric"] == "excess_over_law" and each["value"] > 0 for each in finding["evidence"]))
        sizes.update(where["batch_sizes"] if slow else ())
    return sizes


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_the_pick_is_not_accused_left_out_or_slower(analysed, path):
    document, text = analysed(path)
    answer = document["answer"]
    assert " ".join(text.split()).startswith(" ".join(answer["lines"][0].split()))
    row = row_of(document, answer.get("config") or {"batch_size": None})
    if answer["kind"] != "setting" or answer["confidence"] not in ("shown", "verified") or row is None:
        return
    group = group_of(document, row)
    assert row["batch_size"] not in accused(document, group)
    assert row["batch_size"] not in group["set_aside"]
    marked = {int(size) for size in re.findall(r"^ +(\d+)  .*(?:ok|suspect|proven|untested), (?:best|recommended)", text, re.M)}
    assert len(document["groups"]) > 1 or not marked or marked == {row["batch_size"]}
    gain = answer.get("gain")
    if gain is None:
        return
    assert gain["value"] > 0 and gain.get("ci_low", 1) > 0
    against = [each for each in document["configs"] if f"batch {each['batch_size']}" == gain["against"]
               and group_of(document, each) is group]
    if len(against) == 1 and answer["confidence"] == "shown":
        assert row["throughput_per_s"] > against[0]["throughput_per_s"]


# What a machine lacks that the run was recorded on: the one thing that such a command may fail for.
LACKS = "no device|not installed|does not exist|cannot be read|not built|cannot load models"


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_the_command_that_is_printed_runs(cli, analysed, path):
    document, _ = analysed(path)
    command = shlex.split(document["answer"]["command"])
    if not command:
        return
    name, verb, *arguments = command
    assert name == "batchscope"
    # What goes on with a run measures for as long as that takes: tests of such runs go on with them.
    if "--resume" in arguments:
        assert path.name in arguments
    if "--resume" in arguments or verb == "doctor":
        return
    done = cli.run(verb, *arguments, *(["--dry-run"] if verb in ("profile", "tune") else []), check=None)
    assert done.returncode == 0 or re.search(LACKS, done.stderr), done.stderr
