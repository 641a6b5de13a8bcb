"""Whether a new version is slower: models measured in one run, run files, baselines; one answer, its exit codes."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

CALM = "synthetic:affine:2ms,10ms;process_sd=0.004;visit_sd=0.004"
SLOWER = CALM.replace("2ms,10ms", "2.2ms,11ms")
SAME = CALM.replace("2ms,10ms", "2.0ms,10.0ms")
FASTER = CALM.replace("2ms,10ms", "1.8ms,9ms")
NOISY = "process_sd=0.05;visit_sd=0.05"


def flat(text):
    """As it reads, wherever lines were broken."""
    return " ".join(text.split())


def compare(cli, *typed, check, sizes="4,8"):
    return cli.run("compare", *typed, "-b", sizes, "--blocks", 12, "--seed", 3, "--overwrite", check=check)


def measure(cli, name, model, seed=1, blocks=6):
    cli.run("profile", "-m", model, "-b", "4,8", "--blocks", blocks, "--seed", seed, "-q", "-o", name)
    return name


def history(cli, name, model, runs=3, seed=1):
    """A folder of run files of one model."""
    (cli.folder / name).mkdir(exist_ok=True)
    return [measure(cli, f"{name}/{i}.jsonl", model, seed=seed + i) for i in range(runs)]


def test_models_are_measured_in_one_run_and_the_answer_comes_first(cli):
    done = compare(cli, CALM, SLOWER, check=5)
    first, rest = done.stdout.split("\n\n", 1)
    assert "is slower than" in flat(first) and "% more time at batch" in flat(first)
    assert "slower" in rest and "is found in 80 % of such runs" in flat(rest)
    assert (cli.folder / "compare.jsonl").exists()
    assert cli.run("compare", "compare.jsonl", check=5).stdout == done.stdout, "the run tells the same again"


def test_a_run_file_that_exists_is_not_replaced(cli):
    (cli.folder / "compare.jsonl").write_text("mine")
    done = cli.run("compare", "synthetic:affine:4ms,2ms", "synthetic:affine:4ms,3ms", "-b", "1", "-q", check=2)
    assert "compare.jsonl: the file exists already" in done.stderr and "--run" in done.stderr
    assert (cli.folder / "compare.jsonl").read_text() == "mine"


def test_the_verdicts_and_their_exit_codes(cli):
    assert "are equal within 2 %" in flat(compare(cli, CALM, SAME, check=0).stdout)
    assert "is faster than" in flat(compare(cli, CALM, FASTER, check=0).stdout)
    noisy = CALM.replace("process_sd=0.004;visit_sd=0.004", NOISY)
    text = compare(cli, noisy, noisy.replace("2ms,10ms", "2.0ms,10.0ms"), check=6).stdout
    assert text.startswith("Cannot tell whether") and "scatter too much for this margin" in flat(text)
    assert cli.run("compare", "compare.jsonl", "--allow-inconclusive", check=0).stdout == text
    assert "equal within 20 %" in cli.run("compare", "compare.jsonl", "--margin", "20%").stdout


def test_the_document_has_what_a_forest_plot_needs(cli):
    compare(cli, CALM, SLOWER, check=5)
    document = json.loads(cli.run("compare", "compare.jsonl", "--format", "json", check=5).stdout)
    assert document["verdict"] == "slower" and document["margin"] == 0.02
    for row in document["comparisons"]:
        assert row["ratio"]["ci_low"] < row["ratio"]["value"] < row["ratio"]["ci_high"]
        assert row["other_ms"] / row["base_ms"] == pytest.approx(row["ratio"]["value"], rel=0.02)
        assert row["margin"] == 0.02 and row["slowdown"]["at_least"] > 0.02 and row["detectable"] > 0.02
    analysis = json.loads(
        cli.run("analyze", "compare.jsonl", "--fail-on-regression", "2%", "--format", "json", check=5).stdout)
    assert [c["ratio"] for c in analysis["comparisons"]] == [r["ratio"] for r in document["comparisons"]]
    assert {c["margin"] for c in analysis["comparisons"]} == {0.02}


def test_two_single_runs_are_described_and_tell_nothing(cli):
    old, new = measure(cli, "old.jsonl", CALM), measure(cli, "new.jsonl", SLOWER, seed=2)
    text = flat(cli.run("compare", old, new, check=6).stdout)
    assert text.startswith("Cannot tell whether new.jsonl is slower than old.jsonl: ")
    assert "two single runs are not enough" in text and "measure both versions in one run" in text


def test_folders_of_runs_are_sides(cli):
    history(cli, "old", CALM), history(cli, "new", SLOWER, seed=10)
    text = flat(cli.run("compare", "old", "new", check=5).stdout)
    assert text.startswith("new is slower than old: it takes ") and "3 runs a side" in text


def test_a_model_that_fails_where_the_old_one_ran_is_slower(cli):
    done = compare(cli, CALM, f"{SAME};oom_above=4", check=5)
    assert "fails at batch 8" in flat(done.stdout.split("\n\n")[0])


def test_markdown_is_short_and_folds_the_rest(cli):
    compare(cli, CALM, SLOWER, check=5)
    cli.run("compare", "compare.jsonl", "--format", "md", "-o", "pr.md", check=5)
    text = (cli.folder / "pr.md").read_text()
    assert text.startswith("## Slower\n") and text.count("<details>") == 1
    assert len(text[:text.index("<details>")].splitlines()) <= 14


def test_the_build_server_is_reported(cli):
    compare(cli, CALM, SLOWER, check=5)
    done = cli.run("compare", "compare.jsonl", "--junit", "out.xml", "--annotations", "github", check=5)
    assert done.stderr.count("::error") >= 2
    suites = ElementTree.parse(cli.folder / "out.xml")
    assert len(list(suites.iter("failure"))) == 2


@pytest.mark.parametrize(
    "typed, words",
    [
        ([], "nothing to compare"),
        (["one.jsonl", "no-such-model"], "a model needs another model to compare"),
        (["one.jsonl", "one.jsonl"], "appears twice"),
        (["one.jsonl", "copy.jsonl", "-b", "4"], "there is nothing to measure"),
        (["one.jsonl", "copy.jsonl", "--margin", "0"], "above 0"),
        (["one.jsonl"], "one version only"),
        (["one.jsonl", "copy.jsonl", "-o", "one.jsonl"], "the output would overwrite the input"),
    ],
)
def test_what_cannot_be_compared_is_refused(cli, typed, words):
    measure(cli, "one.jsonl", CALM, blocks=2)
    shutil.copy(cli.folder / "one.jsonl", cli.folder / "copy.jsonl")
    assert words in flat(cli.run("compare", *typed, check=2).stderr)


def test_absent_files_and_empty_folders_are_input_errors(cli):
    measure(cli, "one.jsonl", CALM, blocks=2)
    (cli.folder / "empty").mkdir()
    assert "absent.jsonl" in cli.run("compare", "one.jsonl", "absent.jsonl", check=3).stderr
    assert "holds no run file" in cli.run("compare", "one.jsonl", "empty", check=3).stderr


def test_a_baseline_is_kept_with_machine_and_commit(cli):
    runs = history(cli, "old", CALM)
    git = ["git", "-C", str(cli.folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    subprocess.run([*git, "tag", "v1"], check=True)
    cli.run("baseline", "save", "main", *runs)
    shutil.rmtree(cli.folder / "old")
    assert "main" in cli.run("baseline", "list").stdout and "v1" in cli.run("baseline", "list").stdout
    saved, = json.loads(cli.run("baseline", "list", "--format", "json").stdout)["baselines"]
    assert len(saved["runs"]) == 3 and {run["commit"] for run in saved["runs"]} == {"v1"}
    assert all(run["file"].startswith(str(cli.folder / "data/batchscope/baselines/main")) for run in saved["runs"])
    assert saved["runs"][0]["machine"]
    new = history(cli, "new", SLOWER, seed=10)
    reported = cli.run("baseline", "compare", "main", *new, check=5).stdout
    assert reported.startswith("new is slower than main: it takes ")
    assert cli.run("compare", "main", "new", check=5).stdout.splitlines()[2:] == reported.splitlines()[2:]
    assert "v1" in cli.run("trend", "main", "--format", "json").stdout


def test_a_baseline_of_another_machine_is_warned_of(cli):
    old, new = history(cli, "old", CALM), history(cli, "new", SAME, seed=10)
    cli.run("baseline", "save", "main", *old, "--dir", "kept")
    def reported():
        return flat(cli.run("baseline", "compare", "main", *new, "--dir", "kept", check=None).stdout)

    assert "machines differ" not in reported()
    for name in old:
        path = cli.folder / "kept/main" / name.rsplit("/", 1)[1]
        path = path.with_name(f"{int(path.stem) + 1}.jsonl")
        header, rest = path.read_text().split("\n", 1)
        header = json.loads(header)
        header["machine"]["host"] = "elsewhere"
        path.write_text(json.dumps(header) + "\n" + rest)
    assert "machines differ" in reported()


def test_baselines_refuse_what_they_cannot_keep(cli):
    run = measure(cli, "run.jsonl", CALM, blocks=2)
    cli.run("baseline", "save", "main", run)
    assert "exists" in cli.run("baseline", "save", "main", run, check=2).stderr
    cli.run("baseline", "save", "main", run, "--add")
    assert "not a valid name for a baseline" in cli.run("baseline", "save", "../main", run, check=2).stderr
    assert "no baseline has this name" in cli.run("baseline", "compare", "other", run, check=2).stderr
    (cli.folder / "bad.jsonl").write_text("nothing\n")
    cli.run("baseline", "save", "bad", "bad.jsonl", check=3)
    assert "bad" not in cli.run("baseline", "list").stdout
    assert cli.run("baseline", check=2).stdout.startswith("Usage: batchscope baseline VERB")
    assert "'drop' is not a verb of this group" in cli.run("baseline", "drop", check=2).stderr
