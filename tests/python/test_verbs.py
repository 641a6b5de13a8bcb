"""The verbs, on engines of stated laws."""

import json
import os
import threading

import pytest
from conftest import MODEL

import batchscope as bs

ANOMALY = f"{MODEL};anomaly=4:1.25"
FEW = {"blocks": 6, "threads": 2, "seed": 1, "progress": False}


@pytest.fixture
def run(tmp_path):
    return bs.profile(ANOMALY, batch_sizes=[1, 2, 3, 4, 6, 8], output=tmp_path / "run.jsonl", **FEW)


def test_a_profile_is_a_run_file_and_its_analysis(run, tmp_path):
    assert run.path == str(tmp_path / "run.jsonl")
    assert not run.partial
    analysis = run.analyze()
    assert analysis.recommendation.batch_size == 6
    assert analysis.recommendation.setting["threads"] == 2
    assert [config.batch_size for config in analysis.configs] == [1, 2, 3, 4, 6, 8]
    time = analysis.configs[0].time_ms
    assert time.low < 12 < time.high
    assert analysis.findings[0].id == "scaling.departure"
    assert analysis.findings[0].where["batch_size"] == 4
    assert json.loads(analysis.to_json()) == analysis.raw
    assert analysis.exit_code == 0


def test_the_text_of_an_analysis_is_the_answer(run, cli):
    printed_text = cli.run("analyze", run.path, "--brief", "-q").stdout
    # What is proposed is a call here, and a command there.
    shown, printed = str(run.analyze()), printed_text.rstrip().split("\n")
    assert " ".join(shown.split("\n")[:-1]).split() == " ".join(printed[:-1]).split()
    assert shown.split("\n")[-1].strip().startswith("bs.profile(")
    assert str(run) == str(run.analyze().answer)


def test_keywords_of_analyze_are_its_flags(run):
    analysis = run.analyze(latency_budget=0.03)
    assert analysis.recommendation.batch_size == 2
    assert run.analyze().recommendation.batch_size == 6


def test_a_gate_that_fails_is_a_result(run):
    analysis = run.analyze(fail_on="low")
    assert analysis.exit_code == 5
    assert analysis.gates[0]["outcome"] == "failed"


def test_several_models_are_interleaved_and_compared():
    slower = MODEL.replace("10ms", "11ms")
    comparison, *_ = bs.profile([MODEL, slower], batch_sizes=[1, 8], **FEW).analyze().comparisons
    assert (comparison.base, comparison.other) == (MODEL, slower)
    assert comparison.ratio.low < comparison.ratio.value < comparison.ratio.high
    assert str(comparison) == comparison.message


def test_other_runs_are_compared_with_this_one(run, tmp_path):
    other = bs.profile(ANOMALY, batch_sizes=[1, 2], **FEW)
    assert run.analyze(other).comparisons


def test_a_run_without_an_output_is_gone_with_its_object():
    run = bs.profile(MODEL, batch_sizes=1, **FEW)
    path = run.path
    assert os.path.exists(path)
    kept = run.keep("kept.jsonl")
    del run
    assert not os.path.exists(path)
    assert not os.path.exists(os.path.dirname(path))
    assert kept.analyze().configs
    with pytest.raises(bs.UsageError, match="kept.jsonl: the file exists already"):
        kept.keep("kept.jsonl")


def test_a_temporary_file_lives_as_long_as_a_result_that_has_the_run():
    verdict = bs.compare(MODEL, MODEL.replace("10ms", "11ms"), batch_sizes=[1, 4], threads=1, progress=False)
    assert verdict.slower and not verdict.undecided
    assert verdict.run.analyze().comparisons
    assert "is slower than" in str(verdict)


def test_runs_are_compared_as_well(run):
    slower = bs.profile(MODEL.replace("10ms", "20ms"), batch_sizes=[1, 2], **FEW)
    verdict = bs.compare(bs.profile(MODEL, batch_sizes=[1, 2], **FEW), slower)
    assert verdict.undecided  # a single run each
    assert verdict.run is None
    assert bs.compare(run, slower.path).undecided
    with pytest.raises(bs.UsageError, match="appears twice"):
        bs.compare(run, run)
    with pytest.raises(bs.UsageError, match="two models, or two runs"):
        bs.compare(run, print)


def test_an_output_that_exists_is_a_usage_error_and_stays(run):
    before = open(run.path).read()
    with pytest.raises(bs.UsageError, match="run.jsonl: the file exists already") as raised:
        bs.profile(MODEL, batch_sizes=1, output=run.path, **FEW)
    assert raised.value.run is None
    assert open(run.path).read() == before
    assert len(bs.profile(MODEL, batch_sizes=1, output=run.path, overwrite=True, **FEW).analyze().configs) == 1


@pytest.mark.parametrize("keywords, kind, words", [
    ({"model": "nosuch"}, bs.UsageError, "-m: 'nosuch' is neither"),
    ({"model": "x.pt"}, bs.InputError, "x.pt: no such model file"),
    ({"model": MODEL, "budget": "60 parsecs"}, bs.UsageError, "--budget: '60 parsecs' has an unknown unit"),
    ({"model": MODEL, "batch_sizes": [0]}, bs.UsageError, "--batch-sizes: '0' is not a positive integer"),
    ({"model": None}, bs.UsageError, "model"),
])
def test_errors_have_the_words_of_the_program(keywords, kind, words):
    with pytest.raises(kind, match=words):
        bs.profile(**keywords, progress=False)


def test_an_error_that_is_raised_is_not_printed_as_well(capfd):
    with pytest.raises(bs.InputError):
        bs.profile("x.pt")
    assert "error:" not in capfd.readouterr().err


def test_strict_is_an_error_that_has_the_run():
    with pytest.raises(bs.MeasurementError) as raised:
        bs.profile(MODEL, batch_sizes=[1, 2], budget=10, target=1e-4, strict=True, progress=False, threads=1)
    assert raised.value.run.analyze().configs


def test_a_dry_run_measures_nothing():
    preview = bs.profile(MODEL, batch_sizes=[1, 2], blocks=3, dry_run=True)
    assert preview.visits == 6
    assert preview.likely_s > 0



@pytest.fixture
def here(monkeypatch):
    """What is measured in this process: a list of (models, path, keywords); `raises` makes it fail."""

    class Here(list):
        raises = None
        leaves_a_file = True

        def profile(self, models, path, keywords):
            self.append((models, path, keywords))
            if self.leaves_a_file:
                open(path, "w").close()
            if self.raises:
                raise self.raises

    found = Here()
    monkeypatch.setattr("batchscope._client.isolation.profile", found.profile)
    return found


def test_isolation_none_of_an_object_measures_in_this_process(here):
    def model():
        pass

    run = bs.profile(model, isolation="none", batch_sizes=[1, 2])
    ((models, path, keywords),) = here
    assert (models, path, keywords["batch_sizes"]) == ([model], run.path, [1, 2])


def test_interrupted_in_this_process_the_file_is_kept(here):
    here.raises = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt) as stop:
        bs.profile(lambda: None, isolation="none")
    path = stop.value.run.path
    assert os.path.exists(path)
    os.unlink(path)
    os.rmdir(os.path.dirname(path))


def test_an_error_in_this_process_leaves_nothing(here):
    here.raises, here.leaves_a_file = bs.UsageError("no"), False
    with pytest.raises(bs.UsageError):
        bs.profile(lambda: None, isolation="none")
    assert not os.path.exists(os.path.dirname(here[0][1]))


def test_isolation_none_of_a_named_model_is_the_programs(tmp_path):
    assert bs.profile(MODEL, batch_sizes=1, isolation="none", **FEW).analyze().configs


def test_load_reads_a_run_file(run):
    assert bs.load(run.path).analyze().raw == run.analyze().raw


def test_load_refuses_what_is_none(tmp_path):
    with pytest.raises(bs.InputError, match="cannot read the file: No such file"):
        bs.load("nosuch.jsonl")
    (tmp_path / "text.jsonl").write_text("hello\n")
    with pytest.raises(bs.InputError, match="text.jsonl"):
        bs.load("text.jsonl")


def test_a_torn_run_is_partial(run, tmp_path):
    lines = open(run.path).read().splitlines(keepends=True)
    (tmp_path / "torn.jsonl").write_text("".join(lines[:-1])[:-10])
    torn = bs.load("torn.jsonl")
    assert torn.partial
    assert "interrupted" in repr(torn)
    assert not bs.profile(output="torn.jsonl", resume=True, progress=False).partial


def test_a_report_is_written(run, tmp_path):
    assert run.report("x.html") == str(tmp_path / "x.html")
    assert "<html" in (tmp_path / "x.html").read_text()
    with pytest.raises(bs.UsageError, match="exists already"):
        run.report("x.html")
    run.report("x.html", overwrite=True)


def test_tune_finds_a_setting():
    tuning = bs.tune(MODEL, batch_sizes=[1, 2], threads=1, instances=1, seed=1, progress=False)
    assert tuning.setting["batch_size"] == 2
    assert tuning.recommendation.verified
    assert tuning.feasible
    assert str(tuning).startswith("Use batch 2")
    assert json.loads(tuning.to_json())["goal"]["objective"] == "throughput"
    assert tuning.run.analyze().raw["tunings"]


def test_bounds_that_nothing_keeps_are_an_error_that_has_the_run():
    with pytest.raises(bs.MeasurementError, match="no measured setting meets the bounds") as raised:
        bs.tune(MODEL, batch_sizes=[1, 2], threads=1, instances=1, latency_budget=0.001, progress=False)
    assert raised.value.run.analyze().raw["tunings"]


def test_tune_says_where_the_rest_is():
    with pytest.raises(bs.UsageError, match=r"use bs.max_batch\(\)"):
        bs.tune(MODEL, max_batch_only=True)
    with pytest.raises(bs.UsageError, match="export='yaml=FILE'"):
        bs.tune(MODEL, export="yaml")


def test_the_largest_batch():
    found = bs.max_batch(f"{MODEL};memory=16MiB:1MiB", max_batch_size=4, memory_limit="256MiB", soak_time=0.1, margin=0,
                         ceilings="ceilings.jsonl", progress=False)
    assert (found.max_batch_size, found.safe_batch_size, int(found)) == (4, 4, 4)
    assert found.bounded_by == "max-batch-size"
    assert found.complete
    assert found.limit_bytes == 256 << 20


def test_plan_simulates_over_a_run(run):
    plan = bs.plan(run, rate=20, p99=0.5)
    assert plan.feasible
    assert plan.settings["max_batch"] == 1
    assert plan.p99_ms < 500
    assert str(plan).startswith("Use take-all")
    with pytest.raises(bs.MeasurementError, match="impossible"):
        bs.plan(run.path, rate=40, p99=0.001)
    with pytest.raises(bs.UsageError, match="no keyword .output."):
        bs.plan(run, output="plan.json")


def test_doctor_has_checks():
    found = bs.doctor()
    cpu = next(check for check in found.checks if check.name == "cpu")
    assert cpu.value in str(found)
    assert all(check.status not in ("ok", "info") for check in found.problems)


def test_threads_measure_as_well():
    found = []
    worker = threading.Thread(target=lambda: found.append(bs.profile(MODEL, batch_sizes=1, **FEW)))
    worker.start()
    worker.join()
    assert found[0].analyze().configs


def test_pandas_is_asked_for_where_it_is_missing(run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(bs.UsageError, match="pip install pandas"):
        run.analyze().to_pandas()


def test_a_data_frame_has_a_row_a_setting(run, monkeypatch):
    class Pandas:
        DataFrame = staticmethod(list)

    monkeypatch.setitem(__import__("sys").modules, "pandas", Pandas)
    rows = run.analyze().to_pandas()
    assert [row["batch_size"] for row in rows] == [1, 2, 3, 4, 6, 8]
    assert "memory.peak_rss_bytes" in rows[0]
    assert not any(isinstance(value, (dict, list)) for value in rows[0].values())
