"""Flags that are one decision: `--on-existing`, `--diagnose=...`, `--loader SOURCE,key=value`."""

import json

import pytest

from conftest import read_lines

QUIET = "synthetic:affine:2ms,1ms"
RUN = ["profile", "-m", QUIET, "-b", "1,2", "--blocks", "2", "-q", "-o", "run.jsonl"]


def header(cli, *arguments):
    cli.run("profile", *arguments, "-q", "-o", "made.jsonl", "--on-existing", "overwrite")
    return read_lines(cli.folder / "made.jsonl")[0]


def test_an_existing_file_is_kept_replaced_or_gone_on_with(cli):
    cli.run(*RUN, "--on-existing", "fail")
    first = (cli.folder / "run.jsonl").read_text()
    for words in ([], ["--on-existing", "fail"], ["--on-existing=fail"]):
        cli.run(*RUN, *words, check=2)
    assert (cli.folder / "run.jsonl").read_text() == first
    cli.run("profile", "--on-existing", "resume", "-q", "-o", "run.jsonl")
    assert {line["block"] for line in read_lines(cli.folder / "run.jsonl") if line["type"] == "visit"} >= {0, 1}
    cli.run(*RUN, "--on-existing=overwrite")


@pytest.mark.parametrize(("typed", "causes", "verify"), [
    ("--diagnose", "auto", "auto"), ("--diagnose=causes", "auto", "off"), ("--diagnose=verify", "off", "auto"),
    ("--diagnose=causes,verify,budget=2m", "auto", "auto")])
def test_the_parts_of_a_diagnosis(cli, typed, causes, verify):
    plan = header(cli, "-m", QUIET, "-b", "1,2", "--blocks", "2", typed)["plan"]
    assert (plan["verify_causes"], plan["verify"]) == (causes, verify)
    assert plan.get("diagnose_budget_s") == (120 if "budget" in typed else None)


def test_a_loader_with_its_settings(cli):
    shown = cli.run("profile", "-m", "synthetic:affine:2ms,1ms", "--help-all").stdout
    new, _, old = shown.partition("Old flags")
    assert "--on-existing" in new and "--loader-workers" not in new
    assert "--loader-workers" in old and "--resume" in old
    typed = ["profile", "-m", QUIET, "--mode", "train", "-b", "1", "--dry-run", "--format", "json"]
    new = cli.run(*typed, "--loader", "synthetic:16,size=64x48,workers=0,2,prefetch=1", check=None)
    old = cli.run(*typed, "--loader", "synthetic:16,size=64x48", "--loader-workers", "0,2", "--prefetch", "1", check=None)
    assert (new.returncode, new.stdout, new.stderr) == (old.returncode, old.stdout, old.stderr)
    assert new.returncode or json.loads(new.stdout)


@pytest.mark.parametrize("typed", ["--on-existing=replace", "--diagnose=all", "--diagnose=budget"])
def test_what_is_no_part_is_a_usage_error_that_names_the_flag(cli, typed):
    flag = typed.partition("=")[0]
    assert flag in cli.run("profile", "-m", QUIET, "-b", "1", typed, check=2).stderr
