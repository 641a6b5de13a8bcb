"""A setting that is measured once, whoever asks."""

import json
import os
import pathlib
import sys

import pytest
from conftest import MODEL

import batchscope as bs
from batchscope._client import identity

KEYWORDS = {"batch_sizes": [1, 2], "threads": 1, "instances": 1, "seed": 1, "progress": False}

# Says that it measures, and goes on until it is ended.
NEVER_ENDS = """
    print("measuring", file=sys.stderr, flush=True)
    signal.pause()
"""

TUNES = f"""
    import batchscope as bs
    keywords = {{**{KEYWORDS!r}, "progress": True}}
    setting = bs.autotune({MODEL!r}, cache="cache", **keywords)
    print(setting.source, setting.batch_size)
"""


@pytest.fixture
def tune(tmp_path):
    def call(model=MODEL, **more):
        return bs.autotune(model, **{"cache": tmp_path / "cache", **KEYWORDS, **more})

    return call


def entry(tmp_path):
    (path,) = (tmp_path / "cache").glob("*.json")
    return path


def no_program(monkeypatch, fake):
    """Whoever measures now fails."""
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("tune", "print('error: measured again', file=sys.stderr); "
                                                          "sys.exit(1)"))


def test_it_is_measured_once(tune, monkeypatch, fake):
    measured = tune()
    assert (measured.source, measured.batch_size, measured.threads, measured.verified) == ("measured", 2, 1, True)
    assert str(measured).startswith("Use batch 2") and "Next:" not in str(measured)
    no_program(monkeypatch, fake)
    again = tune()
    assert again.source == "cache"
    assert again.batch_size == 2 and again.answer == measured.answer


# 10 ms and 1 ms a sample: 1024 is the best, and a visit of it takes 20 s.
FEW = {"model": "synthetic:affine:10ms,1ms;warmup=0", "batch_sizes": [1, 4, 16, 64, 256, 1024]}


def kept(tmp_path):
    return list((tmp_path / "cache").glob("*.json"))


@pytest.mark.parametrize("budget", [1, 5, 15, 30, 60, 200, 1000])
def test_what_the_budget_ended_is_neither_kept_nor_called_verified(tune, tmp_path, budget):
    setting = tune(**FEW, budget=budget)
    assert setting.complete == (setting.end_reason != "budget") == bool(kept(tmp_path))
    assert 0 < setting.points_measured <= setting.points_total == 6
    assert setting.complete == (budget >= 200)
    assert setting.complete or not setting.verified
    reported = f"{setting.points_measured} of 6 settings measured"
    assert (reported in " ".join(str(setting).split())) != setting.complete
    assert tune(**FEW, budget=budget).source == ("cache" if setting.complete else "measured")


def test_the_next_call_goes_on_until_the_search_is_over(tune, tmp_path):
    settings = [tune(**FEW, budget=30)]
    visits = []
    while not settings[-1].complete:
        assert len(settings) < 60
        (run,) = (tmp_path / "cache").glob("*.jsonl")
        visits.append(run.read_text())
        settings.append(tune(**FEW, budget=30))
    assert len(settings) > 2
    for before, after in zip(visits, visits[1:]):
        assert after.startswith(before) and after.count('"type":"visit"') > before.count('"type":"visit"')
    measured = [setting.points_measured for setting in settings]
    assert measured == sorted(measured) and settings[0].batch_size < 1024
    assert settings[-1].batch_size == 1024 and settings[-1].verified
    assert tune(**FEW, budget=30).source == "cache"
    assert not list((tmp_path / "cache").glob("*.jsonl")), "once it is over the run is not needed"


# By their laws the best are 32 and 1024, with both instances.
SURFACES = [("synthetic:table:1=10.7ms,2=14ms,4=22ms,8=200ms,16=210ms,32=70ms", [1, 2, 4, 8, 16, 32], 6, 914),
            ("synthetic:affine:21ms,2ms", [1, 4, 16, 64, 256, 1024], 30, 990)]


@pytest.mark.parametrize("model, sizes, budget, best", SURFACES)
def test_what_is_kept_is_the_pick_of_a_search_that_was_over(tune, tmp_path, model, sizes, budget, best):
    for _ in range(60):
        setting = tune(model=model, batch_sizes=sizes, budget=budget, instances=None)
        if setting.complete:
            break
        assert not setting.verified and not kept(tmp_path)
    assert setting.complete and setting.points_total == 12
    assert setting.points_measured >= 8 and setting.throughput_per_s > 0.95 * best
    assert kept(tmp_path)


@pytest.mark.parametrize("change", [lambda text: "rubbish\n", lambda text: text.replace('"host":"', '"host":"other-', 1)])
def test_a_search_that_cannot_be_gone_on_with_is_begun_anew(tune, tmp_path, change):
    tune(**FEW, budget=15)
    (run,) = (tmp_path / "cache").glob("*.jsonl")
    begun = run.read_text()
    assert change(begun) != begun
    run.write_text(change(begun))
    assert tune(**FEW, budget=15).source == "measured"
    assert run.read_text().count('"type":"end"') == 1


def test_a_pickle_leaves_no_folder_behind(tune, tmp_path):
    import tempfile

    def slow():
        pass

    for _ in range(2):
        with pytest.raises(bs.Error):  # it makes no model
            tune(slow, budget=15)
    assert not list(pathlib.Path(tempfile.gettempdir()).glob("batchscope-*"))


@pytest.mark.parametrize("change", [{"batch_sizes": [1]}, {"budget": 20}, {"model": MODEL.replace("10ms", "9ms")},
                                    {"latency_budget": 1}])
def test_what_is_asked_for_is_in_its_key(tune, change):
    tune()
    assert tune(**change).source == "measured"
    assert tune().source == "cache"


@pytest.mark.parametrize("part", ["machine", "versions"])
def test_what_it_ran_on_is_in_its_key(tune, monkeypatch, part):
    tune()
    monkeypatch.setattr(identity, part, lambda *_: {"another": 1})
    assert tune().source == "measured"


def test_the_content_of_a_file_is_in_its_key(tmp_path, monkeypatch):
    def key(name):
        return identity.model(name, lambda: str(tmp_path))

    (tmp_path / "net_to_hash.py").write_text("def factory(): pass\n")
    (tmp_path / "a.xml").write_text("a")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("net_to_hash.py:factory", "net_to_hash:factory", "a.xml", "torch=b.pt,openvino=a.xml",
                 "python=net_to_hash.py:factory,torch=b.pt"):
        before = key(name)
        assert before["files"], name
        assert key(name) == before
        (tmp_path / "net_to_hash.py").write_text(f"def factory(): return {name!r}\n")
        (tmp_path / "a.bin").write_text(name)
        assert key(name) != before


def test_a_module_is_found_where_a_visit_finds_it(tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("def factory(): pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [each for each in sys.path if each not in ("", str(tmp_path))])
    assert identity.model("only_here:factory", None)["files"]


def test_a_folder_in_the_home_is_in_its_key(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "net").mkdir()
    (tmp_path / "net/config.json").write_text("{}")
    before = identity.model("hf:~/net", None)
    (tmp_path / "net/config.json").write_text('{"a": 1}')
    assert identity.model("hf:~/net", None) != before


def test_the_versions_are_those_of_the_interpreter_that_measures(tmp_path):
    assert identity.versions(sys.executable) == identity.versions()
    assert identity.versions(str(tmp_path / "none")) != identity.versions()


def test_a_pickle_is_known_by_its_content(tmp_path):
    def key(value):
        folder = tmp_path / str(len(os.listdir(tmp_path)))
        folder.mkdir()
        return identity.model(lambda: value, lambda: str(folder))

    assert key(1) == key(1)
    assert key(1) != key(2)


@pytest.mark.parametrize("garbage", ["", "{", "[]", "null", '{"setting": {}}', "\0" * 100])
def test_garbage_in_the_cache_is_replaced(tune, tmp_path, garbage):
    tune()
    entry(tmp_path).write_text(garbage)
    assert tune().source == "measured"
    assert tune().source == "cache"


def test_a_setting_without_a_batch_size_is_garbage(tune, tmp_path):
    tune()
    found = json.loads(entry(tmp_path).read_text())
    found["setting"]["batch_size"] = "many"
    entry(tmp_path).write_text(json.dumps(found))
    assert tune().source == "measured"


def test_a_file_of_another_key_is_garbage(tune, tmp_path):
    tune()
    found = json.loads(entry(tmp_path).read_text())
    found["facts"]["machine"] = "another"
    entry(tmp_path).write_text(json.dumps(found))
    assert tune().source == "measured"


def test_a_torn_file_is_never_there(tune, tmp_path):
    tune()
    assert sorted(path.suffix for path in (tmp_path / "cache").iterdir()) == [".json", ".lock"]


def test_where_nothing_can_be_written_it_is_measured_each_time(tune, tmp_path):
    (tmp_path / "file").write_text("")
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="file/cache: unusable as a cache: .*Not a directory.*cache="):
            assert tune(cache=tmp_path / "file/cache").source == "measured"


def test_a_disk_that_is_full_costs_the_cache_only(tune, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(RuntimeWarning, match="No space left"):
        assert tune().source == "measured"


def measuring(process):
    assert next(line for line in process.stderr if line == "measuring\n")


def test_while_another_measures_a_default_is_taken_at_once(tune, fake, script):
    other = script(TUNES, BATCHSCOPE_PROGRAM=fake("tune", NEVER_ENDS))
    measuring(other)
    setting = tune(default=8)
    assert (setting.source, setting.batch_size, setting.threads) == ("default", 8, None)
    assert tune(default={"batch_size": 4, "threads": 2}).threads == 2


def test_one_that_is_killed_in_the_middle_holds_nobody_up(tune, fake, script):
    killed = script(TUNES, BATCHSCOPE_PROGRAM=fake("tune", NEVER_ENDS))
    measuring(killed)
    waiting = script(TUNES)
    killed.kill()
    killed.wait()
    printed, errors = waiting.communicate()
    assert printed == "measured 2\n", errors
    assert tune().source == "cache"


def test_of_several_at_once_one_measures(script):
    printed = sorted(process.communicate()[0] for process in [script(TUNES) for _ in range(3)])
    assert printed == ["cache 2\n", "cache 2\n", "measured 2\n"]


def test_a_default_has_to_be_a_setting(tune):
    for wrong in ({"threads": 2}, 0, "8"):
        with pytest.raises(bs.UsageError, match=r"autotune\(\): default is not a setting"):
            tune(default=wrong)
    with pytest.raises(bs.UsageError, match="waiting=False needs a default"):
        tune(waiting=False)


def test_an_unknown_keyword_is_found_before_anything_is_measured(tune):
    with pytest.raises(bs.UsageError, match=r"autotune\(\) has no keyword 'batchsizes'"):
        tune(batchsizes=[1])


def test_a_source_that_fails_is_not_kept(tune, monkeypatch, fake, tmp_path):
    no_program(monkeypatch, fake)
    with pytest.raises(bs.MeasurementError, match="measured again"):
        tune()
    assert not list(pathlib.Path(tmp_path / "cache").glob("*.json"))
