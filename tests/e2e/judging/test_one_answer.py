"""Over all kinds of recorded run: nothing that is said contradicts what else is said, and a printed command runs."""

import json
import re
import shlex
import shutil

import pytest

from conftest import ROOT, read_lines

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


def check_that_nothing_contradicts_itself(document, text):
    answer = document["answer"]
    assert " ".join(text.split()).startswith(" ".join(answer["lines"][0].split()))
    row = row_of(document, answer.get("config") or {"batch_size": None})
    if answer["kind"] != "setting" or answer["confidence"] not in ("shown", "verified") or row is None:
        return
    group = group_of(document, row)
    assert row["batch_size"] not in accused(document, group)
    assert row["batch_size"] not in group["set_aside"]
    named = re.findall(r"^ +(\d+)  .*?(\w+(?:, \w+)?), (?:best|recommended)", text, re.M)
    marked = {int(size) for size, _ in named}
    assert len(document["groups"]) > 1 or not marked or marked == {row["batch_size"]}
    assert not [verdict for size, verdict in named if int(size) == row["batch_size"] and "slow" in verdict]
    assert "Throughput still grows" not in text or row["batch_size"] != group.get("saturation")
    gain = answer.get("gain")
    if gain is None:
        return
    assert gain["value"] > 0 and gain.get("ci_low", 1) > 0
    against = [each for each in document["configs"] if f"batch {each['batch_size']}" == gain["against"]
               and group_of(document, each) is group]
    if len(against) == 1 and answer["confidence"] == "shown":
        assert row["throughput_per_s"] > against[0]["throughput_per_s"]


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_the_pick_is_not_accused_left_out_or_slower(analysed, path):
    check_that_nothing_contradicts_itself(*analysed(path))


# What a machine lacks that the run was recorded on: the one thing that such a command may fail for.
LACKS = "no device|not installed|does not exist|cannot read|not built|cannot load models"


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_the_command_that_is_printed_runs(cli, analysed, path):
    document, _ = analysed(path)
    command = shlex.split(document["answer"]["command"])
    if not command:
        return
    name, verb, *arguments = command
    assert name == "batchscope"
    # What goes on with a run measures for as long as that takes: tests of such runs go on with them.
    if "--on-existing" in arguments:
        assert path.name in arguments
    if "--on-existing" in arguments or verb == "doctor":
        return
    done = cli.run(verb, *arguments, *(["--dry-run"] if verb in ("profile", "tune") else []), check=None)
    assert done.returncode == 0 or re.search(LACKS, done.stderr), done.stderr


# Programs of which one step led to itself, or to what the last one had shown to lead nowhere.
PROGRAMS = {
    "smallest_is_best": "profile -m synthetic:table:1=10ms,2=22ms,4=46ms,8=95ms -b 1,2,4,8 --diagnose",
    "all_alike": "profile -m synthetic:affine:0ms,12ms -b 1,2,4",
    "attached_flags": "profile -m synthetic:affine:1ms,20ms -b1,2 --blocks 3",
    "takes_one": "profile -m synthetic:table:1=3ms -b 1",
    "fits_one": "profile -m synthetic:affine:1ms,1ms;oom_above=1 -b 1",
    "throws": "profile -m synthetic:affine:1ms,1ms;throw_at=16 -b 1,2,4,8",
    "slow_iterations": "profile -m synthetic:affine:0ms,2s;slow_iteration=30:6 -b 1,2 --budget 3h",
    "slow_by_half": "profile -m synthetic:affine:1ms,400ms;slow_iteration=7:1.49 -b 1,2 --blocks 6",
    "preempted": "profile -m synthetic:affine:0.1ms,1ms;preempt=3ms:2 -b 1,4,16,64 --blocks 6",
    "few_blocks": "profile -m synthetic:affine:1ms,16ms -b 1,2,4,16 --budget 25s",
    "settles": "tune -m synthetic:affine:5ms,20ms;settling=3s:1.3:0.1 -b 1,2,4,8,16 --instances 1 --budget 120s",
}
MOST_STEPS = 6


def without_file(words):
    at = words.index("-o")
    return words[:at] + words[at + 2:]


def failed_always(lines):
    """Batch sizes of configurations that failed at least twice and have no visit."""
    sizes = {i: one["batch_size"] for i, one in enumerate(one for one in lines if one["type"] == "config")}
    failed = [one.get("config") for one in lines if one["type"] == "event" and one.get("config") is not None]
    seen = {sizes[one["config"]] for one in lines if one["type"] == "visit"}
    return {sizes[i] for i in failed if failed.count(i) > 1} - seen


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_next_step_leads_on(cli, name):
    words = ["batchscope", *PROGRAMS[name].split(), "--threads", "2", "--seed", "4", "-q", f"-o{name}.jsonl"]
    made, file = [], f"{name}.jsonl"
    for _ in range(MOST_STEPS):
        cli.run(*words[1:])
        document = json.loads(cli.run("analyze", file, "--format", "json", "-q").stdout)
        check_that_nothing_contradicts_itself(document, cli.run("analyze", file, "-q").stdout)
        words = shlex.split(document["answer"]["command"])
        if not words or words[1] not in ("profile", "tune"):
            return
        assert words.count("-o") == 1 and without_file(words) not in made
        made.append(without_file(words))
        if "-b" in words and "--diagnose" not in words:  # which measures the same sizes again
            asked = {int(size) for size in words[words.index("-b") + 1].split(",")}
            assert not asked & failed_always(read_lines(cli.folder / file))
        file = words[words.index("-o") + 1]
    pytest.fail("it goes on: " + document["answer"]["command"])
