"""What a build server is told: three outcomes, refusals, JUnit XML and annotations."""

import json
import shutil
import xml.etree.ElementTree as ElementTree

import pytest

CALM = "synthetic:affine:2ms,10ms;process_sd=0.004;visit_sd=0.004"
SLOWER = CALM.replace("2ms,10ms", "2.4ms,12ms")
SAME = CALM.replace("2ms,10ms", "2.0ms,10.0ms")
NOISY = "process_sd=0.05;visit_sd=0.05"


def measure(cli, name, *models, sizes="4,8", blocks=12, seed=1):
    typed = [word for model in models for word in ("-m", model)]
    cli.run("profile", *typed, "-b", sizes, "--blocks", blocks, "--seed", seed, "-q", "-o", name)
    return name


def gate(cli, *arguments, check):
    done = cli.run("analyze", *arguments, "--fail-on-regression", "3%", check=check)
    return done.stdout + done.stderr


def sides(cli, old, new, runs=3):
    """Runs a side, each with a seed of its own."""
    names = {"--baseline": old, "--candidate": new}
    typed = []
    for k, (flag, model) in enumerate(names.items()):
        typed.append(flag)
        typed += [measure(cli, f"{flag[2]}{i}.jsonl", model, blocks=6, seed=100 * k + i + 1) for i in range(runs)]
    return typed


def test_interleaved_in_one_run_a_slow_down_is_shown(cli):
    run = measure(cli, "ab.jsonl", CALM, SLOWER)
    text = gate(cli, run, check=5)
    assert "Regression beyond the margin of 3.0 %" in text
    assert "takes at least" in text


def test_equal_versions_pass(cli):
    run = measure(cli, "ab.jsonl", CALM, SAME)
    assert "No regression: all 2 configurations take at most" in gate(cli, run, check=0)


def test_what_noise_leaves_open_is_neither(cli):
    run = measure(cli, "ab.jsonl", f"synthetic:affine:2ms,10ms;{NOISY}", f"synthetic:affine:2.0ms,10.0ms;{NOISY}")
    text = gate(cli, run, check=6)
    assert "Cannot tell" in text
    assert "Cannot tell" in gate(cli, run, "--allow-inconclusive", check=0)
    document = json.loads(cli.run("analyze", run, "--fail-on-regression", "3%", "--format", "json", check=6).stdout)
    regression, = document["gates"]
    assert regression["outcome"] == "inconclusive" and regression["margin"] == 0.03
    assert all(check["smallest_shown"] > 0.03 for check in regression["checks"])


def test_single_independent_runs_carry_no_gate(cli):
    old, new = measure(cli, "old.jsonl", CALM), measure(cli, "new.jsonl", CALM, seed=2)
    text = gate(cli, old, new, check=2)
    assert "variation between runs" in text and "profile -m OLD -m NEW" in text and "--baseline" in text
    printed = " ".join(cli.run("analyze", old, new).stdout.split())
    assert "wo single runs are not enough" in printed
    assert "variation between runs" in gate(cli, "--baseline", old, "--candidate", new, check=2)


def test_several_runs_a_side(cli):
    typed = sides(cli, CALM, SLOWER)
    text = gate(cli, *typed, check=5)
    assert "candidate takes at least" in text and "3 runs a side" in text
    document = json.loads(cli.run("analyze", *typed, "--format", "json").stdout)
    assert {c["test"] for c in document["comparisons"]} == {"welch-runs"}
    assert {c["n"] for c in document["comparisons"]} == {3}
    assert gate(cli, *typed, "--in-pairs", check=None).count("pairs of runs") >= 1


def test_equal_runs_a_side_do_not_fail(cli):
    assert cli.run("analyze", *sides(cli, CALM, SAME), "--fail-on-regression", "3%", check=None).returncode in (0, 6)


@pytest.mark.parametrize(
    "typed, words",
    [
        (["a.jsonl", "--baseline", "a.jsonl", "--candidate", "a.jsonl"], "neither side"),
        (["--baseline", "a.jsonl"], "--candidate"),
        (["--candidate", "a.jsonl"], "--baseline"),
        ([], "RUN"),
        (["a.jsonl", "--in-pairs"], "same number of runs"),
        (["--baseline", *["a.jsonl"] * 3, "--candidate", *["b.jsonl"] * 3, "--fail-on-regression", "3%"], "appears twice"),
        (["a.jsonl", "--junit", "out.xml"], "no gate"),
    ],
)
def test_sides_that_make_no_sense_are_refused(cli, typed, words):
    measure(cli, "a.jsonl", CALM, blocks=2)
    shutil.copy(cli.folder / "a.jsonl", cli.folder / "b.jsonl")
    assert words in cli.run("analyze", *typed, check=2).stderr


def test_a_configuration_that_only_the_candidate_cannot_run_is_a_regression(cli):
    run = measure(cli, "ab.jsonl", CALM, f"{SAME};oom_above=4")
    text = gate(cli, run, check=5)
    assert "fails at batch 8" in text and "out-of-memory" in text


def test_a_size_that_is_faster_than_expected_fails_no_build(cli):
    law = "synthetic:affine:2ms,10ms;process_sd=0.005;visit_sd=0.005;anomaly=4:0.7"
    run = measure(cli, "run.jsonl", law, sizes="1,2,3,4,6,8")
    document = json.loads(cli.run("analyze", run, "--format", "json").stdout)
    faster = [f for f in document["findings"] if "less time than the other sizes" in f["message"]]
    assert faster and faster[0]["status"] == "proven", "else this shows nothing"
    severe = [f for f in document["findings"] if f["severity"] == "high" and f not in faster]
    cli.run("analyze", run, "--fail-on", "high", check=5 if severe else 0)


def test_junit_is_xml_whatever_the_names(cli):
    folder = cli.folder / "a<b>&\"'"
    folder.mkdir()
    measure(cli, "ab.jsonl", CALM, SLOWER)
    shutil.move(cli.folder / "ab.jsonl", folder / "ab.jsonl")
    gate(cli, folder / "ab.jsonl", "--junit", "out.xml", "--strict", "--fail-on", "high", check=5)
    root = ElementTree.parse(cli.folder / "out.xml").getroot()
    assert root.tag == "testsuites"
    cases = {suite.get("name"): suite.findall("testcase") for suite in root}
    assert set(cases) == {"regression", "finding", "precision"}
    assert [case.find("failure") is not None for case in cases["regression"]] == [True, True]
    assert int(root.get("tests")) == sum(map(len, cases.values()))
    assert "a<b>&\"'" in cases["precision"][0].get("name")
    cli.run("analyze", folder / "ab.jsonl", "--strict", "--junit", "out.xml", check=2)  # it exists


def test_an_open_gate_is_an_error_in_junit_unless_allowed(cli):
    run = measure(cli, "ab.jsonl", f"synthetic:affine:2ms,10ms;{NOISY}", f"synthetic:affine:2.0ms,10.0ms;{NOISY}")
    gate(cli, run, "--junit", "out.xml", check=6)
    root = ElementTree.parse(cli.folder / "out.xml").getroot()
    assert int(root.get("errors")) > 0 and root.find(".//error").get("type") == "inconclusive"
    gate(cli, run, "--allow-inconclusive", "--junit", "out.xml", "--overwrite", check=0)
    root = ElementTree.parse(cli.folder / "out.xml").getroot()
    assert root.get("errors") == "0" and int(root.get("skipped")) > 0


def test_annotations_for_github(cli):
    run = measure(cli, "ab.jsonl", CALM, SLOWER)
    done = cli.run("analyze", run, "--fail-on-regression", "3%", "--annotations", "github", check=5)
    lines = [line for line in done.stderr.splitlines() if line.startswith("::")]
    assert lines[0].startswith("::error title=batchscope%3A regression::Regression beyond the margin of 3.0 %25: ")
    assert len(lines) == 3 and all(line.startswith("::error title=batchscope%3A regression") for line in lines)
    assert "::" not in done.stdout
