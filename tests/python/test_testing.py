"""Assertions for test suites."""

import os
import subprocess
import sys

import pytest
from conftest import MODEL, ROOT

import batchscope as bs
from batchscope._client import turns

SLOWER = MODEL.replace("10ms", "11ms")
SIZED = f"{MODEL};memory=16MiB:1MiB"


def test_one_that_is_not_slower_passes():
    verdict = bs.assert_not_slower(MODEL.replace("10ms", "9.5ms"), MODEL, batch_sizes=[1, 4], seed=1)
    assert not verdict.slower


def test_one_that_is_slower_fails_with_the_answer():
    with pytest.raises(AssertionError, match="2ms,11ms is slower than .*[Tt]he margin is 3 %") as raised:
        bs.assert_not_slower(SLOWER, MODEL, batch_sizes=[1, 4], seed=1)
    assert not isinstance(raised.value, bs.Undecided)


def test_what_cannot_be_reported_is_undecided():
    unknown = {"batch_sizes": [1], "blocks": 3, "margin": 0.02, "seed": 1}
    with pytest.raises(bs.Undecided, match="Cannot tell whether"):
        bs.assert_not_slower(MODEL.replace("10ms", "10.2ms"), MODEL, **unknown)
    assert bs.assert_not_slower(MODEL.replace("10ms", "10.2ms"), MODEL, allow_inconclusive=True, **unknown).undecided


def test_a_batch_that_fits_passes():
    assert bs.assert_fits(SIZED, 4, 256 << 20, soak_time=0.1).safe_batch_size == 4


@pytest.mark.parametrize("model, words", [(SIZED, "batch 64 does not fit: .*the largest size that fits"),
                                          (f"{MODEL};memory=1GiB:1MiB", "batch 64 does not fit: No batch size fits")])
def test_a_batch_that_does_not_fit_fails_with_the_answer(model, words):
    with pytest.raises(AssertionError, match=words):
        bs.assert_fits(model, 64, "64MiB", soak_time=0.1)


def test_an_error_stays_an_error():
    with pytest.raises(bs.InputError):
        bs.assert_fits("x.pt", 4)
    with pytest.raises(bs.InputError):
        bs.assert_not_slower("x.pt", "y.pt")


def test_measurements_take_turns(monkeypatch):
    """Whoever measures holds the lock, so that another cannot get it without waiting."""
    held = []

    def measure(*arguments, **keywords):
        with turns.held(turns.lock_path(), waits=False) as is_free:
            held.append(not is_free)
        raise bs.MeasurementError("enough")

    monkeypatch.setattr("batchscope._client.verbs.compare", measure)
    monkeypatch.setattr("batchscope._client.verbs.max_batch", measure)
    for call in (lambda: bs.assert_not_slower(MODEL, MODEL), lambda: bs.assert_fits(MODEL, 1)):
        with pytest.raises(bs.MeasurementError, match="enough"):
            call()
    assert held == [True, True]
    with turns.held(turns.lock_path(), waits=False) as is_free:
        assert is_free


def test_the_lock_is_the_users_where_there_is_no_folder_for_it(monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/nowhere")
    assert turns.lock_path() == f"/tmp/batchscope-{os.getuid()}.lock"


def test_no_link_is_followed_to_the_lock(tmp_path):
    (tmp_path / "batchscope.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError):
        with turns.turn():
            pass
    assert not (tmp_path / "precious").exists()


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_the_example_passes(workers, tmp_path):
    if workers:
        pytest.importorskip("xdist")
    words = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", *workers]
    done = subprocess.run([*words, ROOT / "examples/python/test_speed.py"], capture_output=True, text=True,
                          cwd=tmp_path,
                          env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")})
    assert "2 passed" in done.stdout, done.stdout + done.stderr
