"""bs.trace(): what a recorded trace says, and its tables."""

import json

import batchscope as bs
import pytest


def kernels_of(rank=None, *, idle):
    """Two steps of a kernel of 100 us each, before which the host loads for `idle` us."""
    events = []
    for step in range(2):
        begin = step * (idle + 100)
        host = {"ph": "X", "pid": 10, "tid": 10}
        events += [
            {**host, "cat": "user_annotation", "name": f"ProfilerStep#{step}", "ts": begin, "dur": idle + 100},
            {**host, "cat": "user_annotation", "name": "enumerate(DataLoader)#_Iter.__next__", "ts": begin, "dur": idle - 10},
            {**host, "cat": "cpu_op", "name": "aten::mm", "ts": begin + idle - 8, "dur": 7, "args": {"Input type": ["float"]}},
            {**host, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": begin + idle - 6, "dur": 4,
             "args": {"correlation": step + 1}},
            {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": begin + idle, "dur": 100,
             "args": {"device": 0, "stream": 7, "correlation": step + 1}},
        ]
    document = {"schemaVersion": 1, "traceEvents": events}
    if rank is not None:
        document["distributedInfo"] = {"rank": rank, "world_size": 2}
    return json.dumps(document)


@pytest.fixture
def loading(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(kernels_of(idle=300))
    return path


def test_the_answer_and_what_would_change_it(loading):
    found = bs.trace(loading)
    assert str(found) == found.message and "waits for data" in found.message
    assert found.devices[0]["wall_ns"] == 800_000 and found.devices[0]["compute_ns"] == 200_000
    assert sum(found.devices[0]["idle"].values()) == found.devices[0]["idle_ns"] == 600_000
    assert found.findings[0].id == "trace.data-loading" and found.findings[0].severity == "high"
    assert [step["step"] for step in found.steps] == [0, 1]


def test_tables(loading):
    found = bs.trace(loading)
    steps = found.to_pandas()
    assert list(steps["wall_ns"]) == [400_000, 400_000] and set(steps["device"]) == {0}
    assert (steps["compute_ns"] + steps["memcpy_ns"] + steps["communication_ns"] + steps["idle_ns"] == steps["wall_ns"]).all()
    assert list(found.to_pandas("devices")["idle_data_loading_ns"]) == [found.devices[0]["idle"]["data_loading_ns"]]
    kernels = found.to_pandas("kernels")
    assert list(kernels["name"]) == ["gemm"] and list(kernels["calls"]) == [2]
    assert "aten::mm" in set(found.to_pandas("operators")["name"])
    assert list(found.to_pandas("gaps")["cause"]) == ["data_loading"] * 2
    assert list(found.to_pandas("places")["call"]) == ["enumerate(DataLoader)#_Iter.__next__"]
    assert found.to_pandas("memory").empty
    with pytest.raises(bs.UsageError, match="no table 'kernel'"):
        found.to_pandas("kernel")


def test_everything_that_was_recorded(loading):
    activities = bs.trace(loading).to_pandas("activities")
    kernels = activities[activities["kind"] == "kernel"]
    assert list(kernels["start_ns"]) == [300_000, 700_000] and list(kernels["duration_ns"]) == [100_000, 100_000]
    assert set(kernels["name"]) == {"gemm"} and set(kernels["stream"]) == {7}
    assert len(activities) == 10 and "rank" not in activities


def test_ranks(tmp_path):
    for rank in (0, 1):
        (tmp_path / f"{rank}.json").write_text(kernels_of(rank, idle=100 + 200 * rank))
    found = bs.trace(tmp_path / "0.json", tmp_path / "1.json")
    assert [device["rank"] for device in found.devices] == [0, 1]
    assert set(found.to_pandas("activities")["rank"]) == {0, 1}
    assert list(found.to_pandas("devices")["idle_ns"]) == [200_000, 600_000]


def test_ranges_that_are_named_are_the_steps(loading):
    assert len(bs.trace(loading, step="aten::mm").steps) == 2


def test_what_is_no_trace(tmp_path):
    (tmp_path / "x.json").write_text("hello")
    with pytest.raises(bs.InputError, match="neither JSON nor SQLite"):
        bs.trace(tmp_path / "x.json")
    with pytest.raises(bs.UsageError, match="needs a file"):
        bs.trace()
