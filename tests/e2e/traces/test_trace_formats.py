"""`batchscope trace` on what others than torch.profiler and nsys write: read, or named with what makes a readable file."""

import gzip
import io
import json
import os
import shutil
import sqlite3
import tarfile

import pytest
from kineto import Kineto, healthy, loader_bound


def reported(cli, *arguments, **options):
    return json.loads(cli.run("trace", *arguments, "--format", "json", **options).stdout)


def refusal(cli, path):
    """What is said of a file that cannot be read."""
    return cli.run("trace", path, check=3).stderr


def xla(steps=6):
    """A trace of XLA's exporter: steps of 20 ms, half of it on the device, and the {} behind the last event."""
    lanes = {("/device:GPU:0", 1): {13: "Stream #13(compute)", 14: "Stream #14(MemcpyH2D)", 1: "XLA Modules", 2: "XLA Ops"},
             ("/host:CPU", 701): {9: "python"}}
    events = []
    for (process, pid), threads in lanes.items():
        events.append({"ph": "M", "pid": pid, "name": "process_name", "args": {"name": process}})
        for tid, name in threads.items():
            events.append({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": name}})
    for step in range(steps):
        at = 20_000 * step
        events += [
            {"ph": "X", "pid": 701, "tid": 9, "ts": at, "dur": 9_000, "name": "PjitFunction(step)"},
            {"ph": "X", "pid": 1, "tid": 1, "ts": at, "dur": 10_000, "name": "jit_step(1)"},
            {"ph": "X", "pid": 1, "tid": 13, "ts": at, "dur": 10_000, "name": "gemm", "args": {"correlation_id": str(step)}},
            {"ph": "X", "pid": 1, "tid": 2, "ts": at, "dur": 10_000, "name": "fusion"},
        ]
    return {"displayTimeUnit": "ns", "traceEvents": [*events, {}]}


def cpu_steps(steps=6):
    """Steps of 100 ms on the host: 80 of loading, 15 of an operator."""
    trace = Kineto()
    for step in range(steps):
        at = 100_000 * step
        trace.host("user_annotation", f"ProfilerStep#{step}", at, 100_000)
        trace.host("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, 80_000)
        trace.host("cpu_op", "aten::stack", at + 1_000, 50_000)
        for part in range(3):
            trace.host("cpu_op", "aten::addmm", at + 80_000 + 5_000 * part, 5_000)
    return trace


def test_streams_of_xla_are_a_device(cli, tmp_path):
    (tmp_path / "host.trace.json.gz").write_bytes(gzip.compress(json.dumps(xla()).encode()))
    document = reported(cli, "host.trace.json.gz")
    (device,) = document["devices"]
    assert (device["id"], device["activities"], device["compute_ns"]) == (0, 6, 60_000_000)
    assert document["read"]["skipped"] == 0
    assert document["read"]["profiler"].startswith("XLA")


def test_the_host_without_a_device(cli, tmp_path):
    document = reported(cli, cpu_steps().write(tmp_path / "cpu.json"))
    host = document["host"]
    assert host["wall_ns"] == 600_000_000
    assert host["parts"]["loading_ns"] == 480_000_000
    assert host["parts"]["forward_ns"] == 90_000_000
    assert host["parts"]["nothing_ns"] == 30_000_000
    assert [step["wall_ns"] for step in host["steps"]] == [100_000_000] * 6
    first = document["findings"][0]
    assert (first["id"], first["severity"]) == ("trace.host-loading", "high")
    assert first["gain"]["low"] <= 0.8 <= first["gain"]["high"]
    assert "num_workers" in first["fix"]
    assert "80 %" in cli.run("trace", "cpu.json").stdout.splitlines()[0]


def test_onnx_runtimes_profile_is_called_so(cli, tmp_path):
    events = [{"cat": "Session", "pid": 5, "tid": 5, "dur": 400, "ts": 1, "ph": "X", "name": "session_initialization", "args": {}}]
    for run in range(20):
        at = 1_000 + 300 * run
        events += [{"cat": "Session", "pid": 5, "tid": 5, "dur": 200, "ts": at, "ph": "X", "name": "model_run", "args": {}},
                   {"cat": "Node", "pid": 5, "tid": 5, "dur": 150, "ts": at + 10, "ph": "X", "name": "MatMul_1_kernel_time",
                    "args": {"op_name": "MatMul", "provider": "CPUExecutionProvider"}}]
    (tmp_path / "onnxruntime_profile.json").write_text(json.dumps(events))
    document = reported(cli, "onnxruntime_profile.json")
    assert document["message"].startswith("This ONNX Runtime profile")
    assert document["host"]["steps_named"] == "model_run"
    assert len(document["host"]["steps"]) == 20


def test_a_step_of_the_host_that_is_far_longer_is_named(cli, tmp_path):
    trace = Kineto()
    for step in range(20):
        at = 10_000 * step + (90_000 if step > 13 else 0)
        length = 100_000 if step == 13 else 10_000
        trace.host("user_annotation", f"ProfilerStep#{step}", at, length)
        trace.host("cpu_op", "aten::mm", at, length)
    (finding,) = [each for each in reported(cli, trace.write(tmp_path / "cpu.json"))["findings"]
                  if each["id"] == "trace.host-long-steps"]
    assert finding["message"].endswith("step 13")
    assert finding["evidence"][0]["value"] == pytest.approx(90 / 290, abs=1e-3)


def test_what_cannot_be_read_is_named_with_a_command(cli, tmp_path):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("rank0.json"))
    files = {"a.ncu-rep": (b"NVR\x00", "ncu --import"), "a.xplane.pb": (b"\x0a\x05", "xspace_to_tool_data"),
             "a.pickle": (b"\x80\x04\x95", "_memory_viz"), "a.zip": (b"PK\x03\x04", "unzip"),
             "a.tar.gz": (content.getvalue(), "tar -xf"), "unnamed": (content.getvalue(), "tar -xf"),
             "memory_timeline.raw.json.gz": (gzip.compress(b"[[1, 0, [64, 0]]]"), "export_chrome_trace"),
             "et.json": (b'{"schema": "1.1.1-chakra.0.0.4", "nodes": []}', "export_chrome_trace")}
    for name, (data, command) in files.items():
        (tmp_path / name).write_bytes(data)
        printed = refusal(cli, name)
        assert command in printed and name in printed, printed


def test_a_folder_passes_nothing_over_in_silence(cli, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    healthy().write(folder / "trace.json")
    (folder / "a.ncu-rep").write_bytes(b"NVR\x00")
    (folder / "a.xplane.pb").write_bytes(b"\x0a\x05")
    (folder / "train.py").write_text("print()\n")
    printed = cli.run("trace", "folder").stderr
    assert "a.ncu-rep" in printed and "xspace_to_tool_data" in printed
    assert "train.py" not in printed
    (folder / "trace.json").unlink()
    assert "a.ncu-rep" in refusal(cli, "folder")


def test_the_only_folder_in_a_folder_is_read(cli, tmp_path):
    (tmp_path / "unpacked" / "run").mkdir(parents=True)
    healthy().write(tmp_path / "unpacked" / "run" / "trace.json")
    assert len(json.loads(cli.run("trace", "unpacked", "--format", "json").stdout)["devices"]) == 1
    (tmp_path / "unpacked" / "other").mkdir()
    assert "holds no trace" in refusal(cli, "unpacked")


def test_what_the_exporter_left_beside_is_read_in_its_place(cli, tmp_path):
    folder = tmp_path / "plugins" / "profile" / "2026_01_02"
    folder.mkdir(parents=True)
    (folder / "host.trace.json.gz").write_bytes(gzip.compress(json.dumps(xla()).encode()))
    (folder / "host.xplane.pb").write_bytes(b"\x0a\x05")
    run = cli.run("trace", ".", "--format", "json")
    assert len(json.loads(run.stdout)["devices"]) == 1
    assert "holds the same" in run.stderr


def test_profiles_of_one_worker_are_cycles_not_ranks(cli, tmp_path):
    folder = tmp_path / "log"
    folder.mkdir()
    loader_bound().write(folder / "host_7.1700000000001.pt.trace.json")
    healthy().write(folder / "host_7.1700000009999.pt.trace.json")
    run = cli.run("trace", "log", "--format", "json")
    document = json.loads(run.stdout)
    assert document["source"].endswith("1700000009999.pt.trace.json")
    assert "profile 1 of 2" in run.stderr
    loader_bound(rank=1).write(folder / "host_8.1700000000003.pt.trace.json")
    assert len(reported(cli, "log")["ranks"]) == 2


def fake_nsys(folder, export):
    """A program nsys that "exports" by a copy of a file that is there."""
    folder.mkdir()
    program = folder / "nsys"
    program.write_text(f'#!/bin/sh\nfor each in "$@"; do case "$each" in --output=*) out="${{each#--output=}}";; esac; done\n'
                       f'cp "{export}" "$out"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def test_a_report_of_nsight_systems_names_the_export(cli, tmp_path):
    (tmp_path / "run.nsys-rep").write_bytes(b"\x00\x01")
    if shutil.which("nsys") is None:
        assert "nsys export --type=sqlite --output=run.sqlite run.nsys-rep" in refusal(cli, "run.nsys-rep")


def test_where_nsys_is_there_it_converts_its_report(cli, tmp_path, monkeypatch):
    with sqlite3.connect(tmp_path / "export") as export:
        export.executescript("""
            CREATE TABLE StringIds (id INTEGER, value TEXT);
            INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'cudaLaunchKernel_v7000');
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
                streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
            INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 5000, 0, 1, 7, 3, 0, 1, 1);""")
    (tmp_path / "run.nsys-rep").write_bytes(b"\x00\x01")
    environment = fake_nsys(tmp_path / "bin", tmp_path / "export")
    monkeypatch.setenv("PATH", environment["PATH"])
    document = reported(cli, "run.nsys-rep")
    assert document["source"] == "run.nsys-rep"
    assert document["devices"][0]["compute_ns"] == 4000
