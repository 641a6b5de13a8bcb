"""`batchscope trace --compare`: what changed, and what cannot be told."""

import json

import pytest
from kineto import LOADER, Kineto, loader_bound


def compared(cli, *arguments):
    return json.loads(cli.run("trace", "--compare", *arguments, "--format", "json").stdout)


def steps_of(lengths, **how):
    """Steps of these microseconds, each one kernel but for 10 us."""
    trace = Kineto(**how)
    at = 0
    for number, length in enumerate(lengths):
        trace.host("user_annotation", f"ProfilerStep#{number}", at, length)
        trace.kernel("gemm", at + 2, at + 10, length - 10)
        at += length
    return trace


def host_steps(lengths, loading):
    """Without a device: each step loads, then adds."""
    trace = Kineto()
    at = 0
    for number, length in enumerate(lengths):
        trace.host("user_annotation", f"ProfilerStep#{number}", at, length)
        trace.host("user_annotation", LOADER, at, length * loading)
        trace.host("cpu_op", "aten::add_", at + length * loading, length * (1 - loading) / 2)
        at += length
    document = trace.document()
    document["deviceProperties"] = []
    trace.document = lambda: document
    return trace


def test_a_long_last_step_does_not_hide_the_change(cli, tmp_path):
    before = steps_of([150_000] * 6).write(tmp_path / "before.json")
    after = steps_of([120_000] * 5 + [204_000]).write(tmp_path / "after.json.gz")
    document = compared(cli, before, after)
    assert document["wall"] == {"name": "wall", "before_ns": 150e6, "after_ns": 120e6, "difference_ns": -30e6}
    assert document["steps_shorter"] == 5
    assert document["message"].startswith("A step takes 20 % less: 120 ms instead of 150 ms")
    assert sum(part["after_ns"] for part in document["parts"]) == pytest.approx(120e6)


def test_traces_of_the_host_alone(cli, tmp_path):
    before = host_steps([53_000, 55_000, 124_000, 66_000, 68_000, 57_000], 0.8).write(tmp_path / "before.json")
    after = host_steps([14_000, 16_000, 26_000, 5_000, 18_000, 35_000], 0.5).write(tmp_path / "after.json")
    document = compared(cli, before, after)
    assert document["of_host"] and document["by_step"]
    assert document["wall"]["before_ns"] == 67e6 and document["wall"]["after_ns"] == 17e6
    parts = {part["name"]: part for part in document["parts"]}
    assert parts["loading"]["before_ns"] == pytest.approx(0.8 * 67e6)
    assert parts["loading"]["after_ns"] == pytest.approx(0.5 * 17e6)
    assert {"aten::add_", LOADER} <= {each["name"] for each in document["operators"]}
    assert document["kernels"] == []
    text = cli.run("trace", "--compare", before, after).stdout
    assert "75 % less" in text and "aten::add_" in text
    cli.run("trace", "--compare", before, after, "-o", tmp_path / "change.html")
    assert "Operators and calls" in (tmp_path / "change.html").read_text()


def test_other_devices_and_versions_are_stated_first(cli, tmp_path):
    old = steps_of([800] * 6, device="Tesla V100", capability=(7, 0), cuda_driver_version=12040)
    new = steps_of([400] * 6, device="NVIDIA H100", capability=(9, 0), cuda_driver_version=12090)
    document = compared(cli, old.write(tmp_path / "v100.json"), new.write(tmp_path / "h100.json"))
    assert document["differences"] == ["Tesla V100 before, NVIDIA H100 after", "CUDA driver 12.4 before, 12.9 after"]
    assert document["message"].startswith("The recordings differ in more than the program: Tesla V100 before")
    assert compared(cli, tmp_path / "v100.json", tmp_path / "v100.json")["differences"] == []


def test_several_recordings_a_side_give_an_interval(cli, tmp_path):
    before = [steps_of([length] * 5).write(tmp_path / f"before{length}.json") for length in (1000, 1040, 960)]
    after = [steps_of([length] * 5).write(tmp_path / f"after{length}.json") for length in (800, 830, 780)]
    document = compared(cli, *before, "--against", *after)
    assert (document["recordings_before"], document["recordings_after"]) == (3, 3)
    assert document["interval"]["low"] < -0.2 < document["interval"]["high"] < -0.1
    assert document["wall"]["before_ns"] == pytest.approx(1e6)
    same = compared(cli, *before, "--against", *before)
    assert "no significant difference" in same["message"]
    assert "needs --compare" in cli.run("trace", before[0], "--against", after[0], check=2).stderr


def test_folders_of_ranks_are_sides(cli, tmp_path):
    for side, length in (("before", 1000), ("after", 500)):
        (tmp_path / side).mkdir()
        for rank in range(2):
            steps_of([length] * 5, rank=rank).write(tmp_path / side / f"rank{rank}.json")
    document = compared(cli, tmp_path / "before", tmp_path / "after")
    assert (document["recordings_before"], document["recordings_after"]) == (1, 1)
    assert document["wall"]["difference_ns"] == pytest.approx(-0.5e6)


def test_only_what_both_sides_recorded_is_gone(cli, tmp_path):
    before = loader_bound().write(tmp_path / "before.json")
    after = loader_bound(loading=0)
    assert compared(cli, before, after.write(tmp_path / "after.json"))["predictions"]
    after.events = [event for event in after.events if event["cat"] in ("kernel", "cuda_runtime")]
    document = compared(cli, before, after.write(tmp_path / "blind.json"))
    assert document["predictions"] == []
