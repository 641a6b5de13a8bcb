"""OpenVINO as the engine, alone and beside LibTorch, and what it refuses."""

import json
import shutil
import subprocess
import sys

import pytest

import nvtx_record
from conftest import ROOT, _program, read_lines

pytest.importorskip("openvino", reason="no OpenVINO wheel beside this Python")
if not (_program().parent.parent / "lib/libbatchscope_openvino.so").exists():
    pytest.skip("built without the openvino plugin", allow_module_level=True)

SHORT = ["--blocks", "2", "--iterations", "3", "--threads", "1", "-q"]
INPUTS = ["--input", "input_ids:BxS:int64=0-49", "--input", "attention_mask:BxS:int64=1"]


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openvino")
    subprocess.run([sys.executable, ROOT / "tests/fixtures/make_openvino_models.py", folder], check=True, timeout=600)
    return folder


def records(cli, kind):
    return [record for record in read_lines(cli.folder / "run.jsonl") if record["type"] == kind]


def profile(cli, *arguments, **options):
    return cli.run("profile", *arguments, *SHORT, "-o", "run.jsonl", **options)


def test_a_model_of_openvinos_own_format_runs_without_being_reported_its_inputs(cli, models):
    profile(cli, "-m", models / "encoder.xml", "-b", "1,2", "--seq-lens", "16,32")
    header = records(cli, "header")[0]
    assert header["versions"]["openvino"].startswith("20")
    model = header["models"][0]
    assert model["parameters"] >= 50 * 16 + 16 * 16 + 16
    assert "input_ids" in model["description"]
    assert model["inputs"] == ["input_ids:BxS:int64=0-49", "attention_mask:BxS:int64=1"]
    assert {config["engine"] for config in records(cli, "config")} == {"openvino"}
    visits = records(cli, "visit")
    assert len(visits) == 8
    for visit in visits:
        phases = {phase["name"]: phase for phase in visit["phases"]}
        assert {"prepare", "h2d", "forward", "d2h"} <= set(phases)
        inside = sum(phase["host_ns"] for name, phase in phases.items() if name != "prepare")
        assert inside <= sum(visit["samples_ns"]) * 1.01


def test_a_tool_is_shown_phases_while_they_run(cli, models):
    if not nvtx_record.recorder(cli.program).exists():
        pytest.skip("built without NVTX's headers")
    output = cli.folder / "nvtx.txt"
    profile(cli, "-m", models / "encoder.xml", "-b", "2", "--seq-lens", "16",
            env=nvtx_record.environment(cli.program, output))
    last = [visit for thread in nvtx_record.threads(output) for visit in thread][-1]
    assert {repr(each) for each in last.inside[-1].inside} == {"iteration(h2d, forward, d2h)"}


def test_onnx_runs(cli, models):
    profile(cli, "-m", models / "sum.onnx", "-b", "1,4")
    assert len(records(cli, "visit")) == 4


def test_precisions_are_those_that_were_asked_for(cli, models):
    profile(cli, "-m", models / "encoder.xml", "-b", "2", "--precision", "fp32,bf16")
    fp32 = [c["index"] for c in records(cli, "config") if c["precision"] == "fp32"]
    assert sum(visit["config"] in fp32 for visit in records(cli, "visit")) == 2
    # A processor without bf16 says so.
    others = [event for event in records(cli, "event") if event["kind"] == "error"]
    assert all("bf16" in event["message"] for event in others)


def test_variable_length_batches_are_padded(cli, models):
    profile(cli, "-m", models / "encoder.xml", "-b", "4", "--seq-lens", "4-32:uniform")
    visit = records(cli, "visit")[0]
    assert visit["tokens"]["real"] < visit["tokens"]["padded"]
    assert not records(cli, "header")[0].get("notes")


def test_a_fixed_batch_is_named(cli, models):
    failed = profile(cli, "-m", models / "fixed.xml", "-b", "1,2", check=2)
    assert "batches of exactly 4" in failed.stderr
    profile(cli, "-m", models / "fixed.xml", "-b", "4")
    assert len(records(cli, "visit")) == 2


@pytest.mark.parametrize("arguments, exit_code, words", [
    (["-m", "junk.xml"], 3, "does not match its file type"),
    (["-m", "junk.onnx"], 3, "does not match its file type"),
    (["-m", "absent.xml"], 3, "no such model file"),
    (["-m", "encoder.pt", "--engine", "openvino"], 3, "--engine torch"),
    (["-m", "model.txt", "--engine", "openvino"], 2, "neither a built-in model nor a model file"),
    (["-m", "./model.txt", "--engine", "openvino"], 3, "neither ONNX"),
    (["-m", "encoder.xml", "--input", "ids:BxS:int64"], 2, "input_ids int64 [?,?]"),
    (["-m", "encoder.xml", "--input", "input_ids:BxS:int32", "--input", "attention_mask:BxS:int64"], 2, "given as int32"),
    (["-m", "encoder.xml", "--mode", "train"], 2, "does not train"),
    (["-m", "encoder.xml", "--device", "cuda:0"], 2, "engine openvino sees: cpu"),
    (["-m", "distilbert", "--engine", "openvino"], 2, "neither a built-in model"),
    (["-m", "torch=encoder.pt,openvino=encoder.xml", "--engine", "torch,openvino,openvino"], 2, "appears twice"),
    pytest.param(["-m", "torch=encoder.pt", "--engine", "torch,openvino", *INPUTS], 2, "openvino=FILE",
                 marks=pytest.mark.model),
])
def test_bad_input_is_refused_before_anything_is_measured(cli, models, arguments, exit_code, words):
    failed = profile(cli, *arguments, check=exit_code, cwd=models)
    assert words in failed.stderr
    assert not (models / "run.jsonl").exists()


@pytest.mark.model
def test_torch_says_whose_files_these_are(cli, models):
    failed = profile(cli, "-m", models / "encoder.xml", "--engine", "torch", *INPUTS, check=3)
    assert "--engine openvino" in failed.stderr


def test_an_absent_plugin_says_how_to_get_it(cli, models, program):
    alone = cli.folder / "bin/batchscope"
    alone.parent.mkdir()
    shutil.copy(program, alone)
    cli.program = alone
    failed = profile(cli, "-m", models / "encoder.xml", check=1)
    assert "pip install" in failed.stderr


def test_a_diagnosis_names_layers_and_implementations(cli, models):
    cli.run("profile", "-m", models / "encoder.xml", "-b", "1,64", "--seq-lens", "256", "--blocks", "2",
            "--diagnose", "--diagnose-budget", "20s", "-q", "-o", "run.jsonl")
    seen = [visit["diagnosis"] for visit in records(cli, "visit") if "diagnosis" in visit]
    traced = [diagnosis for diagnosis in seen if diagnosis.get("tracer") == "openvino"]
    assert traced
    assert any(operation["name"].startswith("FullyConnected") for operation in traced[0]["operations"])
    assert any(primitive["implementation"].endswith("f32") for primitive in traced[0]["primitives"])


@pytest.mark.model
def test_two_engines_are_compared_with_their_outputs(cli, models):
    both = f"torch={models}/encoder.pt,openvino={models}/encoder.xml"
    profile(cli, "-m", both, *INPUTS, "-b", "1,2", "--seq-lens", "16")
    assert [config["engine"] for config in records(cli, "config")] == ["torch"] * 2 + ["openvino"] * 2
    assert {config["model"] for config in records(cli, "config")} == {"encoder"}
    assert {model["engine"] for model in records(cli, "header")[0]["models"]} == {"torch", "openvino"}
    outputs = records(cli, "outputs")
    assert len(outputs) == 1
    assert outputs[0]["cosine"] > 0.99999
    assert outputs[0]["largest_relative_error"] < 1e-4
    assert outputs[0]["values"] == 16 * 16
    summary = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    engines = [each for each in summary["comparisons"] if each["axis"] == "engine"]
    assert len(engines) == 2
    for each in engines:
        assert each["outputs"]["cosine"] == outputs[0]["cosine"]
        assert "On the same input the outputs" in each["message"]
    text = " ".join(cli.run("analyze", "run.jsonl").stdout.split())
    assert "On the same input the outputs" in text
    cli.run("profile", "-m", both, *INPUTS, "--resume", "-o", "run.jsonl", "-q")


@pytest.mark.model
def test_engines_that_compute_something_else_are_not_compared(cli, models):
    both = f"torch={models}/encoder.pt,openvino={models}/other.xml"
    profile(cli, "-m", both, *INPUTS, "-b", "1,2", "--seq-lens", "16")
    assert records(cli, "outputs")[0]["cosine"] < 0.99
    summary = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert not summary["comparisons"]
    assert any("was not compared" in warning for warning in summary["warnings"])
    assert summary["recommendation"] and summary["other_recommendations"]
