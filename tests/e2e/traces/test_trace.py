"""`batchscope trace`: files in, where the device's time went out."""

import csv
import gzip
import io
import json
import subprocess

import pytest
from kineto import LOADER, Kineto, healthy, loader_bound

IDLE = ("data_loading_ns", "synchronisation_ns", "launch_ns", "host_ns", "device_ns", "unknown_ns")


def reported(cli, *arguments):
    return json.loads(cli.run("trace", *arguments, "--format", "json").stdout)


def ids(document):
    return [finding["id"] for finding in document["findings"]]


def check_sums(parts):
    assert parts["idle_ns"] == sum(parts["idle"][name] for name in IDLE)
    assert parts["wall_ns"] == sum(parts[name] for name in ("compute_ns", "memcpy_ns", "communication_ns", "idle_ns"))


def test_a_loader_that_is_too_slow(cli, tmp_path):
    document = reported(cli, loader_bound().write(tmp_path / "trace.json.gz"))
    device = document["devices"][0]
    check_sums(device)
    assert device["compute_ns"] == 6 * 400_000
    assert device["wall_ns"] == sum(step["wall_ns"] for step in document["steps"])
    assert device["idle"]["data_loading_ns"] == 6 * 600_000
    assert document["step_source"] == "recorded"
    assert [step["step"] for step in document["steps"]] == list(range(6))
    for step in document["steps"]:
        check_sums(step["devices"][0])
        assert step["wall_ns"] == step["devices"][0]["wall_ns"] == 1_040_000
        assert step["devices"][0]["idle"]["data_loading_ns"] == 600_000
    assert device["largest_gaps"][0]["call"] == LOADER
    first = document["findings"][0]
    assert (first["id"], first["severity"]) == ("trace.data-loading", "high")
    assert first["gain"]["low"] < 0.5 < first["gain"]["high"]
    assert "num_workers" in first["fix"]


def test_host_time_before_the_first_kernel_counts_in_a_step(cli, tmp_path):
    trace = Kineto()
    trace.host("user_annotation", "ProfilerStep#6", 0, 1000)
    trace.host("user_annotation", "preprocess", 10, 580)
    for i in range(4):
        trace.kernel("k", 595 + 100 * i, 600 + 100 * i, 95)
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    device = document["devices"][0]
    check_sums(device)
    assert (device["wall_ns"], device["compute_ns"], document["median_step"]) == (1_000_000, 380_000, 6)
    assert device["idle"]["host_ns"] >= 580_000
    assert device["places"][0]["call"] == "preprocess"
    assert document["findings"][0]["id"] == "trace.host-work"


def test_one_kernel_is_too_little_to_judge(cli, tmp_path):
    trace = Kineto()
    trace.host("user_annotation", "ProfilerStep#552", 0, 413_451)
    trace.kernel("k", 395_000, 395_300, 45)
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    assert document["devices"][0]["wall_ns"] == 413_451_000
    assert not [each for each in document["findings"] if each["severity"] in ("medium", "high")]


def test_launches_without_work_are_counted_and_gain_nothing(cli, tmp_path):
    trace = healthy()
    kernels = [event for event in trace.events if event["cat"] == "kernel"]
    for event in kernels[::2]:  # of 24
        trace.events.remove(event)
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    assert document["launches"]["all"] == 24 and document["launches"]["without_work"] == 12
    device = document["devices"][0]
    assert device["idle"]["unknown_ns"] >= device["hidden_ns"] > device["wall_ns"] * 0.4
    assert "trace.lost-work" in ids(document)
    assert f"{100 * device['idle']['unknown_ns'] / device['wall_ns']:.0f} % of the time is unknown" in document["message"]
    assert all(each.get("gain", {}).get("high", 0) < 0.1 for each in document["findings"])


def test_what_tells_nothing_of_a_usual_step_is_left_out(cli, tmp_path):
    trace = healthy()
    begin = min(event["ts"] for event in trace.events)
    trace.host("user_annotation", "ProfilerStep#0", begin - 20_000, 19_990)
    trace.host("user_annotation", "compile", begin - 19_900, 19_800)
    kernels = [event for event in trace.events if event["cat"] == "kernel"]
    for event in kernels[8:12]:  # all of the third step
        trace.events.remove(event)
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    assert [each["reason"] for each in document["excluded"]] == ["compilation", "no_work"]
    assert len(document["steps"]) == 5 and "(5 of 7 steps" in document["message"]
    assert document["devices"][0]["wall_ns"] == 6_000_000  # 500 us of that step are for the one before


@pytest.mark.parametrize("text", ["[1, 2]", '{"traceEvents": [{"a": 1}]}', '{"loss": [1]}', "null", "\x00\x01\x02garbage"])
def test_what_holds_no_event_is_no_trace(cli, tmp_path, text):
    path = tmp_path / "garbage.json"
    path.write_text(text)
    done = cli.run("trace", path, check=3)
    assert "is not a trace" in done.stderr and "give a trace" in done.stderr


def test_what_was_launched_in_time_is_not_the_hosts_fault(cli, tmp_path):
    trace = Kineto()
    trace.kernel("first", 0, 10, 100)
    trace.kernel("second", 20, 1000, 100)
    trace.host("cuda_runtime", "cudaStreamSynchronize", 40, 1070)
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    idle = document["devices"][0]["idle"]
    assert idle["device_ns"] == 890_000 and idle["synchronisation_ns"] == 0
    assert ids(document)[0] == "trace.device-held" and "gain" not in document["findings"][0]


def test_a_healthy_trace_is_called_healthy(cli, tmp_path):
    document = reported(cli, healthy().write(tmp_path / "trace.json"))
    assert "trace.healthy" in ids(document)
    assert all(finding["severity"] in ("info", "low") for finding in document["findings"])
    assert "100 %" in document["message"]


def test_fp32_where_16_bits_would_do(cli, tmp_path):
    trace = healthy()
    for event in trace.events:
        if "Input type" in event["args"]:
            event["args"]["Input type"] = ["float", "float"]
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    assert document["findings"][0]["id"] == "trace.full-precision"
    assert "trace.healthy" not in ids(document)


def test_text_and_markdown_begin_with_the_answer(cli, tmp_path):
    path = loader_bound().write(tmp_path / "trace.json")
    text = cli.run("trace", path).stdout
    assert text.startswith("GPU 0 (Test GPU) is busy")
    assert "waits for data" in text.split("\n\n")[0]
    assert len(text.splitlines()) < 40
    everything = cli.run("trace", path, "--all").stdout
    assert "Longest idle times" in everything and "Steps" in everything
    markdown = cli.run("trace", path, "--format", "md", "-o", "page.md")
    assert markdown.stdout == ""
    assert "| GPU 0 |" in (tmp_path / "page.md").read_text()


def test_csv_has_a_line_for_each_device_and_step(cli, tmp_path):
    path = loader_bound().write(tmp_path / "trace.json")
    rows = list(csv.DictReader(io.StringIO(cli.run("trace", path, "--format", "csv").stdout)))
    assert [row["step"] for row in rows] == ["", *map(str, range(6))]
    assert rows[1]["idle_data_loading_ns"] == "600000"


def test_standard_input(cli, tmp_path):
    document = loader_bound().document()
    for packed in (json.dumps(document).encode(), gzip.compress(json.dumps(document).encode())):
        done = cli.run("trace", "-", "--format", "json", input=packed, text=False)
        assert json.loads(done.stdout)["devices"][0]["compute_ns"] == 6 * 400_000


def test_ranges_that_are_named_are_the_steps(cli, tmp_path):
    trace = Kineto()
    for i in range(5):
        trace.host("user_annotation", f"batch {i}", i * 100, 100)
        trace.kernel("k", i * 100 + 5, i * 100 + 20, 50)
    path = trace.write(tmp_path / "trace.json")
    document = reported(cli, path, "--step", "batch")
    assert document["step_source"] == "named"
    assert len(document["steps"]) == 5
    assert reported(cli, path)["step_source"] == "none"


def test_steps_are_inferred_from_what_repeats(cli, tmp_path):
    trace = Kineto()
    at = 0
    for _ in range(6):
        for i in range(12):
            trace.kernel(f"kernel {i % 5 if i else 'loss'}", at, at + 8, 20)
            at += 30
    document = reported(cli, trace.write(tmp_path / "trace.json"))
    assert document["step_source"] == "inferred"
    assert {step["wall_ns"] for step in document["steps"]} == {360_000}


def test_ranks_are_compared_and_the_straggler_is_named(cli, tmp_path):
    for rank in range(4):
        trace = Kineto(rank)
        for step in range(8):
            compute = 300 if rank == 2 else 200
            begin = step * 500
            trace.kernel("gemm", begin, begin + 10, compute)
            trace.kernel("ncclDevKernel_AllReduce", begin + 20, begin + 10 + compute, 350 - compute)
        trace.write(tmp_path / f"rank{rank}.json")
    (tmp_path / "notes.json").write_text("{}")
    done = cli.run("trace", tmp_path, "--format", "json")
    document = json.loads(done.stdout)
    assert "notes.json" in done.stderr
    assert [each["rank"] for each in document["rank_times"]] == [0, 1, 2, 3]
    assert [each["waited_ns"] for each in document["rank_times"]] == [800_000, 800_000, 0, 800_000]
    assert ids(document) == ["trace.stragglers"]
    assert document["findings"][0]["where"] == {"rank": 2, "step": 0}
    assert "rank 2" in cli.run("trace", tmp_path).stdout


def test_ranks_are_compared_within_their_process_group(cli, tmp_path):
    for rank in range(4):
        trace = Kineto(rank)
        members = {"Process Group Ranks": "[0, 1]" if rank < 2 else "[2, 3]"}
        for step in range(6):
            compute = 300 if rank == 3 else 200
            end = step * 1000 + (500 if rank < 2 else 350)
            trace.kernel("gemm", step * 1000, step * 1000 + 10, compute)
            begin = end - 30 if rank < 2 else step * 1000 + 10 + compute
            trace.kernel("ncclDevKernel_AllReduce", step * 1000 + 20, begin, end - begin, **members)
        trace.write(tmp_path / f"rank{rank}.json")
    document = json.loads(cli.run("trace", tmp_path, "--format", "json").stdout)
    times = document["rank_times"]
    assert [each["waited_ns"] for each in times] == [0, 0, 600_000, 0]
    assert [each["last_to_arrive"] for each in times] == [0, 0, 0, 6]
    assert [each["clock_of"] for each in times] == [0, 0, 2, 2]
    assert document["findings"][0]["where"] == {"rank": 3, "step": 0}


def test_pages_of_ranks_and_of_a_change(cli, tmp_path):
    first, second = loader_bound().write(tmp_path / "a.json"), loader_bound(loading=100).write(tmp_path / "b.json")
    cli.run("trace", first, second, "-o", "ranks.html")
    page = (tmp_path / "ranks.html").read_text()
    assert "2 ranks" in page and "rank 1, busy" in page
    cli.run("trace", "--compare", first, second, "-o", "change.html")
    assert "A step takes 48 % less" in (tmp_path / "change.html").read_text()


def test_before_and_after(cli, tmp_path):
    before = loader_bound().write(tmp_path / "before.json")
    after = loader_bound(loading=100).write(tmp_path / "after.json")
    document = json.loads(cli.run("trace", "--compare", before, after, "--format", "json").stdout)
    assert document["by_step"]
    assert document["wall"]["difference_ns"] == -500_000
    assert sum(part["difference_ns"] for part in document["parts"]) == pytest.approx(-500_000)
    assert "48 % less" in document["message"]
    assert document["predictions"][0]["id"] == "trace.data-loading" and document["predictions"][0]["holds"]
    assert "idle data loading" in cli.run("trace", "--compare", before, after).stdout
    rows = list(csv.DictReader(io.StringIO(cli.run("trace", "--compare", before, after, "--format", "csv").stdout)))
    assert rows[0] == {"kind": "wall", "name": "wall", "before_ns": "1040000", "after_ns": "540000"}
    assert sum(int(row["before_ns"]) for row in rows if row["kind"] == "part") == 1_040_000
    assert "two files" in cli.run("trace", "--compare", before, check=2).stderr


def test_export_for_perfetto(cli, tmp_path):
    path = loader_bound().write(tmp_path / "trace.json")
    cli.run("trace", path, "--export", "annotated.json")
    events = json.loads((tmp_path / "annotated.json").read_text())["traceEvents"]
    idle = [event for event in events if event.get("name") == "idle: data_loading"]
    assert sum(event["dur"] for event in idle) == 6 * 600  # in us
    originals = [event for event in events if event["ph"] == "X" and event["cat"] == "kernel"]
    assert len(originals) == 24
    assert "exists" in cli.run("trace", path, "--export", "annotated.json", check=2).stderr


@pytest.mark.parametrize("content, words", [
    (b"", "is empty"), (b"{}", "no \"traceEvents\""), (b"hello", "neither JSON nor SQLite"), (b"\x1f\x8b\x08", "is empty"),
])
def test_what_is_no_trace(cli, tmp_path, content, words):
    (tmp_path / "x.json").write_bytes(content)
    assert words in cli.run("trace", "x.json", check=3).stderr


def test_a_truncated_file_says_so(cli, tmp_path):
    text = json.dumps(loader_bound().document())
    (tmp_path / "half.json").write_text(text[:len(text) // 2])
    document = reported(cli, "half.json")
    assert document["read"]["truncated"]
    assert "trace.partial" in ids(document)
    assert "the file is truncated" in cli.run("trace", "half.json").stdout


def test_without_a_device(cli, tmp_path):
    trace = Kineto()
    trace.host("cpu_op", "aten::mm", 0, 100)
    document = reported(cli, trace.write(tmp_path / "cpu.json"))
    assert ids(document) == ["trace.no-device"]
    assert document["operators"][0]["name"] == "aten::mm"


def test_names_reach_no_terminal_as_control_characters(cli, tmp_path):
    trace = healthy()
    for event in trace.events:
        if event["cat"] == "kernel":
            event["name"] = "evil\x1b[2J\x9b\nkernel"
    out = cli.run("trace", trace.write(tmp_path / "trace.json"), "--all").stdout
    assert "\x1b" not in out and "\x9b" not in out


def test_the_example_in_cpp_tells_the_same(program, tmp_path):
    example = program.parent / "where_the_time_went"
    if not example.exists():
        pytest.skip("built without examples")
    path = loader_bound().write(tmp_path / "trace.json")
    reported = subprocess.run([example, path], capture_output=True, text=True, check=True).stdout
    assert "data_loading          3.600 ms" in reported
    assert "high: GPU 0 waits for data" in reported
