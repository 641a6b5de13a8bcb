"""The table that started the project, through import and analyze: every figure by its definition."""

import csv
import io
import json

import pytest

SEED = "batch,latency_ms\n1,50.30\n2,140.09\n4,175.25\n8,504.16\n"


@pytest.fixture
def run_file(cli):
    (cli.folder / "seed.csv").write_text(SEED)
    cli.run("import", "seed.csv", "-o", "seed.jsonl", "--model", "distilbert")
    return "seed.jsonl"


@pytest.fixture
def rows(cli, run_file):
    table = csv.DictReader(io.StringIO(cli.run("analyze", run_file, "--format", "csv").stdout))
    return {int(row["batch_size"]): row for row in table}


@pytest.mark.parametrize(
    "column, figures",
    {
        "time_ms": {1: 50.30, 2: 140.09, 4: 175.25, 8: 504.16},
        "per_sample_ms": {1: 50.30, 2: 70.045, 4: 43.8125, 8: 63.02},
        "expected_ms": {1: 50.30, 2: 100.60, 4: 201.20, 8: 402.40},
    }.items(),
)
def test_times_are_exact(rows, column, figures):
    assert {size: float(rows[size][column]) for size in figures} == pytest.approx(figures, rel=1e-9)


@pytest.mark.parametrize(
    "column, size, figure",
    [
        ("efficiency", 1, 1.00),
        ("efficiency", 2, 0.72),
        ("efficiency", 4, 1.15),
        ("efficiency", 8, 0.80),
        ("jump_ratio", 8, 1.44),
        ("relative_slowdown", 2, 1.39),
    ],
)
def test_ratios(rows, column, size, figure):
    assert round(float(rows[size][column]), 2) == figure


def test_the_csv_has_the_columns_of_the_contract(cli, run_file):
    header = cli.run("analyze", run_file, "--format", "csv").stdout.splitlines()[0]
    assert header == (
        "model,batch_size,seq_len,precision,device,threads,instances,mode,engine,time_ms,time_ci_low_ms,"
        "time_ci_high_ms,per_sample_ms,per_sample_ci_low_ms,per_sample_ci_high_ms,expected_ms,efficiency,"
        "efficiency_ci_low,efficiency_ci_high,relative_slowdown,jump_ratio,jump_ci_low,jump_ci_high,"
        "throughput_per_s,throughput_ci_low,throughput_ci_high,n,n_iterations,verdict"
    )


def test_without_repeats_nothing_is_proven(cli, run_file):
    document = json.loads(cli.run("analyze", run_file, "--format", "json").stdout)
    assert {finding["status"] for finding in document["findings"]} <= {"suspect"}
    suspects = {size for finding in document["findings"] for size in finding["where"].get("batch_sizes", [])}
    assert {2, 8} <= suspects
    assert document["recommendation"]["batch_size"] == 4
    assert document["recommendation"]["verified"] is False


def test_the_words_say_what_a_reader_needs(cli, run_file):
    text = cli.run("analyze", run_file, "--details").stdout
    assert "no repeats" in text.lower()
    assert "39 %" in text and "Suspected" in text
    assert "Proven:" not in text and ", proven" not in text


@pytest.mark.parametrize("name", ["nexus_titanx_vgg16", "nexus_titanx_yolo9000"])
def test_public_tables_are_read_as_they_are(cli, shared, name):
    cli.run("import", shared / "profiles" / f"{name}.txt", "-o", "public.jsonl")
    rows = list(csv.DictReader(io.StringIO(cli.run("analyze", "public.jsonl", "--format", "csv").stdout)))
    assert len(rows) == {"nexus_titanx_vgg16": 174, "nexus_titanx_yolo9000": 24}[name]
    if name == "nexus_titanx_vgg16":
        assert float(rows[0]["time_ms"]) == pytest.approx(6.2774)


def test_import_tells_what_it_passed_over(cli):
    (cli.folder / "odd.csv").write_text("title\nbatch,time_ms,colour\n1,10,red\nx,11,blue\n")
    done = cli.run("import", "odd.csv")
    assert "line 4" in done.stderr
    assert (cli.folder / "odd.jsonl").exists()


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", "batch,latency\n1,2\n", "\x00\x01\x02", "batch,time_ms\n"])
def test_a_table_that_is_none_is_refused_with_a_fix(cli, content):
    (cli.folder / "bad.csv").write_text(content)
    done = cli.run("import", "bad.csv", check=3)
    assert "bad.csv" in done.stderr and "batch" in done.stderr


def test_what_a_table_does_not_state_is_not_made_up(cli, run_file):
    text = cli.run("analyze", run_file).stdout
    assert "precision, device and threads not stated" in text and "fp32" not in text and "cpu" not in text
    row = next(csv.DictReader(io.StringIO(cli.run("analyze", run_file, "--format", "csv").stdout)))
    assert (row["precision"], row["device"], row["threads"]) == ("", "", "")
    cli.run("report", run_file, "-o", "seed.md")
    assert "not stated" in (cli.folder / "seed.md").read_text()


def test_a_spread_over_repeats_gives_intervals_and_no_proof(cli):
    rows = "".join(f"{size},{10 * size},1.5,30\n" for size in (1, 2, 4, 8)) + "3,60,1.5,30\n"
    (cli.folder / "told.csv").write_text("batch,latency_ms,std_ms,repeats\n" + rows)
    done = cli.run("import", "told.csv")
    assert "may be too narrow" in done.stderr
    document = json.loads(cli.run("analyze", "told.jsonl", "--format", "json").stdout)
    table = list(csv.DictReader(io.StringIO(cli.run("analyze", "told.jsonl", "--format", "csv").stdout)))
    assert all(float(row["time_ci_low_ms"]) < float(row["time_ms"]) < float(row["time_ci_high_ms"]) for row in table)
    assert {finding["status"] for finding in document["findings"]} <= {"suspect"}
    assert any("not independent" in warning for warning in document["warnings"])


@pytest.mark.parametrize(
    "text, flags",
    [
        ("1: 50.30\n2: 140.09\n4: 175.25\n8: 504.16\n", []),
        ("batch 1: 0.0503 s\nbatch 2: 0.14009 s\nbatch 4: 0.17525 s\nbatch 8: 0.50416 s\n", []),
        ("1: 50.30 ms\n2: 0.14009\n4: 175250us\n8: 0.50416\n", ["--unit", "s"]),
        ("batch,latency\n1,0.0503\n2,0.14009\n4,0.17525\n8,0.50416\n", ["--unit", "s"]),
        ("1: 50300\n2: 140090\n4: 175250\n8: 504160\n", ["--unit", "us"]),
        ("batch\tlatency_ms\n1\t50.30\n2\t140.09\n4\t175.25\n8\t504.16\n", []),
        ("batch;latency_ms\n1;50,30\n2;140,09\n4;175,25\n8;504,16\n", []),
    ],
)
def test_tables_are_read_as_scripts_and_spreadsheets_write_them(cli, text, flags):
    (cli.folder / "times.txt").write_text(text)
    cli.run("import", "times.txt", *flags)
    rows = csv.DictReader(io.StringIO(cli.run("analyze", "times.jsonl", "--format", "csv").stdout))
    assert [float(row["time_ms"]) for row in rows] == pytest.approx([50.30, 140.09, 175.25, 504.16])


def test_the_spread_of_a_throughput_is_evidence_too(cli):
    rows = "".join(f"{size},100,15,30\n" for size in (1, 2, 4, 8))
    (cli.folder / "rates.csv").write_text("batch,throughput_per_s,std_per_s,repeats\n" + rows)
    assert "may be too narrow" in cli.run("import", "rates.csv").stderr
    table = list(csv.DictReader(io.StringIO(cli.run("analyze", "rates.jsonl", "--format", "csv").stdout)))
    assert all(float(row["time_ci_low_ms"]) < float(row["time_ms"]) < float(row["time_ci_high_ms"]) for row in table)


def test_times_of_which_only_some_have_a_unit_are_refused(cli):
    (cli.folder / "times.txt").write_text("1: 50.30 ms\n2: 0.14\n")
    refused = cli.run("import", "times.txt", check=3)
    assert "times.txt:2" in refused.stderr and "--unit" in refused.stderr


def test_names_are_no_formulas_in_a_spreadsheet(cli):
    (cli.folder / "t.csv").write_text('model,batch,latency_ms\n"=1+1",1,10\n"=1+1",2,19\n')
    cli.run("import", "t.csv")
    rows = list(csv.DictReader(io.StringIO(cli.run("analyze", "t.jsonl", "--format", "csv").stdout)))
    assert rows[0]["model"] == "'=1+1" and float(rows[1]["jump_ratio"]) == pytest.approx(0.95)
