"""The pages about real traces (./dev traces, ./dev peers traces) on traces whose truth is known."""

import io
import json
import tarfile

import pytest
import peers_traces
import traced_files
import traces_read
from kineto import healthy, loader_bound


def row_of(program, path):
    cells = traces_read.row(path, traced_files.answer_to(program, path)).strip("| ").split(" | ")
    return dict(zip(("file", "licence", "wall", "steps", "busy", "data"), cells))


def test_a_row_holds_the_shares_of_the_document(program, tmp_path):
    path = loader_bound().write(tmp_path / "kineto_slow.json.gz")
    device = traced_files.answer_to(program, path)["devices"][0]
    row = row_of(program, path)
    assert (row["file"], row["licence"], row["steps"]) == ("kineto_slow", "BSD-3-Clause", "6")
    assert row["busy"] == traced_files.share(100 * (1 - device["idle_ns"] / device["wall_ns"]))
    assert row["data"] == traced_files.share(100 * device["idle"]["data_loading_ns"] / device["wall_ns"])


def test_an_archive_is_read_as_the_ranks_in_it(program, tmp_path):
    with tarfile.open(tmp_path / "job.tar.gz", "w:gz") as archive:
        for rank in range(2):
            data = json.dumps(loader_bound(rank=rank).document()).encode()
            member = tarfile.TarInfo(f"job/rank{rank}.json")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    answer = traced_files.answer_to(program, tmp_path / "job.tar.gz")
    assert len(traced_files.devices_of(answer)) == 2
    assert row_of(program, tmp_path / "job.tar.gz")["file"] == "job, 2 ranks"


def test_what_cannot_be_read_is_a_row_with_the_reason_and_without_its_folder(program, tmp_path):
    path = tmp_path / "broken.json"
    path.write_text("no trace")
    answer = traced_files.answer_to(program, path)
    assert row_of(program, path)["busy"] == "none recorded"
    line = traces_read.printed(path, answer)
    assert line.startswith("- **broken**: error: ") and str(tmp_path) not in line


def test_names_of_a_trace_are_no_markdown():
    assert traced_files.escaped("__next__ in aten_mm<T*>") == r"\_\_next\_\_ in aten_mm\<T\*\>"


def test_the_share_is_counted_from_the_first_step(tmp_path):
    trace = loader_bound(steps=1)
    trace.device("gpu_memcpy", "Memcpy", 100, 50)
    trace.device("gpu_memcpy", "Memcpy", 700, 50)  # beside a kernel
    within = peers_traces.counted([trace.write(tmp_path / "trace.json")])
    assert within == pytest.approx([100 * 400 / 1040, 100 * 450 / 1040], abs=2)
    assert peers_traces.counted([]) is None


@pytest.mark.parametrize("made, cause", [(loader_bound, "data"), (healthy, "nothing")])
def test_the_cause_is_what_is_stated_first(program, tmp_path, made, cause):
    printed = peers_traces.batchscope(program, made().write(tmp_path / "trace.json"), None)
    assert (printed.cause, printed.silent) == (cause, "")


@pytest.mark.parametrize("printed, words", [
    ((46.5, "data"), "46 %, data: right"), ((48.5, "data"), "48 %, data: wrong share"), ((46.5, "waits"), "46 %, waits: wrong cause"),
    ((None, "nothing"), "no share, nothing: wrong share, no cause"), ((None, "", "stopped"), "no answer (stopped)")])
def test_an_answer_is_right_where_share_and_cause_are(printed, words):
    truth = peers_traces.Truth(("data",), "")
    assert peers_traces.verdict(peers_traces.Printed(*printed), truth, [46, 47]).words() == words


def test_no_share_and_none_are_right_without_a_device():
    truth = peers_traces.Truth(("nothing",), "")
    printed = [peers_traces.Printed(busy, "nothing") for busy in (None, 0, 50)]
    assert [peers_traces.verdict(each, truth, None).right() for each in printed] == [True, True, False]


def test_of_ranks_the_commonest_cause_counts_and_an_error_is_no_answer():
    def tool(_program, _path, files):
        yield from files
    printed = peers_traces.of_ranks(tool)(None, None, [(10, ["data"]), (20, []), (30, ["data"])])
    assert printed == peers_traces.Printed(20, "data")
    assert peers_traces.of_ranks(lambda *_: [][0])(None, None, None).silent == "IndexError"
