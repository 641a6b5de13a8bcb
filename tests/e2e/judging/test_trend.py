"""How times went over the runs of commits: changes, and the commits they may have begun with."""

import json

import pytest

CALM = "synthetic:affine:2ms,10ms;process_sd=0.002;visit_sd=0.002;run_sd=0.004"
SLOWER = CALM.replace("2ms,10ms", "2.2ms,11ms")


def flat(text):
    """As it reads, wherever lines were broken."""
    return " ".join(text.split())


def made(cli, commits, slower_from):
    """A folder of a run file a commit, slower by a tenth from one on; all of one model's name."""
    folder = cli.folder / "history"
    folder.mkdir()
    for i in range(commits):
        path = folder / f"c{i}.jsonl"
        model = CALM if i < slower_from else SLOWER
        cli.run("profile", "-m", model, "-b", "4,8", "--blocks", 3, "--seed", i + 101, "-q", "-o", path)
        text = path.read_text().replace(model, "model.pt")
        header, rest = text.split("\n", 1)
        header = json.loads(header) | {"created": f"2026-01-{i + 1:02}T00:00:00Z"}
        path.write_text(json.dumps(header) + "\n" + rest)
    return folder


@pytest.fixture
def history(cli):
    return made(cli, 14, slower_from=7)


def test_a_step_is_found_at_its_commit(cli, history):
    text = flat(cli.run("trend", history).stdout)
    assert text.startswith("2 significant changes in 14 runs; the latest: batch ")
    assert "more time" in text and "from c7 on" in text
    document = json.loads(cli.run("trend", history, "--format", "json").stdout)
    assert [run["label"] for run in document["runs"]] == [f"c{i}" for i in range(14)]
    for series in document["series"]:
        change, = series["changes"]
        assert change["earliest"] <= 7 <= change["latest"] and 1.05 < change["ratio"]["value"] < 1.15
        assert [level["first_run"] for level in series["levels"]] == [0, 7]


def test_the_page_needs_nothing_but_itself(cli, history):
    cli.run("trend", history, "-o", "trend.html")
    page = (cli.folder / "trend.html").read_text()
    assert page.count("<svg") == 2 and page.count('class="rise"') == 2 and page.count("<circle") == 28
    assert "<script" not in page and "http" not in page
    assert "exists" in cli.run("trend", history, "-o", "trend.html", check=2).stderr
    cli.run("trend", history, "-o", "trend.md")
    assert (cli.folder / "trend.md").read_text().startswith("## Times over runs")


def test_equal_runs_have_no_change_and_it_tells_what_would_be_one(cli):
    text = flat(cli.run("trend", made(cli, 11, slower_from=11)).stdout)
    assert text.startswith("No significant change in 11 runs. The test has 80 % power to detect a step of ")


def test_what_is_no_run_is_passed_over_in_a_folder_alone(cli, history):
    (history / "other.jsonl").write_text("{}\n")
    done = cli.run("trend", history)
    assert "left out" in done.stderr and "in 14 runs" in flat(done.stdout)
    cli.run("trend", history / "other.jsonl", check=3)
    cli.run("trend", "nowhere", check=3)
    assert "11 of a configuration" in flat(cli.run("trend", history / "c0.jsonl").stdout)
