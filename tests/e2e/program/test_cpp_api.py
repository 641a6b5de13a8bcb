"""The example program: a pipeline of its own, measured through the C++ API, and what its guide quotes of it."""

import json
import re
import subprocess
import textwrap

import pytest

from conftest import ROOT, read_lines

GUIDE = (ROOT / "docs/guide/measure/cpp-api.md").read_text()
STEPS = ["tokenize", "pad", "forward", "pool"]


@pytest.fixture(scope="module")
def example(program):
    path = program.parent / "embed_texts"
    if not path.exists():
        pytest.skip("built without the examples")
    return path


def call(example, folder, *arguments):
    return subprocess.run([example, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def measured(example, tmp_path_factory):
    """(folder with run.jsonl, what the program printed)"""
    folder = tmp_path_factory.mktemp("embed_texts")
    done = call(example, folder, "profile", "run.jsonl", "2")
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_writes_a_run_file_like_any_other(measured):
    folder, _ = measured
    records = read_lines(folder / "run.jsonl")
    header = records[0]
    assert header["origin"] == "api"
    assert header["plan"]["isolation"] == "none"
    visits = [record for record in records if record["type"] == "visit"]
    assert len(visits) == 6 * 2
    orders = {}
    for visit in visits:
        orders.setdefault(visit["block"], []).append(visit["config"])
    assert all(sorted(order) == list(range(6)) for order in orders.values())
    for visit in visits:
        phases = {phase["name"]: phase for phase in visit["phases"]}
        assert list(phases) == ["prepare", *STEPS]
        assert sum(phases[step]["host_ns"] for step in STEPS) <= sum(visit["samples_ns"])
        assert all(phases[step]["count"] == len(visit["samples_ns"]) for step in STEPS)


def test_analyze_says_what_the_program_stated(measured, cli):
    folder, printed = measured
    summary = json.loads(cli.run("analyze", folder / "run.jsonl", "--format", "json").stdout)
    assert summary["words"]
    assert printed.startswith("\n".join(summary["words"]) + "\n")
    assert all(finding["status"] != "proven" for finding in summary["findings"])
    text = cli.run("analyze", folder / "run.jsonl", "--details").stdout
    for words in ("isolation none", "Phases of an iteration", *STEPS):
        assert words in text


def test_the_report_has_the_same_sections(measured, cli):
    folder, _ = measured
    cli.run("report", folder / "run.jsonl", "-o", "report.html")
    assert "embed_texts" in (cli.folder / "report.html").read_text()
    cli.run("report", folder / "run.jsonl", "-o", "report.md")
    page = (cli.folder / "report.md").read_text()
    for words in ("tokenize", "hashed words, two layers, mean pooling", "one process for everything",
                  "embed_texts profile run.jsonl"):
        assert words in page
    # Nobody but the program can measure more of it.
    assert "batchscope profile" not in page


def test_only_the_program_can_measure_again(measured, cli):
    folder, _ = measured
    done = cli.run("profile", "--resume", "-o", folder / "run.jsonl", check=2)
    assert "run that program again" in done.stderr


def test_refuses_to_overwrite(measured, example):
    folder, _ = measured
    before = (folder / "run.jsonl").read_bytes()
    done = call(example, folder, "profile", "run.jsonl")
    assert done.returncode == 1
    assert "exists already" in done.stderr
    assert (folder / "run.jsonl").read_bytes() == before


def test_traces_one_batch(example, tmp_path):
    done = call(example, tmp_path, "trace", "trace.json")
    assert done.returncode == 0, done.stderr
    first = [line.split()[0] for line in done.stdout.splitlines()]
    assert first[:2] == ["range", "batch"]
    assert sorted(first[2:]) == sorted(STEPS)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    ranges = [event for event in events if event["ph"] == "X"]
    assert sorted(event["name"] for event in ranges) == sorted(["batch", *STEPS] * 3)


def windows(text, count):
    lines = text.splitlines()
    for start in range(len(lines) - count + 1):
        yield textwrap.dedent("\n".join(lines[start:start + count]))


def test_the_guide_quotes_the_example():
    folders = (ROOT / "examples", ROOT / "tests/consumer/project")
    sources = [path.read_text() for folder in folders for path in sorted(folder.glob("*.cpp"))]
    snippets = re.findall(r"^```cpp\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    assert len(snippets) >= 3
    for snippet in snippets:
        wanted = snippet.rstrip("\n")
        assert any(wanted == window for source in sources
                   for window in windows(source, wanted.count("\n") + 1)), wanted


def test_the_guide_quotes_the_consumers_project():
    snippet, = re.findall(r"^```cmake\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    project = (ROOT / "tests/consumer/project/CMakeLists.txt").read_text()
    for line in snippet.splitlines():
        assert line.strip() in project, line
