"""Models of the models folder: found by name, with their inputs; what is said when they are absent or broken."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT, read_lines

FACTS = {"inputs": ["input_ids:BxS:int64=0-999", "attention_mask:BxS:int64=1"], "summary": "one attention layer",
         "parameters": 76480, "vocabulary": 1000, "pad_id": 0, "hidden_size": 64, "max_positions": 64,
         "max_length": 32, "pooling": "mean", "normalize": True}
SHORT = ["--blocks", "2", "--iterations", "2", "--threads", "1", "-q"]


@pytest.fixture
def store(tmp_path):
    """An environment whose models folder has `tiny`, in which only model.json lies."""
    (tmp_path / "store/tiny").mkdir(parents=True)
    (tmp_path / "store/tiny/model.json").write_text(json.dumps(FACTS))
    return os.environ | {"BATCHSCOPE_MODELS": str(tmp_path / "store")}


@pytest.fixture
def tiny(store, tmp_path):
    made = ROOT / "build/release/models"  # see test_models.py
    script = ROOT / "tests/fixtures/make_models.py"
    subprocess.run([sys.executable, script, made, "--only", "tokens"], check=True, timeout=600)
    shutil.copy(made / "tokens.pt", tmp_path / "store/tiny/model.pt")
    return store


@pytest.mark.model
def test_a_stored_model_brings_its_inputs(cli, tiny):
    cli.run("profile", "-m", "tiny", "-b", "1,2", *SHORT, "-o", "run.jsonl", env=tiny)
    header, *records = read_lines(cli.folder / "run.jsonl")
    assert header["models"][0]["name"] == "tiny"
    assert header["models"][0]["inputs"] == FACTS["inputs"]
    lengths = {record["seq_len"] for record in records if record["type"] == "config"}
    assert lengths == {64}, "the default length is one that the model can take"


@pytest.mark.model
def test_a_run_of_a_stored_model_is_resumed(cli, tiny):
    cli.run("profile", "-m", "tiny", "-b", "1,2", *SHORT, "-o", "run.jsonl", env=tiny)
    lines = (cli.folder / "run.jsonl").read_text().splitlines(keepends=True)
    full = [line for line in lines if '"type":"end"' not in line]
    (cli.folder / "run.jsonl").write_text("".join(full[:-1]))
    cli.run("profile", "-m", "tiny", "-b", "1,2", "--resume", "-q", "-o", "run.jsonl", env=tiny)
    assert read_lines(cli.folder / "run.jsonl")[-1]["reason"] == "blocks-done"


@pytest.mark.model
def test_stored_models_are_listed(cli, store):
    assert "tiny" in cli.run("profile", "--list-models", env=store).stdout


@pytest.mark.model
def test_a_stored_model_without_a_file_for_the_engine_is_refused(cli, store):
    assert "no file for engine torch" in cli.run("profile", "-m", "tiny", check=2, env=store).stderr


@pytest.mark.model
def test_the_exported_model_says_how_it_is_made(cli, store):
    assert "./dev models" in cli.run("profile", "-m", "all-minilm-l6-v2", check=2, env=store).stderr


@pytest.mark.model
def test_a_broken_description_is_wrong_input(cli, store, tmp_path):
    (tmp_path / "store/tiny/model.json").write_text('{"inputs": []}')
    done = cli.run("profile", "-m", "tiny", check=3, env=store)
    assert "model.json" in done.stderr and "Traceback" not in done.stderr
