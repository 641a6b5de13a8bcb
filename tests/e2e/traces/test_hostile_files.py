"""Files that want to take all of the memory, or to bring the program down: an error or a partial answer that says so, within
a gigabyte of addresses, and never a signal."""

import gzip
import json
import resource
import subprocess

import pytest

MEMORY = 1 << 30
KERNEL = '{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"device":0,"stream":7}}'
FULL = KERNEL % (10, 5)


def trace_of(*events):
    return '{"traceEvents":[' + ",".join(events) + "]}"


def reported(program, path, *flags):
    """The answer as JSON, or the error, of a program that has so much memory and no more."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # noqa: E731
    done = subprocess.run([program, "trace", path, "--format", "json", *flags], capture_output=True, timeout=120,
                          preexec_fn=limit, check=False)
    assert done.returncode in (0, 3), done.stderr[-2000:]
    if done.returncode == 3:
        assert len(done.stderr) < 10_000
        return done.stderr.decode(errors="replace")
    return json.loads(done.stdout)


def answer(program, tmp_path, text):
    path = tmp_path / "hostile.json"
    path.write_text(text)
    return reported(program, path)


def wall(document):
    return document["devices"][0]["wall_ns"] if document["devices"] else None


def test_a_bomb_of_spaces(program, tmp_path):
    path = tmp_path / "bomb.json.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b'{"traceEvents":[' + FULL.encode())
        for _ in range(600):
            file.write(b" " * (1 << 20))
        file.write(b"," + (KERNEL % (20, 5)).encode() + b"]}")
    assert path.stat().st_size < 2 << 20
    document = reported(program, path)
    assert isinstance(document, str) or document["read"]["events"] == 2 or document["read"]["truncated"]


def test_a_bomb_that_is_one_name(program, tmp_path):
    path = tmp_path / "bomb.json.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b'{"traceEvents":[' + FULL.encode() + b',{"ph":"X","name":"')
        for _ in range(600):
            file.write(b"A" * (1 << 20))
        file.write(b'","ts":1,"dur":1}]}')
    document = reported(program, path)
    assert isinstance(document, str) or document["read"]["skipped"] > 0 or document["read"]["truncated"]


def test_a_string_of_100_mb(program, tmp_path):
    document = answer(program, tmp_path, trace_of(
        FULL, '{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":1,"ts":1,"dur":1}' % ("n" * 100_000_000), KERNEL % (20, 5)))
    lost = document["read"]["skipped"] > 0 or document["read"]["truncated"]
    assert document["read"]["events"] == 3 or lost
    assert wall(document) == 15_000 or lost


@pytest.mark.parametrize("opening, closing", [("[", "]"), ('{"a":', "}")])
def test_nesting(program, tmp_path, opening, closing):
    deep = 1_000_000
    nested = opening * deep + ("1" if opening != "[" else "") + closing * deep
    document = answer(program, tmp_path, trace_of(
        FULL, '{"ph":"X","name":"n","ts":1,"dur":1,"args":{"x":%s}}' % nested, KERNEL % (20, 5)))
    assert wall(document) == 15_000
    assert document["read"]["events"] == 3 or document["read"]["skipped"] > 0


@pytest.mark.parametrize("time", ["NaN", "Infinity", "-Infinity", "1e308", "-1e308", "1e400", "99999999999999999999999999", '"x"',
                                  "null", "true", "{}", "[1]", "0x10", "1.2.3", "--1", ""])
def test_times_that_are_none(program, tmp_path, time):
    document = answer(program, tmp_path, trace_of(FULL, KERNEL % (time, 5), KERNEL % (20, 5)))
    assert document["read"]["events"] == 2 and wall(document) == 15_000
    assert document["read"]["skipped"] >= 1
    assert any(finding["id"] == "trace.partial" for finding in document["findings"])


def test_negative_times(program, tmp_path):
    document = answer(program, tmp_path, trace_of(KERNEL % (-10, 5), KERNEL % (0, -3), KERNEL % (20, 5)))
    assert document["read"]["events"] == 3 and wall(document) == 35_000


def test_times_as_far_apart_as_can_be(program, tmp_path):
    far = 4_000_000_000_000_000  # us: within what is taken for a time
    document = answer(program, tmp_path, trace_of(KERNEL % (-far, 5), KERNEL % (far, 5)))
    assert wall(document) == 2 * far * 1000 + 5000
    parts = document["devices"][0]
    assert parts["wall_ns"] == sum(parts[part] for part in ("compute_ns", "memcpy_ns", "communication_ns", "idle_ns"))
    assert parts["idle_ns"] == sum(parts["idle"].values())


def test_keys_that_are_twice(program, tmp_path):
    twice = '{"ph":"X","ph":"X","cat":"kernel","name":"a","name":"b","ts":1,"ts":30,"dur":1,"dur":2,"args":{"stream":7,"stream":7}}'
    document = answer(program, tmp_path, trace_of(FULL, twice))
    assert document["read"]["events"] == 2


def test_a_million_streams(program, tmp_path):
    stream = '{"ph":"X","cat":"kernel","name":"k","ts":%d,"dur":1,"args":{"device":0,"stream":%d}}'
    document = answer(program, tmp_path, trace_of(*(stream % (number, number) for number in range(1_000_000))))
    assert isinstance(document, str) or document["read"]["events"] == 1_000_000
    assert wall(document) == 1_000_000_000


def test_a_million_devices(program, tmp_path):
    device = '{"ph":"X","cat":"kernel","name":"k","ts":%d,"dur":1,"args":{"device":%d,"stream":7}}'
    document = answer(program, tmp_path, trace_of(*(device % (number, number) for number in range(1_000_000))))
    assert len(document["devices"]) < 1000
    assert any("more devices not shown" in finding["message"] for finding in document["findings"])


def test_a_million_names(program, tmp_path):
    named = '{"ph":"X","cat":"cpu_op","name":"name number %d","pid":1,"tid":1,"ts":%d,"dur":1}'
    document = answer(program, tmp_path, trace_of(FULL, *(named % (number, number) for number in range(1_000_000))))
    assert document["read"]["events"] == 1_000_001


def test_a_million_begins_without_an_end(program, tmp_path):
    begin = '{"ph":"B","name":"b","pid":1,"tid":1,"ts":%d}'
    document = answer(program, tmp_path, trace_of(FULL, *(begin % number for number in range(1_000_000))))
    assert document["read"]["events"] == 1 and document["read"]["skipped"] == 1_000_000


def test_a_file_that_is_cut_anywhere(program, tmp_path):
    text = trace_of(*(KERNEL % (10 * number, 5) for number in range(4)))
    for size in range(len(text)):
        document = answer(program, tmp_path, text[:size])
        if isinstance(document, str):
            continue
        assert document["read"]["truncated"], size
        assert document["read"]["events"] <= 4


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf", "\ufeff".encode("utf-16-le")])
def test_a_mark_of_the_byte_order(program, tmp_path, text):
    path = tmp_path / "marked.json"
    path.write_bytes(text + trace_of(FULL).encode())
    document = reported(program, path)
    assert isinstance(document, str) or document["read"]["events"] == 1
