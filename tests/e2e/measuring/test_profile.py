"""profile on the synthetic engine: real processes, virtual or real time, known truth."""

import json
import re

import pytest

from conftest import read_lines

QUIET = "synthetic:affine:2ms,1ms;process_sd=0.002;visit_sd=0.002;iteration_sd=0.001"


def of_type(records, kind):
    return [record for record in records if record["type"] == kind]


def test_a_run_is_complete_and_in_random_order(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2,4,8", "--blocks", "6", "--seed", "3", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert records[0]["type"] == "header" and records[-1]["type"] == "end"
    assert [c["batch_size"] for c in of_type(records, "config")] == [1, 2, 4, 8]
    visits = of_type(records, "visit")
    assert sorted((v["block"], v["config"]) for v in visits) == [(b, c) for b in range(6) for c in range(4)]
    orders = [tuple(v["config"] for v in visits if v["block"] == block) for block in range(6)]
    assert len(set(orders)) > 1
    assert all(len(v["samples_ns"]) >= 3 and all(isinstance(t, int) for t in v["samples_ns"]) for v in visits)


def test_the_same_seed_gives_the_same_order_and_another_one_another(cli):
    def order(seed, name):
        cli.run("profile", "-m", QUIET, "-b", "1-6", "--blocks", "4", "--seed", seed, "-o", name)
        return [(v["block"], v["config"]) for v in of_type(read_lines(cli.folder / name), "visit")]

    first = order(1, "a.jsonl")
    assert first == order(1, "b.jsonl")
    assert first != order(2, "c.jsonl")


@pytest.mark.parametrize("grammar, sizes", [("1-4", [1, 2, 3, 4]), ("1-16*2", [1, 2, 4, 8, 16]), ("8-24+8", [8, 16, 24])])
def test_ranges(cli, grammar, sizes):
    plan = json.loads(cli.run("profile", "-m", QUIET, "-b", grammar, "--dry-run", "--format", "json").stdout)
    assert [config["batch_size"] for config in plan["configs"]] == sizes


def test_a_dry_run_measures_and_writes_nothing(cli):
    done = cli.run("profile", "-m", QUIET, "-b", "1,2", "--dry-run", "-o", "run.jsonl")
    assert "estimated time" in done.stdout
    assert list(cli.folder.iterdir()) == []


def test_models_are_interleaved_within_blocks(cli):
    slower = QUIET.replace("1ms", "2ms")
    cli.run("profile", "-m", QUIET, "-m", slower, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert len(of_type(records, "config")) == 4
    for block in range(6):
        assert sorted(v["config"] for v in of_type(records, "visit") if v["block"] == block) == [0, 1, 2, 3]
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert len(document["groups"]) == 2


def test_standard_output_holds_results_only(cli):
    done = cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl", "--format", "json")
    document = json.loads(done.stdout)
    assert document["run_file"] == "run.jsonl"
    assert [config["n"] for config in document["configs"]] == [6, 6]
    quiet = cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "-o", "b.jsonl", "-q")
    assert quiet.stderr == ""


@pytest.mark.parametrize(
    "trouble, kind, words",
    [
        ("oom_above=3", "out-of-memory", "memory"),
        ("throw_at=4", "error", ""),
        ("crash_at=4", "crash", "SIGSEGV"),
        ("hang_at=4", "timeout", ""),
    ],
)
@pytest.mark.parametrize("isolation", ["config", "block"])
def test_a_size_that_fails_costs_itself_only(cli, trouble, kind, words, isolation):
    cli.run("profile", "-m", f"{QUIET};{trouble}", "-b", "1,2,4", "--blocks", "4", "--timeout", "2s",
            "--isolation", isolation, "-o", "run.jsonl")  # fmt: skip
    records = read_lines(cli.folder / "run.jsonl")
    events = [e for e in of_type(records, "event") if e["kind"] == kind]
    assert events and all(e["config"] == 2 for e in events)
    assert words in events[0]["message"]
    measured = [v["config"] for v in of_type(records, "visit")]
    assert measured.count(0) == measured.count(1) == 4 and measured.count(2) == 0
    text = cli.run("analyze", "run.jsonl").stdout
    assert kind in text or kind.replace("-", " ") in text


@pytest.mark.parametrize("verb", [["profile", "-b", "1"], ["tune", "-b", "1", "--instances", "1"]])
def test_what_fails_when_it_is_called_is_one_error_and_no_run(cli, verb):
    done = cli.run(*verb, "-m", f"{QUIET};throw_at=1", "-o", "run.jsonl", check=3)
    assert "failed at batch size 1" in done.stderr and "throw_at" in done.stderr
    assert list(cli.folder.glob("*.jsonl")) == []


def test_what_fails_at_the_smallest_size_alone_is_measured_at_the_others(cli):
    cli.run("profile", "-b", "1,2", "-m", f"{QUIET};throw_at=1", "--blocks", "4", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert [v["config"] for v in of_type(records, "visit")] == [1] * 4
    assert {e["config"] for e in of_type(records, "event") if e["kind"] == "error"} == {0}


def test_when_nothing_can_be_measured_it_failed(cli):
    done = cli.run("profile", "-m", f"{QUIET};oom_above=0", "-b", "1,2", "--blocks", "4", "-o", "run.jsonl", check=1)
    assert "no configuration succeeded" in done.stderr


def test_a_memory_limit_is_real(cli):
    law = f"{QUIET};allocate=64MiB"
    cli.run("profile", "-m", law, "-b", "1,8", "--blocks", "4", "--memory-limit", "300MiB", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert records[0]["plan"]["memory_limit_kind"]
    assert {e["config"] for e in of_type(records, "event") if e["kind"] == "out-of-memory"} == {1}
    assert [v["config"] for v in of_type(records, "visit")] == [0] * 4


def test_isolation_none_claims_less(cli):
    law = QUIET + ";anomaly=4:1.5"
    cli.run("profile", "-m", law, "-b", "1,2,3,4,6,8", "--blocks", "12", "--isolation", "none", "-o", "run.jsonl")
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert {finding["status"] for finding in document["findings"]} <= {"suspect"}


def test_sync_end_is_recorded(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "--sync", "end", "-o", "run.jsonl")
    assert read_lines(cli.folder / "run.jsonl")[0]["plan"]["sync"] == "end"


def test_a_planted_anomaly_is_proven_where_it_is_and_nowhere_else(cli):
    law = "synthetic:affine:2ms,10ms;process_sd=0.005;visit_sd=0.005;anomaly=4:1.25"
    cli.run("profile", "-m", law, "-b", "1,2,3,4,6,8", "--blocks", "12", "--seed", "1", "-o", "run.jsonl")
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    proven = [finding for finding in document["findings"] if finding["status"] == "proven"]
    assert proven
    assert {size for finding in proven for size in finding["where"]["batch_sizes"]} == {4}
    cli.run("analyze", "run.jsonl", "--fail-on", "medium", check=5)
    cli.run("analyze", "run.jsonl", "--fail-on", "high", check=0 if all(f["severity"] != "high" for f in proven) else 5)


def test_a_regression_gate(cli):
    slower = QUIET.replace("1ms", "1.2ms")
    cli.run("profile", "-m", QUIET, "-m", slower, "-b", "4,8", "--blocks", "12", "--seed", "1", "-o", "run.jsonl")
    cli.run("analyze", "run.jsonl", "--fail-on-regression", "3%", check=5)
    cli.run("analyze", "run.jsonl", "--fail-on-regression", "50%", check=0)


def test_two_files_are_compared_as_independent_samples(cli):
    for name, seed in (("a.jsonl", 1), ("b.jsonl", 77)):
        cli.run("profile", "-m", QUIET, "-b", "4,8", "--blocks", "8", "--seed", seed, "-o", name)
    document = json.loads(cli.run("analyze", "a.jsonl", "b.jsonl", "--format", "json").stdout)
    assert {c["test"] for c in document["comparisons"]} == {"welch"}
    assert not any(c["significant"] for c in document["comparisons"])


def test_a_config_file_holds_any_flag(cli):
    (cli.folder / "sweep.toml").write_text(f'model = "{QUIET}"\nbatch-sizes = "1,2"\nblocks = 4\noutput = "run.jsonl"\n')
    cli.run("profile", "--config", "sweep.toml")
    assert len(of_type(read_lines(cli.folder / "run.jsonl"), "visit")) == 8


def test_charts(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2,4", "--blocks", "6", "-o", "run.jsonl")
    cli.run("analyze", "run.jsonl", "--charts")
    charts = cli.folder / "run_charts"
    names = {path.stem for path in charts.iterdir()}
    assert {"forward_pass_time", "forward_pass_efficiency", "forward_time_per_sample", "relative_slowdown",
            "forward_pass_boxplot", "throughput"} <= names  # fmt: skip
    assert all((charts / f"{name}.svg").read_text().startswith("<svg ") for name in names)
    cli.run("analyze", "run.jsonl", "--charts=elsewhere", "--format", "md", "-o", "report.md")
    assert "elsewhere/forward_pass_time" in (cli.folder / "report.md").read_text()


def test_what_was_not_measured_has_no_figures(cli):
    law = f"{QUIET};oom_above=1"
    text = cli.run("profile", "-m", law, "-b", "1,2", "--blocks", "2", "-o", "a.jsonl").stdout
    assert "not measured: out-of-memory" in text and "inf" not in text and "[" not in text
    document = json.loads(cli.run("profile", "-m", law, "-b", "1,2", "--blocks", "2", "-o", "b.jsonl", "--format", "json").stdout)
    assert [config["time_ms"] is None for config in document["configs"]] == [False, True]


def test_p95_and_p99_are_always_reported_and_marked_where_nothing_supports_for_them(cli):
    law = "synthetic:affine:5ms,2ms;iteration_sd=0.05;visit_sd=0.01"
    few = ["profile", "-m", law, "-b", "1,2", "--blocks", "2", "--iterations", "5", "--seed", "1", "-q"]
    text = cli.run(*few, "-o", "few.jsonl").stdout
    rows = [line for line in text.splitlines() if "samples/s, n=" in line]
    assert len(rows) == 2 and all(re.search(r" ms.*, p95 ~[\d.]+ ms, p99 ~[\d.]+ ms, [\d.]+ ms per sample, ", row) for row in rows)
    assert "~: too few samples to be reliable" in text
    document = json.loads(cli.run(*few, "-o", "again.jsonl", "--format", "json").stdout)
    for config in document["configs"]:
        assert config["time_ms"]["value"] < config["p95_ms"]["value"] <= config["p99_ms"]["value"]
        assert "ci_low" not in config["p95_ms"] and "ci_low" not in config["p99_ms"]
    many = ["profile", "-m", law, "-b", "1", "--blocks", "12", "--iterations", "200", "--seed", "1", "-q", "-o", "many.jsonl"]
    reported = json.loads(cli.run(*many, "--format", "json").stdout)["configs"][0]["p95_ms"]
    assert reported["ci_low"] <= reported["value"] <= reported["ci_high"]


def test_resuming_what_is_complete_or_contradicts_or_was_not_begun(cli):
    arguments = ["-m", QUIET, "-b", "1,2", "--blocks", "4", "--seed", "3"]
    path = cli.folder / "run.jsonl"
    path.write_text('{"type":"head')
    cli.run("profile", *arguments, "--resume", "-o", "run.jsonl")
    full = path.read_bytes()
    assert "complete" in cli.run("profile", *arguments, "--resume", "-o", "run.jsonl").stderr
    for flag, value in (("--blocks", 5), ("--seed", 4), ("--iterations", 9), ("--warmup", 2), ("--isolation", "none"),
                        ("--sync", "end"), ("--min-visit-time", "3s"), ("--memory-limit", "1GiB"), ("--target", "5%"),
                        ("--budget", "77s"), ("--timeout", "7s"), ("--controls", "auto")):  # fmt: skip
        done = cli.run("profile", "--resume", flag, value, "-o", "run.jsonl", check=2)
        assert flag in done.stderr and str(value)[0] in done.stderr
    assert path.read_bytes() == full
    path.write_text("")
    cli.run("profile", *arguments, "--resume", "-o", "run.jsonl")
    assert of_type(read_lines(path), "end")


def test_diagnosis_confirms_a_cause_and_verifies_the_recommendation(cli):
    law = "synthetic:affine:5ms,2ms;visit_sd=0.01;heap_returned=8:1.1"
    text = cli.run("profile", "-m", law, "-b", "1,2,4,8", "--blocks", "12", "--seed", "2", "--diagnose", "-o", "run.jsonl").stdout
    assert "GLIBC_TUNABLES" not in text and text.count("n=12") == 4
    purposes = {record.get("purpose", "measure") for record in read_lines(cli.folder / "run.jsonl") if record["type"] == "visit"}
    assert purposes == {"measure", "diagnostic", "intervention", "verify"}
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    cause = [finding for finding in document["findings"] if finding["id"] == "cause.heap-returned"]
    assert [finding["status"] for finding in cause] == ["confirmed"]
    assert cause[0]["gain"]["low"] < 1 - 1 / 1.1 < cause[0]["gain"]["high"]
    assert cause[0]["fix"].startswith("export GLIBC_TUNABLES=")
    assert document["recommendation"]["verified"] and document["recommendation"]["fresh_visits"] == 12
    assert [row["n"] for row in document["configs"]] == [12] * 4


def test_a_resumed_run_is_diagnosed_as_it_was_begun(cli):
    law = "synthetic:affine:5ms,2ms;visit_sd=0.01;heap_returned=8:1.1"
    arguments = ["-m", law, "-b", "1,8", "--blocks", "12", "--seed", "2", "--diagnose", "-o", "run.jsonl"]
    cli.run("profile", *arguments)
    path = cli.folder / "run.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:10]))
    cli.run("profile", "--resume", "-o", "run.jsonl")
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert "confirmed" in {finding["status"] for finding in document["findings"]}


def test_a_resumed_run_tries_only_what_it_was_to_try(cli):
    law = "synthetic:affine:5ms,2ms;visit_sd=0.01;heap_returned=8:1.1"
    cli.run("profile", "-m", law, "-b", "1,8", "--blocks", "12", "--seed", "2", "--diagnose", "--verify", "off",
            "--verify-causes", "off", "-o", "run.jsonl")
    path = cli.folder / "run.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:10]))
    other = cli.run("profile", "--resume", "--verify", "auto", "-o", "run.jsonl", check=2)
    assert "--verify" in other.stderr and "began with off" in other.stderr
    cli.run("profile", "--resume", "-o", "run.jsonl")
    purposes = {record.get("purpose", "measure") for record in read_lines(path) if record["type"] == "visit"}
    assert purposes == {"measure", "diagnostic"}


def test_the_smallest_size_is_verified_against_a_latency_budget(cli):
    cli.run("profile", "-m", "synthetic:affine:5ms,2ms;visit_sd=0.005", "-b", "1,2,4", "--blocks", "12", "--seed", "2",
            "--latency-budget", "8ms", "--diagnose", "-o", "run.jsonl")
    pick = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)["recommendation"]
    assert (pick["batch_size"], pick["verified"], pick["fresh_visits"]) == (1, True, 12)


@pytest.mark.parametrize("purpose", ["diagnostic", "intervention", "verify"])
def test_a_resumed_run_goes_on_with_the_stage_it_was_in(cli, purpose):
    law = "synthetic:affine:5ms,2ms;visit_sd=0.01;heap_returned=8:1.1"
    cli.run("profile", "-m", law, "-b", "1,8", "--blocks", "12", "--seed", "2", "--diagnose", "-o", "run.jsonl")
    path = cli.folder / "run.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    begun = next(i for i, line in enumerate(lines) if f'"purpose":"{purpose}"' in line)
    path.write_text("".join(lines[: begun + 1]))
    cli.run("profile", "--resume", "-o", "run.jsonl")
    visits = [record for record in read_lines(path) if record["type"] == "visit"]
    # The block that was cut short stays, and whole ones make up the number.
    for each, wanted in (("diagnostic", 2), ("intervention", 12), ("verify", 12)):
        blocks = {visit["block"] for visit in visits if visit["purpose"] == each}
        assert len(blocks) == wanted + (each == purpose), each
    assert read_lines(path)[-1]["type"] == "end"


def test_what_diagnose_adds_keeps_to_its_budget(cli):
    run = ["profile", "--engine", "synthetic", "-m", "affine:2ms,10ms;heap_returned=8:1.25;visit_sd=0.015", "-b", "1,2,4,8",
           "--blocks", "12", "--seed", "1"]
    cli.run(*run, "-o", "plain.jsonl")
    cli.run(*run, "--diagnose", "--diagnose-budget", "60s", "-o", "why.jsonl")
    cli.run(*run, "--diagnose", "-o", "free.jsonl")

    def wall(name):
        return read_lines(cli.folder / name)[-1]["wall_s"]

    assert wall("plain.jsonl") + 10 < wall("why.jsonl") <= wall("plain.jsonl") + 60
    assert wall("free.jsonl") > wall("plain.jsonl") + 60
    assert "--diagnose" in cli.run(*run, "--diagnose-budget", "60s", "-o", "x.jsonl", check=2).stderr
