"""A sample of the hostile tries, and that what judges them can fail; ./dev hostile runs ten thousand."""

import os
import pathlib
import signal

import pytest

from . import batch, execute, judge, leftovers
from .tries import Interruption, Outcome, Try

TRIES, SEED = 200, 1


@pytest.mark.slow
def test_two_hundred_hostile_tries(program, tmp_path):
    prepared = batch.prepare(program, tmp_path / "hostile", SEED, seconds=20)
    tallies, bad = batch.run(prepared, batch.tasks_of(TRIES), jobs=len(os.sched_getaffinity(0)))
    printed = [f"{each.kind} {each.index} ({each.what[:100]}): {what}\n    {command[:500]}" for each in bad for what, command in each.violations]
    assert not bad, "\n".join(printed)
    assert sum(tally.tries for tally in tallies.values()) == TRIES


def judged(stdout=b"", stderr=b"", code=0, **details):
    one = Try("", details.pop("arguments", []), **details)
    return list(judge.judge(one, Outcome(code, stdout, stderr)))


@pytest.mark.parametrize(
    "seen, words",
    [
        ({"code": None}, "does not end"),
        ({"code": -signal.SIGSEGV}, "SIGSEGV"),
        ({"code": 77}, "not documented"),
        ({"code": 130}, "not documented"),
        ({"code": 3}, "nothing on standard error"),
        ({"stderr": b"x.cpp:1:1: runtime error: signed integer overflow"}, "sanitizer"),
        ({"stderr": b"terminate called after throwing"}, "last words"),
        ({"stdout": b"a \x1b[31m name"}, "0x1b"),
        ({"stderr": "a \u009b31m name".encode()}, "0x9b"),
        ({"stdout": b"a \x9b31m name"}, "no UTF-8"),
        ({"stdout": b'{"a": NaN}', "arguments": ["--format", "json"]}, "JSON"),
        ({"stdout": b"name\n=1+1\n", "arguments": ["--format", "csv"]}, "formula"),
    ],
)
def test_a_violation_is_seen(seen, words):
    assert any(words in what for what in judged(**seen))


@pytest.mark.parametrize(
    "seen",
    [
        {"stdout": "µs ±3 日本\n\tname".encode()},
        {"code": 2, "stderr": b"error: a flag (mend it)"},
        {"stdout": b'{"a": null}', "arguments": ["--format", "json"]},
        {"stdout": b"name,time\nx,-1.5e-3\n", "arguments": ["--format", "csv"]},
    ],
)
def test_what_is_well_is_no_violation(seen):
    assert judged(**seen) == []


def test_the_signal_that_was_sent_may_end_it_and_no_other():
    one = Try("", [], interruption=Interruption(signal.SIGTERM, "run.jsonl", 1))
    codes = (-signal.SIGTERM, 130, -signal.SIGKILL)
    assert [not list(judge.judge(one, Outcome(code, b"", b"", signal_sent=True))) for code in codes] == [True, True, False]


@pytest.mark.parametrize(
    "name, data, words",
    [
        (b"o.html", b"<title></script><script>alert('hostile-mark')</script>", "script of the input"),
        (b"o.html", b"<p><img src=x onerror=alert('hostile-mark')></p>", "markup"),
        (b"o.csv", b'model\n"=cmd|x"\n', "formula"),
        (b"o.svg", b"<svg><text>a<b</text></svg>", "no XML"),
        (b"o.jsonl", b'{"a":1}\n{"a":\n', "no JSON"),
    ],
)
def test_a_file_that_is_written_wrong_is_seen(name, data, words):
    assert any(words in what for what in judge.written(name, data))


def seen_of(script, folder, **details):
    """Violations of a shell script in the place of the program."""
    one = Try("", ["-c", script], **details)
    execute.lay_out(one, folder)
    before = leftovers.snapshot(folder)
    outcome, left = execute.run(pathlib.Path("/bin/sh"), one, folder, {"seconds": 1})
    return outcome, [*leftovers.changes(one, folder, before), *leftovers.around(folder, False), *(f"process {name}" for _, name in left)]


@pytest.mark.parametrize(
    "script, words",
    [
        ("echo x > in.csv", "in.csv was changed"),
        ("rm in.csv", "in.csv is gone"),
        ("printf '{}\\n' > run.jsonl", "lost lines"),
        ("touch ../outside", "outside the working folder"),
        ("touch $TMPDIR/left", "left behind"),
        ("touch pwned", "executed"),
    ],
)
def test_what_a_command_does_beside_its_output_is_seen(tmp_path, script, words):
    files = {"in.csv": b"a,b\n", "run.jsonl": b"[]\nto"}
    _, found = seen_of(script, tmp_path / "try", files=files, extends=frozenset({"run.jsonl"}))
    assert len(found) == 1 and words in found[0]


def test_growing_and_replacing_what_may_be_is_no_violation(tmp_path):
    files = {"old.html": b"a", "run.jsonl": b"[]\nto"}
    _, found = seen_of("printf '[]\\nto\\n{}\\n' > run.jsonl; echo b > old.html", tmp_path / "try", files=files, writes=frozenset({"old.html"}),
                       extends=frozenset({"run.jsonl"}))
    assert found == []


def test_what_does_not_end_is_ended(tmp_path):
    outcome, _ = seen_of("while :; do :; done", tmp_path / "try")
    assert outcome.code is None


def test_the_same_seed_makes_the_same_tries(program, tmp_path):
    made = []
    for name in ("a", "b"):
        corpus = batch.prepare(program, tmp_path / name, SEED, seconds=20)[1]
        made.append([(one.what, one.arguments, one.files) for one in (batch.made(SEED, kind, index, corpus) for kind, index in batch.tasks_of(300))])
    assert made[0] == made[1]
