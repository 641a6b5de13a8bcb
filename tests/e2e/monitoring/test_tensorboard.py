"""Event files against TensorBoard's own reader."""

import json
import math
import pathlib
import struct
import subprocess

import pytest

accumulators = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")

START = 1_800_000_000
TAGS = ["training/loss", "gpu/0/power_watts", 'odd "name"/é']


@pytest.fixture
def writer(program):
    path = program.parent / "write_events"
    if not path.exists():
        pytest.skip("built without tests: no write_events")
    return path


def as_float32(value):
    """What is left of a number in an event file."""
    return struct.unpack("f", struct.pack("f", value))[0]


def values_at(step):
    return [math.exp(-step / 1000), 300 + step / 7, math.ldexp(1, step % 200 - 100)]


def read(folder):
    accumulator = accumulators.EventAccumulator(str(folder), size_guidance={accumulators.SCALARS: 0})
    accumulator.Reload()
    return accumulator


def hold_against(accumulator, steps):
    """Every scalar of all steps is there, to the last bit of a 32-bit float."""
    assert accumulator.file_version == 2.0
    assert sorted(accumulator.Tags()["scalars"]) == sorted(TAGS)
    for i, tag in enumerate(TAGS):
        events = accumulator.Scalars(tag)
        assert [event.step for event in events] == list(range(steps))
        assert [event.wall_time for event in events] == [START + step / 4 for step in range(steps)]
        assert [event.value for event in events] == [as_float32(values_at(step)[i]) for step in range(steps)]


def test_every_scalar_is_read_back(writer, tmp_path):
    subprocess.run([writer, tmp_path, "2000"], check=True, stdout=subprocess.DEVNULL)
    hold_against(read(tmp_path), 2000)


def test_a_writer_that_is_killed_leaves_full_records(writer, tmp_path):
    with subprocess.Popen([writer, tmp_path, "-1"], stdout=subprocess.PIPE, text=True) as process:
        path = pathlib.Path(process.stdout.readline().strip())
        while path.stat().st_size < 500_000:
            assert process.poll() is None
        process.kill()
        process.wait()
    content, steps = path.read_bytes(), -1  # of which the first record is none
    # Linux ends a write of a process that is killed at the end of a page at the earliest.
    ends_with_a_page = len(content) % 4096 == 0
    while content:
        (size,) = struct.unpack("<Q", content[:8].ljust(8, b"\0"))
        if len(content) < size + 16:
            assert ends_with_a_page
            break
        content, steps = content[size + 16 :], steps + 1
    assert steps > 1000
    hold_against(read(tmp_path), steps)


def test_values_of_the_machine_are_at_the_steps_of_one_loop(program, tmp_path):
    steps = tmp_path / "steps.jsonl"
    lines = [{"source": source, "step": first + step, "seconds": 0.1}
             for step in range(20) for source, first in (("main", 1000), ("evaluation", 5))]
    steps.write_text("".join(json.dumps(line) + "\n" for line in lines))
    subprocess.run([program, "monitor", "--steps", steps, "--tensorboard", tmp_path / "events", "--duration", "1s",
                    "--interval", "100ms"], check=True, stdout=subprocess.DEVNULL, timeout=120)
    accumulator = read(tmp_path / "events")
    tag = next(tag for tag in accumulator.Tags()["scalars"] if tag.startswith("host/"))
    assert {event.step for event in accumulator.Scalars(tag)} == {1019}
    assert [event.step for event in accumulator.Scalars("training evaluation/step_seconds")] == list(range(5, 25))
