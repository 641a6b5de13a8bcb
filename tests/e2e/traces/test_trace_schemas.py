"""What trace prints as JSON, against its published schemas."""

import json

import pytest

pytest.importorskip("jsonschema")

from kineto import Kineto, loader_bound  # noqa: E402
from published import load, published  # noqa: E402


def check(name, documents, unused=frozenset()):
    """Every document agrees, damaged ones do not, and together they have every field that is published."""
    opened, closed = load(name)
    failures, seen = [], set()
    for document in documents:
        published.check_document(failures, opened, closed, document, opened.schema["required"], name)
        seen |= published.field_names(document)
    missing = published.property_names(opened.schema) - seen - unused
    published.check(failures, documents and not missing, f"published but never written: {sorted(missing)}")
    assert not failures


# Fields of findings that those of a trace have no use for.
OF_OTHER_FINDINGS = {"p_value", "cause", "batch_sizes", "gpu", "slice", "pid", "time", "ci_low", "ci_high"}


def everything(rank):
    trace = loader_bound(rank=rank)
    for i in range(4):
        at = 6300 + i * 100
        trace.kernel("ncclDevKernel_AllReduce", at, at + 10, 80 if rank else 60, **{"est. achieved occupancy %": 30})
    trace.device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 7000, 900, bytes=4096, correlation=999)
    trace.events.append({"ph": "i", "s": "t", "name": "[memory]", "pid": 10, "tid": 10, "ts": 60, "args": {
        "Device Type": 1, "Device Id": 0, "Bytes": 512, "Total Allocated": 512, "Total Reserved": 1024}})
    return trace


def test_a_trace_and_ranks(cli, tmp_path):
    paths = [everything(rank).write(tmp_path / f"{rank}.json") for rank in range(2)]
    for path in paths[1:]:  # what cannot be read is counted by name
        path.write_text(path.read_text().replace('"ts": 7000', '"ts": NaN'))
    host = Kineto()
    host.host("user_annotation", "ProfilerStep#0", -2000, 2000)
    host.host("user_annotation", "compile", -2000, 1990)
    host.host("user_annotation", "ProfilerStep#1", 0, 100)
    host.host("cpu_op", "aten::mm", 0, 60)
    paths.append(host.write(tmp_path / "host.json"))
    documents = [json.loads(cli.run("trace", *files, "--format", "json").stdout)
                 for files in (paths[:1], paths[1:2], paths[:2], paths[2:])]
    check("trace", documents, OF_OTHER_FINDINGS)


def test_a_comparison(cli, tmp_path):
    before = loader_bound().write(tmp_path / "before.json")
    after = loader_bound(loading=50).write(tmp_path / "after.json")
    without = Kineto().write(tmp_path / "without.json")
    documents = [json.loads(cli.run("trace", "--compare", *pair, "--format", "json").stdout)
                 for pair in ((before, after), (after, without), (before, before, "--against", after, after))]
    check("trace-comparison", documents)
