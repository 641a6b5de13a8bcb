"""`batchscope report`: what it writes, what it refuses, and what it leaves out."""

import json
import os
import re
import shlex

import pytest

from report_browser import browser, open_report, report_of  # noqa: F401

LAW = "affine:2ms,10ms;anomaly=4:1.25;visit_sd=0.015"
SEED = "batch,latency_ms\n1,50.30\n2,140.09\n4,175.25\n8,504.16\n"


@pytest.fixture
def run_file(cli):
    cli.run("profile", "--engine", "synthetic", "-m", LAW, "-b", "1,2,3,4,6,8", "--blocks", "12", "--seed", "1",
            "-o", "run.jsonl")
    return "run.jsonl"


def embedded(page, name):
    text = page.read_text()
    return json.loads(re.search(rf'<script type="application/json" id="report-{name}">(.*?)</script', text, re.S)[1])


def test_the_page_carries_the_analysis(cli, run_file, report_of):
    page = report_of(run_file)
    assert embedded(page, "csv") == cli.run("analyze", run_file, "--format", "csv").stdout
    assert embedded(page, "analysis") == json.loads(cli.run("analyze", run_file, "--format", "json").stdout)
    assert page.stat().st_size <= 1_500_000


@pytest.mark.parametrize("name", ["report.pdf", "report", "report.htm"])
def test_another_kind_of_file_is_usage(cli, run_file, name):
    assert "report.html" in cli.run("report", run_file, "-o", name, check=2).stderr
    assert not (cli.folder / name).exists()


def test_nothing_is_overwritten_unless_asked(cli, run_file, report_of):
    report_of(run_file)
    (cli.folder / "report.html").write_text("precious\n")
    assert "--overwrite" in cli.run("report", run_file, "-o", "report.html", check=2).stderr
    assert (cli.folder / "report.html").read_text() == "precious\n"
    cli.run("report", run_file, "-o", "report.html", "--overwrite")
    assert (cli.folder / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_what_cannot_be_read_is_input(cli):
    (cli.folder / "bad.jsonl").write_text("no run\n")
    cli.run("report", "bad.jsonl", "-o", "r.html", check=3)
    cli.run("report", "absent.jsonl", "-o", "r.html", check=3)
    cli.run("report", "absent.jsonl", check=2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_reported(cli, run_file, report_of):
    report_of(run_file)
    (cli.folder / "full.html").symlink_to("/dev/full")
    done = cli.run("report", run_file, "-o", "full.html", check=1)
    assert "full" in done.stderr and "No space" in done.stderr


def test_markdown_reads_as_an_investigation(cli, run_file):
    cli.run("report", run_file, "-o", "out/report.md")
    text = (cli.folder / "out/report.md").read_text()
    titles = re.findall(r"^## (.*)", text, re.M)
    assert titles == ["In short", "Findings", "Causes", "Charts", "Tables", "Machine and method", "How to reproduce"]
    images = re.findall(r"!\[[^]]*\]\(([^)]*)\)", text)
    assert len(images) >= 7 and all((cli.folder / "out" / image).stat().st_size for image in images)
    assert "batchscope profile --engine synthetic -m 'affine:2ms,10ms;" in text
    cli.run("report", run_file, "-o", "out/report.md", check=2)
    cli.run("report", run_file, "-o", "out/report.md", "--overwrite")


def test_a_confirmed_cause_is_reported_with_its_effect_and_what_to_set(cli):
    cli.run("profile", "--engine", "synthetic", "-m", "affine:2ms,10ms;heap_returned=8:1.25;visit_sd=0.015",
            "-b", "1,2,3,4,6,8", "--blocks", "12", "--seed", "1", "--diagnose", "-o", "run.jsonl")
    cli.run("report", "run.jsonl", "-o", "why.md")
    causes = (cli.folder / "why.md").read_text().split("## Causes")[1].split("\n## ")[0]
    confirmed = causes.split("### Confirmed")[1]
    assert "At batch 8 malloc" in confirmed and "page faults 30000 an iteration" in confirmed
    saved = re.search(r"time saved ([\d.]+) % \\\[([\d.]+) %, ([\d.]+) %\\\]", confirmed)
    value, low, high = map(float, saved.groups())
    assert low < value < high and abs(value - 20) < 3, "a quarter more time is a fifth of it"
    assert "set: `export GLIBC_TUNABLES=" in confirmed


def test_where_nobody_looked_for_causes_the_command_is_given(cli, run_file):
    cli.run("report", run_file, "-o", "why.md")
    causes = (cli.folder / "why.md").read_text().split("## Causes")[1].split("\n## ")[0]
    command = re.search(r"^batchscope (profile .*)", causes, re.M)[1]
    cli.run(*shlex.split(command))
    assert '"purpose":"verify"' in (cli.folder / "run_why.jsonl").read_text().replace(" ", "")


def test_an_imported_table_gets_suspicions_and_commands(cli):
    (cli.folder / "seed.csv").write_text(SEED)
    cli.run("import", "seed.csv", "-o", "seed.jsonl", "--model", "distilbert")
    cli.run("report", "seed.jsonl", "-o", "seed.md")
    text = (cli.folder / "seed.md").read_text()
    assert "SUSPECT" in text.upper() or "not proven" in text
    commands = re.findall(r"^batchscope (profile|import) ", text.split("What to measure next")[1], re.M)
    assert commands[:2] == ["profile", "import"]


def test_redact_leaves_names_and_folders_out(cli, run_file):
    folder = cli.folder / "home" / "janedoe" / "secretdir"
    folder.mkdir(parents=True)
    lines = [json.loads(line) for line in (cli.folder / run_file).read_text().splitlines()]
    header = lines[0]
    header["machine"]["host"] = "secrethost"
    header["notes"] = [f"copied from {folder}/old.jsonl by janedoe on secrethost"]
    header["command_line"] += [f"--config={folder}/run.toml"]
    header["models"][0]["path"] = "/home" "/janedoe/secretdir/model.pt"
    private = folder / "private.jsonl"
    private.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name in ("open.md", "closed.md", "closed.html"):
        flags = ["--redact"] if name.startswith("closed") else []
        done = cli.run("report", private, "-o", name, *flags, check=None)
        if "no HTML report" in done.stderr:
            continue
        text = (cli.folder / name).read_text()
        for word in ("janedoe", "secrethost", "secretdir", str(cli.folder)):
            assert (word in text) == (name == "open.md"), (word, name)
        assert "private.jsonl" in text
