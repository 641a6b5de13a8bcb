"""Scalars of a watched training in Weights & Biases and MLflow, read from their own offline stores."""

import json
import logging
import struct
import sys
import types

import pytest

import native  # noqa: F401 - skips where the module is not built

import batchscope as bs
from batchscope._monitoring import training
from batchscope._monitoring.trackers import Trackers


@pytest.fixture(autouse=True)
def every_step(monkeypatch):
    monkeypatch.setattr(training, "Trackers", lambda: Trackers(interval=0.0))


def train(steps, after_step=lambda step: None):
    with bs.TrainingMonitor(quiet=True) as monitor:
        for step in range(steps):
            monitor.log_step(step, loss=float(step), learning_rate=0.5, batch_size=8, seconds=0.1, loading_seconds=0.025)
            after_step(step)


def rows_of(path):
    """Of a .wandb file, which is a log of LevelDB's: blocks of 32 KiB, records with a checksum, a length and a kind."""
    from wandb.proto import wandb_internal_pb2

    data, at, text, rows = path.read_bytes(), 7, b"", []
    while at + 7 <= len(data):
        if 32768 - at % 32768 < 7:
            at += 32768 - at % 32768
            continue
        length, kind = struct.unpack_from("<HB", data, at + 4)
        text, at = text + data[at + 7:at + 7 + length], at + 7 + length
        if kind in (1, 4):
            record = wandb_internal_pb2.Record()
            record.ParseFromString(text)
            text = b""
            if record.WhichOneof("record_type") == "history":
                rows.append({each.key or each.nested_key[0]: json.loads(each.value_json) for each in record.history.item})
    return rows


def test_wandb_has_means_in_the_rows_that_the_program_logs(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    run = wandb.init(project="p", mode="offline", dir=tmp_path, settings=wandb.Settings(console="off", x_disable_stats=True))
    try:
        train(10, lambda step: run.log({"mine": step}, step=step) if step % 5 == 4 else None)
    finally:
        run.finish()
        wandb.teardown()
    rows = rows_of(next(tmp_path.glob("wandb/offline-run-*/*.wandb")))
    assert [row["_step"] for row in rows] == [0, 4, 9]
    assert [row.get("mine") for row in rows] == [None, 4, 9]
    assert [row.get("training/loss") for row in rows] == [2, 7, None]
    assert rows[1]["training/step"] == 9 and rows[1]["training/samples_per_second"] == pytest.approx(80)
    assert rows[1]["training/loading_seconds"] == pytest.approx(0.025)


def test_mlflow_has_every_interval(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"file:{tmp_path}/mlruns")
    with mlflow.start_run() as run:
        train(4)
    client = mlflow.MlflowClient()
    history = {name: [(each.step, each.value) for each in client.get_metric_history(run.info.run_id, f"training/{name}")]
               for name in ("loss", "learning_rate", "step_seconds")}
    assert sorted(history["loss"]) == [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)]
    assert sorted(history["learning_rate"]) == [(step, 0.5) for step in range(4)]
    assert [value for _, value in history["step_seconds"]] == pytest.approx([0.1] * 4)


def test_a_tracker_that_fails_is_left_out_and_training_goes_on(monkeypatch, caplog):
    def fail():
        raise OSError("no server")

    sent = []
    monkeypatch.setitem(sys.modules, "mlflow", types.SimpleNamespace(active_run=fail))
    monkeypatch.setitem(sys.modules, "wandb", types.SimpleNamespace(run=types.SimpleNamespace(
        id=1, step=0, log=lambda values, commit: sent.append((values["training/loss"], commit)))))
    with caplog.at_level(logging.WARNING, "batchscope"):
        train(3)
    assert [each.message for each in caplog.records] == ["mlflow gets no more values: no server"]
    assert sent == [(0.0, False), (0.5, False), (1.0, False)]
