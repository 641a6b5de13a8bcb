"""examples/compare.yml: the commands of the workflow are the program's, and do what it says of them."""

import re
import shlex

import pytest

from conftest import ROOT

WORKFLOW = ROOT / "examples/compare.yml"
SAME = "synthetic:affine:2ms,10ms;process_sd=0.004;visit_sd=0.004"


def commands():
    """What stands after `batchscope`, a list of words each; lines that end in a backslash go on."""
    text = "".join(line for line in WORKFLOW.read_text().splitlines(True) if not line.lstrip().startswith("#"))
    lines = text.replace("\\\n", " ").splitlines()
    found = [line.split("batchscope ", 1)[1].split(">>")[0] for line in lines if "batchscope " in line]
    return [shlex.split(command) for command in found]


def verb_of(words):
    return words[:2] if words[0] == "baseline" else words[:1]


def test_its_commands_are_found():
    assert [" ".join(verb_of(words)) for words in commands()] == ["compare", "profile", "baseline save", "trend", "trend"]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_flag_is_known(cli, words):
    shown = cli.run(*verb_of(words), "--help-all").stdout
    known = set(re.findall(r"^  (?:-\w, |    )(--[\w-]+)", shown, re.MULTILINE))
    known |= set(re.findall(r"^  (-\w), ", shown, re.MULTILINE))
    typed = {word.split("=")[0] for word in words if word.startswith("-")}
    assert typed and typed <= known, typed - known


def test_the_files_that_it_reads_are_those_that_it_writes(cli):
    text = WORKFLOW.read_text()
    cli.run("compare", SAME, SAME.replace("2ms,", "2.0ms,"), "-b", "4", "--blocks", "6", "--seed", "3", "--margin", "2%",
            "--allow-inconclusive", "--annotations", "github", "--junit", "speed.xml", "--format", "md", "-o", "speed.md",
            "--overwrite")
    for name in ("speed.md", "speed.xml", "compare.jsonl"):
        assert name in text and (cli.folder / name).stat().st_size > 0
    for i in (1, 2):
        cli.run("profile", "-m", SAME, "-b", "4", "--blocks", "2", "--seed", i, "-q", "-o", "run.jsonl", "--overwrite")
        cli.run("baseline", "save", "main", "run.jsonl", "--add", "--dir", "baselines", "--commit", f"c{i}")
    assert len(list((cli.folder / "baselines/main").glob("[0-9]*.jsonl"))) == 2
    cli.run("trend", "main", "--dir", "baselines", "-o", "trend.html", "--overwrite")
    cli.run("trend", "main", "--dir", "baselines", "-o", "trend.html", "--overwrite")


def test_it_is_a_document_of_two_jobs():
    yaml = pytest.importorskip("yaml")
    document = yaml.safe_load(WORKFLOW.read_text())
    assert set(document["jobs"]) == {"compare", "trend"}
    for job in document["jobs"].values():
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])
