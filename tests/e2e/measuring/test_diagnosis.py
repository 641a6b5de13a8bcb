"""`profile --diagnose`: visits that look for causes, apart from all that is timed."""

import json

import pytest

from conftest import read_lines

SHORT = ["--blocks", "1", "--iterations", "3", "--warmup", "1", "--seed", "7", "-q", "--verify-causes", "off",
         "--verify", "off"]


def diagnoses(cli):
    visits = [each for each in read_lines(cli.folder / "run.jsonl") if each["type"] == "visit"]
    return [each for each in visits if each["purpose"] == "diagnostic"]


def analysis(cli):
    return json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)


def test_only_needs_a_diagnosis(cli):
    done = cli.run("profile", "-m", "synthetic:affine:5ms,2ms", "--only", "kernels",
                   "-o", "run.jsonl", check=2)
    assert "--diagnose" in done.stderr


def test_only_takes_parts_that_there_are(cli):
    done = cli.run("profile", "-m", "synthetic:affine:5ms,2ms", "--diagnose", "--only", "magic",
                   "-o", "run.jsonl", check=2)
    assert "kernels" in done.stderr


def test_diagnostic_visits_are_not_timed(cli):
    cli.run("profile", "-m", "synthetic:affine:5ms,2ms", "-b", "1,2", "--diagnose", *SHORT,
            "-o", "run.jsonl")
    assert len(diagnoses(cli)) == 4
    assert [row["n"] for row in analysis(cli)["configs"]] == [1, 1]


@pytest.mark.model
def test_a_model_is_seen_at_work(cli):
    cli.run("profile", "-m", "mlp", "-b", "1,2", "--threads", "1", "--diagnose", *SHORT, "-o", "run.jsonl")
    threads, traced = [[each for each in diagnoses(cli) if ("tracer" in each["diagnosis"]) == is_traced]
                       for is_traced in (False, True)]
    assert len(threads) == len(traced) == 2
    assert all(each["diagnosis"]["thread_busy_ns"] for each in threads)
    for visit in traced:
        found = visit["diagnosis"]
        assert "thread_busy_ns" not in found, "waiting threads are busy here"
        assert found["tracer"] == "kineto"
        products = [each for each in found["operations"] if each["name"] == "aten::addmm"]
        assert products and products[0]["calls"] % found["traced_iterations"] == 0
        assert sum(each["self_ns"] for each in found["operations"]) <= found["traced_ns"]
        assert found["logged_iterations"] > 0
        assert ("counters" in found) != ("counters" in found["absent"]), "counted, or said why not: never zeros"
    diagnostics = analysis(cli)["groups"][0]["diagnostics"]
    assert [size["batch_size"] for size in diagnostics["sizes"]] == [1, 2]
    assert any(row["name"] == "aten::addmm" for row in diagnostics["operations"])


@pytest.mark.model
def test_memory_alone_needs_no_tracer(cli):
    cli.run("profile", "-m", "mlp", "-b", "1", "--threads", "1", "--diagnose", "--only", "memory", *SHORT, "-o", "run.jsonl")
    (visit,) = diagnoses(cli)
    assert "operations" not in visit["diagnosis"] and "anonymous_bytes" in visit["diagnosis"]


@pytest.mark.model
def test_what_is_not_kept_is_seen_to_be_made_anew(cli, monkeypatch):
    monkeypatch.setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "0")
    cli.run("profile", "-m", "mlp", "-b", "1", "--threads", "1", "--precision", "bf16", "--diagnose", *SHORT,
            "-o", "run.jsonl")
    visit = diagnoses(cli)[-1]
    if not visit["diagnosis"]["primitives"]:
        pytest.skip("oneDNN computes no bf16 products on this processor")
    assert sum(each["created"] for each in visit["diagnosis"]["primitives"]) > 0
    found = [each for each in analysis(cli)["findings"] if each["id"] == "cause.primitive-cache"]
    assert found and found[0]["status"] == "suspected"
    assert "ONEDNN_PRIMITIVE_CACHE_CAPACITY" in found[0]["fix"]
