"""Run files of every kind, recorded once: whatever reads run files still reads these, and to the same result.

What each of them is: tests/fixtures/runs/kinds/README.md
"""

import json
import math
import os
import re
import shutil

import pytest

from conftest import ROOT, _program, read_lines
from published import load, published

FOLDER = ROOT / "tests/fixtures/runs/kinds"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
# Nothing was measured, which every reader says; and nothing can be.
EMPTY = "nothing_left"
NOT_EMPTY = [name for name in NAMES if name != EMPTY]

MAX_BATCH = ["max_batch", "max_batch_killed", "max_batch_known", "max_batch_resumed", "max_batch_train",
             "device_max_batch"]
TUNE = ["tune", "tune_bounds", "tune_train", "tune_interrupted"]
NOT_FROM_MEASURING = ["import_lines", "import_table", "api"]
# They end when what is left was measured.
UNFINISHED = ["interrupted", "killed", "tune_interrupted", "max_batch_killed"]
TORCH = ["training", "checkpointing", "loader", "traced", "kept_trace", "device", "device_training", "device_traced",
         "device_max_batch"]
# On the model that ./dev models makes.
STORED = ["pipeline", "engines"]
# Of a file that only who recorded it has: tests/python goes on with runs of its own.
PYTHON = ["python", "torch_loader"]

# Of two settings that a table cannot tell apart nothing can be replayed, nor of a search that times nothing.
NOT_REPLAYED = MAX_BATCH + ["lengths", "two_models"]
# Of one setting, so that there is one law of times.
PLANNED = ["api", "budget", "device_traced", "environment", "followed_up", "import_lines", "instances", "interrupted",
           "kept_trace", "killed", "precision", "python", "resumed", "traced", "tune", "tune_bounds", "tune_interrupted"]


@pytest.fixture
def kind(cli):
    """Copies a recorded run into the folder of the test, and gives its name there."""
    def copy(name):
        shutil.copy(FOLDER / f"{name}.jsonl", cli.folder)
        return f"{name}.jsonl"
    return copy


def of_type(records, *kinds):
    return [record for record in records if record["type"] in kinds]


def differences(then, now, place="$"):
    """Where two documents differ. Numbers may do so in the digits that compilers and libraries do not agree on."""
    if isinstance(then, float) and isinstance(now, float) and math.isclose(then, now, rel_tol=1e-9):
        return []
    if type(then) is not type(now):
        return [f"{place}: {then!r}, now {now!r}"]
    if isinstance(then, dict):
        found = [f"{place}.{key}: {'no longer there' if key in then else 'not there before'}"
                 for key in sorted(then.keys() ^ now.keys())]
        both = [key for key in then if key in now]
        return found + [line for key in both for line in differences(then[key], now[key], f"{place}.{key}")]
    if isinstance(then, list):
        found = [] if len(then) == len(now) else [f"{place}: {len(then)} entries, now {len(now)}"]
        return found + [line for i, (a, b) in enumerate(zip(then, now)) for line in differences(a, b, f"{place}[{i}]")]
    return [] if then == now else [f"{place}: {then!r}, now {now!r}"]


def ids_and_numbers(document):
    """Without its sentences: of a string with a space in it, the numbers stay."""
    if isinstance(document, dict):
        return {key: ids_and_numbers(value) for key, value in document.items()}
    if isinstance(document, list):
        return [ids_and_numbers(value) for value in document]
    if isinstance(document, str) and " " in document:
        return " ".join(["...", *re.findall(r"\d+(?:\.\d+)*", document)])
    return document


@pytest.mark.parametrize("name", NOT_EMPTY)
def test_its_analysis_is_what_it_was(cli, kind, name):
    now = ids_and_numbers(json.loads(cli.run("analyze", kind(name), "--format", "json").stdout))
    approved = FOLDER / f"{name}.analysis.json"
    updates = "BATCHSCOPE_UPDATE_APPROVED" in os.environ
    found = differences(json.loads(approved.read_text()), now) if approved.exists() or not updates else ["none yet"]
    if updates and found:
        approved.write_text(json.dumps(now, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n")
    else:
        assert not found, "\n".join([f"{name}.analysis.json (the folder's README says how to approve)", *found[:40]])


def test_an_analysis_is_held_to_its_numbers_and_not_to_its_words():
    was = {"id": "scaling.departure", "p": 0.01, "words": ["Use batch 4: 297.5 samples/s."]}
    def found(**changes):
        return differences(ids_and_numbers(was), ids_and_numbers(was | changes))
    assert not found(words=["Take 4 samples, 297.5 in a second"])
    assert found(words=["Use batch 8: 297.5 samples/s."])
    assert found(words=[*was["words"], "It is sure."])
    assert found(p=0.02)
    assert found(id="scaling.dominated")


def test_findings_name_the_help_on_their_kind(cli, kind):
    for name in ("environment", "training"):
        findings = json.loads(cli.run("analyze", kind(name), "--format", "json").stdout)["findings"]
        for topic, doc in {(finding["id"], finding["doc"]) for finding in findings}:
            assert doc == f"batchscope help {topic}"
            assert cli.run(*doc.split()[1:]).stdout.startswith(f"## {topic}: ")


@pytest.mark.parametrize("name", NOT_EMPTY)
def test_it_is_shown_in_words_and_as_a_report(cli, kind, name):
    run = kind(name)
    assert cli.run("analyze", run).stdout
    cli.run("report", run, "-o", "report.md")
    assert (cli.folder / "report.md").read_text().startswith("# ")


def test_a_run_of_failures_alone_is_read_and_stated_to_be_empty(cli, kind):
    run = kind(EMPTY)
    for arguments in (["analyze", run], ["analyze", run, "--format", "json"], ["report", run, "-o", "report.md"]):
        assert "holds no measurements" in cli.run(*arguments, check=3).stderr
    assert "No setting succeeded" in cli.run("tune", "--replay", run, check=1).stderr
    again = cli.run("profile", "--resume", "--force", "-q", "-o", run, check=1)
    assert "no configuration succeeded" in again.stderr


@pytest.mark.parametrize("name", NOT_EMPTY)
def test_tables_are_searched_again(cli, kind, name):
    done = cli.run("tune", "--replay", kind(name), "--format", "json", check=3 if name in NOT_REPLAYED else 0)
    assert done.stderr if name in NOT_REPLAYED else json.loads(done.stdout)["recommendation"]


@pytest.mark.parametrize("name", NOT_EMPTY)
def test_plans_are_made_of_one_setting(cli, kind, name):
    asked = ["plan", kind(name), "--rate", "1/s", "--requests", "500", "--format", "json"]
    done = cli.run(*asked, check=0 if name in PLANNED else 3)
    assert json.loads(done.stdout) if name in PLANNED else done.stderr


def go_on(cli, name, run, **options):
    """Goes on with the run as on another machine, which this is; (records before, records after)."""
    before = read_lines(cli.folder / run)
    verb = ["tune"] if name in TUNE else ["tune", "--max-batch-only"] if name in MAX_BATCH else ["profile"]
    cli.run(*verb, "--resume", "--force", "-q", "-o", run, **options)
    return before, read_lines(cli.folder / run)


def marked(name):
    return pytest.param(name, marks=pytest.mark.model) if name in TORCH else name


FINISHED = [name for name in NOT_EMPTY if name not in NOT_FROM_MEASURING + STORED + PYTHON + UNFINISHED]


@pytest.mark.parametrize("name", [marked(name) for name in FINISHED])
def test_a_finished_run_has_nothing_left_to_measure(cli, kind, name):
    before, after = go_on(cli, name, kind(name))
    assert after[:len(before)] == before
    assert not of_type(after[len(before):], "config", "visit", "probe")


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_run_that_was_ended_is_measured_to_its_end(cli, kind, name):
    before, after = go_on(cli, name, kind(name))
    assert after[:len(before)] == before, "what was measured stays"
    assert of_type(after[len(before):], "visit", "probe")
    assert after[-1]["type"] == "end" and after[-1]["reason"] in ("blocks-done", "search-done")
    cli.run("analyze", f"{name}.jsonl")


@pytest.mark.model
@pytest.mark.parametrize("name", STORED)
def test_runs_of_stored_models_have_nothing_left_to_measure(cli, kind, name):
    models = os.environ.get("BATCHSCOPE_MODELS", str(ROOT / "models"))
    if not os.path.exists(f"{models}/all-minilm-l6-v2/model.json"):
        pytest.skip(f"no all-minilm-l6-v2 in {models}: ./dev models makes it")
    if name == "engines" and not (_program().parent.parent / "lib/libbatchscope_openvino.so").exists():
        pytest.skip("built without the openvino plugin")
    # The files name both as from a checkout.
    os.symlink(models, cli.folder / "models")
    os.symlink(ROOT / "data", cli.folder / "data")
    before, after = go_on(cli, name, kind(name), env=os.environ | {"BATCHSCOPE_MODELS": "models"})
    assert after[:len(before)] == before
    assert not of_type(after[len(before):], "config", "visit")


@pytest.mark.parametrize("name", NOT_FROM_MEASURING)
def test_what_this_program_did_not_measure_is_not_gone_on_with(cli, kind, name):
    printed = "a program measured one of its own functions" if name == "api" else "come from an import"
    assert printed in cli.run("profile", "--resume", "--force", "-o", kind(name), check=2).stderr


def test_two_runs_are_compared(cli, kind):
    document = json.loads(cli.run("analyze", kind("interrupted"), kind("resumed"), "--format", "json").stdout)
    assert {one["axis"] for one in document["comparisons"]} == {"run"}


@pytest.mark.model
def test_a_noise_scale_takes_the_steps_of_a_run(cli, kind):
    done = cli.run("noise-scale", "-m", "mlp", "-b", "2", "--accumulation", "2", "--steps", "10", "--threads", "1",
                   "--optimizer", "adamw", "--run", kind("training"), "--format", "json")
    assert json.loads(done.stdout)["steps"] == 10


def records_of(name):
    return read_lines(FOLDER / f"{name}.jsonl")


def test_the_files_hold_all_that_a_run_file_can():
    """But for what this machine could not be made to write."""
    validator, _ = load("run-file")
    seen = set()
    for name in NAMES:
        for record in records_of(name):
            problems = [f"{name}: {error.json_path}: {error.message}" for error in validator.iter_errors(record)]
            assert not problems
            seen |= published.field_names(record)
    missing = published.property_names(validator.schema["$defs"]) - seen
    of_a_gpu = {"clock_ratio", "blocks_per_sm", "occupancy", "copies", "pin_ns", "pageable_ns", "pinned_ns"}
    of_nodes = published.property_names([validator.schema["$defs"][kind] for kind in ("node", "place")])
    assert missing - of_nodes == of_a_gpu, "record a run that has it"


def test_the_files_tell_nothing_of_the_machine_that_recorded_them():
    for name in NAMES:
        text = (FOLDER / f"{name}.jsonl").read_text()
        header = json.loads(text.splitlines()[0])
        assert header["machine"]["host"] in ("", "host"), name
        assert header["machine"]["kernel"] in ("", "6.1.0"), name
        assert set(re.findall(r'"boot_id":"([^"]*)"', text)) <= {"00000000-0000-4000-8000-000000000000"}, name
        assert not re.search(r'["\s=:]/\w', text), f"{name}: a path"


def test_the_readme_tells_what_each_file_is():
    rows = re.findall(r"^\| (\w+) \|", (FOLDER / "README.md").read_text(), re.MULTILINE)
    assert sorted(set(rows) - {"file"}) == NAMES
