"""Objects of this process, measured in fresh ones."""

import os
import shutil

import pytest

import batchscope as bs
from batchscope._client import carry

pytest.importorskip("batchscope._core", reason="the package's extension module is not built here")

SHORT = {"blocks": 2, "iterations": 4, "warmup": 1, "threads": 1, "progress": False}


def of_width(width):
    def work(batch_size):
        def run():
            return sum(range(width * batch_size))

        return run

    return work


def names_of(analysis):
    return {config.model for config in analysis.configs}


def test_a_closure_is_measured_in_fresh_processes(tmp_path):
    pids = tmp_path / "pids"

    def work(batch_size):
        with open(pids, "a") as file:
            print(os.getpid(), file=file)
        return lambda: sum(range(1000 * batch_size))

    analysis = bs.profile(work, batch_sizes=[1, 2], **SHORT).analyze()
    assert [config.batch_size for config in analysis.configs] == [1, 2]
    assert names_of(analysis) == {"work"}
    assert len(set(pids.read_text().split()) - {str(os.getpid())}) >= 4


def test_closures_of_one_name_are_two_models():
    analysis = bs.profile([of_width(1000), of_width(2000)], batch_sizes=[1], **SHORT).analyze()
    assert names_of(analysis) == {"work", "work_2"}


def test_old_and_new_of_one_name_are_distinguished():
    verdict = bs.compare(of_width(1000), of_width(500_000), batch_sizes=[1], blocks=6, iterations=12, threads=1,
                         progress=False)
    assert verdict.slower
    assert str(verdict).startswith("work_new is slower than work_old")


def test_a_function_of_a_module_goes_by_its_name(tmp_path, monkeypatch):
    (tmp_path / "net_of_module.py").write_text("def factory(batch_size, width=10):\n    return lambda: [0] * width * "
                                               "batch_size\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    from net_of_module import factory

    monkeypatch.chdir("/")
    analysis = bs.profile(factory, batch_sizes=1, params={"width": [10, 20]}, output=tmp_path / "run.jsonl",
                          **SHORT).analyze()
    assert names_of(analysis) == {"net_of_module:factory"}
    assert [config.setting["param"] for config in analysis.configs] == [{"width": "10"}, {"width": "20"}]


def test_a_closure_is_gone_on_with_where_its_pickle_is_gone(tmp_path):
    path = tmp_path / "run.jsonl"
    full = bs.profile(of_width(1000), batch_sizes=[1], output=path, **SHORT)
    begun = [line for line in path.read_text().splitlines() if '"type":"end"' not in line][:-1]
    (pickle,) = carry.pickles_of(path).values()
    shutil.rmtree(os.path.dirname(pickle))
    del full
    path.write_text("\n".join(begun) + "\n")
    with pytest.raises(bs.Error, match="pass the model again"):
        bs.profile(output=path, resume=True, progress=False)
    run = bs.profile(of_width(1000), output=path, resume=True, progress=False)
    assert len([line for line in open(run.path) if '"type":"visit"' in line]) == 2


def test_what_the_model_raises_is_an_error_with_its_words():
    def broken(batch_size):
        raise RuntimeError("no weights here")

    with pytest.raises(bs.Error, match="no weights here"):
        bs.profile(broken, batch_sizes=1, **SHORT)
