"""`profile --diagnose`: visits that look for causes, apart from all that is timed."""

import gzip
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


TRACED = ["profile", "-m", "mlp", "-b", "1,2", "--threads", "1", "--diagnose", "--only", "trace", *SHORT, "-o", "run.jsonl"]


def kept_traces(cli):
    return sorted(str(each.relative_to(cli.folder)) for each in cli.folder.rglob("*") if "trace" in each.name and each.is_file())


@pytest.mark.model
def test_one_trace_a_size_is_kept_beside_the_run(cli):
    cli.run(*TRACED)
    visits = diagnoses(cli)
    assert [each["diagnosis"]["tracer"] for each in visits] == ["kineto"] * 2, "a visit a size, which is traced"
    names = {each["config"]: each["diagnosis"]["trace_file"] for each in visits}
    assert names == {0: "run.traces/batch-1.config-0.trace.json.gz", 1: "run.traces/batch-2.config-1.trace.json.gz"}
    assert kept_traces(cli) == sorted(names.values())
    for visit in visits:
        found, kept = visit["diagnosis"], cli.folder / visit["diagnosis"]["trace_file"]
        assert kept.stat().st_size == found["trace_bytes"]
        events = json.loads(gzip.decompress(kept.read_bytes()))["traceEvents"]
        (calls,) = (each["calls"] for each in found["operations"] if each["name"] == "aten::addmm")
        assert sum(event["name"] == "aten::addmm" for event in events) == calls
        steps = [event for event in events if event["name"].startswith("ProfilerStep#")]
        assert len(steps) == found["traced_iterations"]
    assert "aten::addmm" in cli.run("trace", names[1], "--all").stdout


@pytest.mark.model
def test_traces_are_replaced_only_with_their_run(cli):
    cli.run(*TRACED)
    before = {name: (cli.folder / name).read_bytes() for name in kept_traces(cli)}
    cli.run(*TRACED, check=2)
    (cli.folder / "run.jsonl").unlink()
    assert "run.traces" in cli.run(*TRACED, check=2).stderr
    assert {name: (cli.folder / name).read_bytes() for name in kept_traces(cli)} == before
    cli.run(*TRACED, "--overwrite")
    assert kept_traces(cli) == sorted(before)
    assert all((cli.folder / name).read_bytes() != content for name, content in before.items())
    cli.run("profile", "--resume", "-o", "run.jsonl", "-q")
    assert len(diagnoses(cli)) == 2 and kept_traces(cli) == sorted(before)


@pytest.mark.model
def test_a_report_tells_of_the_traces(cli):
    cli.run(*TRACED)
    first, second = kept_traces(cli)
    (cli.folder / "other.json.gz").write_bytes((cli.folder / first).read_bytes())
    cli.run("report", "run.jsonl", "other.json.gz", "-o", "report.md")
    reported = (cli.folder / "report.md").read_text()
    assert "batch 1, mlp" in reported and "batch 2, mlp" in reported and "other.json.gz" in reported
    assert reported.count("The trace has no device") == 3 and "aten::addmm" in reported
    (cli.folder / first).write_bytes((cli.folder / first).read_bytes()[:2000])
    (cli.folder / second).unlink()
    cli.run("report", "run.jsonl", "-o", "damaged.md")
    reported = (cli.folder / "damaged.md").read_text()
    assert "the file is truncated" in reported and "Not shown: the file does not exist" in reported
    cli.run("report", "run.jsonl", "other.json.gz", "--redact", "-o", "redacted.md")
    assert "The trace has no device" not in (cli.folder / "redacted.md").read_text()
    assert "a report needs a run" in cli.run("report", "other.json.gz", "-o", "no.md", check=2).stderr


@pytest.mark.model
def test_a_part_without_the_trace_keeps_none(cli):
    cli.run("profile", "-m", "mlp", "-b", "1", "--threads", "1", "--diagnose", "--only", "kernels", *SHORT, "-o", "run.jsonl")
    assert not kept_traces(cli) and all("trace_file" not in each["diagnosis"] for each in diagnoses(cli))


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
