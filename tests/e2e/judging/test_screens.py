"""What a reader sees first of twelve kinds of runs: the texts are approved, and changed on purpose only.

tests/fixtures/runs/screens/README.md says what each run is.
"""

import json
import os
import re
import shutil

import pytest

from conftest import ROOT

RUNS = ROOT / "tests/fixtures/runs"
SCREENS = RUNS / "screens"
SCREENS_OF = {
    "quiet": "screens/quiet", "noisy": "screens/noisy", "hopeless": "screens/hopeless", "ab": "screens/ab",
    "one_size": "screens/one_size", "engines": "kinds/engines", "pipeline": "kinds/pipeline", "tuned": "kinds/tune",
    "imported": "kinds/import_table", "trained": "kinds/training", "causes": "kinds/followed_up",
    "failed_sizes": "kinds/failures",
}
# Whatever is wanted to be known of a run, within a glance.
MOST_LINES = 6


@pytest.fixture
def screen(cli):
    """Copies the run of a screen into the folder of the test, and gives its name there."""
    def copy(name):
        shutil.copy(RUNS / f"{SCREENS_OF[name]}.jsonl", cli.folder / f"{name}.jsonl")
        return f"{name}.jsonl"
    return copy


def answer_of(cli, run):
    return json.loads(cli.run("analyze", run, "--format", "json").stdout)["answer"]


@pytest.mark.parametrize("name", SCREENS_OF)
@pytest.mark.parametrize("flag, ending", [(None, "txt"), ("--brief", "brief.txt")])
def test_the_text_is_what_was_approved(cli, screen, name, flag, ending):
    printed = cli.run("analyze", screen(name), *([flag] if flag else [])).stdout
    approved = SCREENS / f"{name}.{ending}"
    if "BATCHSCOPE_UPDATE_APPROVED" in os.environ:
        approved.write_text(printed)
        return
    assert printed == approved.read_text(), "the folder's README says how to approve"


@pytest.mark.parametrize("name", SCREENS_OF)
def test_the_answer_leads_and_is_short(cli, screen, name):
    run = screen(name)
    answer = answer_of(cli, run)
    brief = cli.run("analyze", run, "--brief").stdout
    assert 1 <= len(answer["lines"]) <= MOST_LINES
    assert answer["lines"][0].startswith(answer["headline"])
    assert cli.run("analyze", run).stdout.startswith(brief)
    assert " ".join(brief.split()) == " ".join(" ".join(answer["lines"]).split())
    assert answer["confidence"] in ("verified", "shown", "suspected", "cannot-tell")
    if answer["confidence"] == "cannot-tell":
        assert not answer["setting"] and "config" not in answer
    if answer["fitness"] != "unknown":
        assert any(line.startswith("Machine: ") for line in answer["lines"])


def test_a_hopeless_run_names_no_size_as_best_in_any_format(cli, screen):
    run = screen("hopeless")
    document = json.loads(cli.run("analyze", run, "--format", "json").stdout)
    assert document["answer"]["confidence"] == "cannot-tell" and document["answer"]["setting"] == ""
    pick = document["recommendation"]
    assert pick["undecided"] and pick["model"] and pick["message"]
    assert not pick.keys() & {"batch_size", "throughput_per_s", "latency_ms", "gain", "looks_best", "ties", "good_sizes"}
    assert all(group["best_sizes"] == [] and "knee" not in group for group in document["groups"])
    cli.run("report", run, "-o", "report.md")
    texts = [cli.run("analyze", run).stdout, cli.run("analyze", run, "--details").stdout,
             cli.run("analyze", run, "--format", "md").stdout, (cli.folder / "report.md").read_text()]
    for text in texts:
        assert "annot tell which batch size is best" in text or "t is unclear which batch size is best" in text
        assert not re.search(r"[Uu]se batch|[Rr]ecommended|looks best|, best\b|best sizes", text), text


def test_details_hold_all_there_is(cli, screen):
    run = screen("quiet")
    usual, details = cli.run("analyze", run).stdout, cli.run("analyze", run, "-v").stdout
    for text in ("In short", "Single iterations", "\nlaw ", "Phases of an iteration"):
        assert text in details and text not in usual
    assert "p95" in usual and "p99" in usual
    assert "brief" in cli.run("analyze", run, "--brief", "--details", check=2).stderr


def test_profile_ends_with_the_answer_that_analyze_leads_with(cli):
    asked = ["profile", "-m", "synthetic:affine:2ms,10ms", "-b", "1,2,4", "--threads", "2", "--seed", "1", "-q"]
    printed = cli.run(*asked, "-o", "run.jsonl").stdout
    answer = answer_of(cli, "run.jsonl")
    assert printed.endswith("\n\n" + cli.run("analyze", "run.jsonl", "--brief").stdout)
    document = json.loads(cli.run(*asked, "-o", "again.jsonl", "--format", "json").stdout)
    assert document["answer"]["headline"] == answer["headline"]
    # What the answer proposes can be pasted.
    program, *arguments = answer["command"].split()
    assert program == "batchscope"
    assert cli.run(*arguments, *(["-q"] if arguments[0] == "profile" else [])).returncode == 0


def test_tune_ends_with_the_answer(cli):
    printed = cli.run("tune", "-m", "synthetic:affine:20ms,2ms", "-b", "1,4,8", "--threads", "1", "--instances", "1",
                      "--seed", "1", "-q", "-o", "tune.jsonl").stdout
    answer = answer_of(cli, "tune.jsonl")
    assert printed.endswith("\n\n" + cli.run("analyze", "tune.jsonl", "--brief").stdout)
    assert answer["confidence"] == "verified" and answer["setting"].startswith("batch 8")


def test_the_largest_batch_is_the_answer_of_its_search(cli):
    shutil.copy(RUNS / "kinds/max_batch.jsonl", cli.folder)
    document = json.loads(cli.run("analyze", "max_batch.jsonl", "--format", "json").stdout)
    assert document["answer"]["kind"] == "largest" and document["answer"]["confidence"] == "verified"
    assert cli.run("analyze", "max_batch.jsonl").stdout.startswith("Use at most batch ")
