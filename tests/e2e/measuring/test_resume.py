"""Nothing is lost and nothing counted twice, however a run is ended."""

import json
import random
import signal
import subprocess

import pytest

from conftest import read_lines

# Real time passes: a visit lasts about 20 ms, so that signals hit every part of it.
LAW = "synthetic:affine:1ms,1ms;real=1;load=5ms"
VISITS = ["-m", LAW, "-b", "1,2,4", "--iterations", "4", "--warmup", "2"]
ARGUMENTS = [*VISITS, "--blocks", "10", "--seed", "9", "-q"]


def visits_of(path):
    return [record for record in read_lines(path) if record["type"] == "visit"]


def current(visits):
    """What counts: of every block only its latest attempt."""
    latest = {}
    for visit in visits:
        latest[visit["block"]] = max(latest.get(visit["block"], 0), visit["attempt"])
    return [visit for visit in visits if visit["attempt"] == latest[visit["block"]]]


def kill_after(cli, milliseconds, sig):
    process = cli.start("profile", *ARGUMENTS, "--resume", "-o", "run.jsonl")
    try:
        process.wait(timeout=milliseconds / 1000)
    except subprocess.TimeoutExpired:
        process.send_signal(sig)
    process.communicate(timeout=60)
    return process.returncode


def check_complete(path):
    records = read_lines(path)
    assert records[-1]["type"] == "end"
    assert sum(record["type"] == "header" for record in records) == 1
    counted = [(visit["block"], visit["config"]) for visit in current(visits_of(path))]
    assert sorted(counted) == [(block, config) for block in range(10) for config in range(3)]


def test_killed_at_fifty_random_moments(cli):
    rng = random.Random(20_240_101)
    path = cli.folder / "run.jsonl"
    kills = 0
    while kills < 50:
        path.unlink(missing_ok=True)
        durable = []
        while kills < 50:
            code = kill_after(cli, rng.uniform(5, 400), signal.SIGKILL)
            if code == 0:
                break
            assert code == -signal.SIGKILL
            kills += 1
            now = visits_of(path) if path.exists() else []
            assert now[: len(durable)] == durable, "a visit that was on disk is gone or changed"
            durable = now
        cli.run("profile", *ARGUMENTS, "--resume", "-o", "run.jsonl")
        assert visits_of(path)[: len(durable)] == durable
        check_complete(path)


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_gently(cli, sig):
    path = cli.folder / "run.jsonl"
    process = cli.start("profile", *ARGUMENTS, "--resume", "-o", "run.jsonl")
    while not (path.exists() and visits_of(path)):
        assert process.poll() is None
    process.send_signal(sig)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    records = read_lines(path)
    assert records[-1]["type"] == "end" and records[-1]["reason"] == "interrupted"
    cli.run("profile", *ARGUMENTS, "--resume", "-o", "run.jsonl")
    check_complete(path)


@pytest.mark.parametrize("ignored", [signal.SIGINT, signal.SIGHUP])
def test_what_was_ignored_from_its_start_ends_no_run(cli, ignored):
    path = cli.folder / "run.jsonl"
    process = cli.start("profile", *VISITS, "--blocks", "500", "-o", "run.jsonl",
                        preexec_fn=lambda: signal.signal(ignored, signal.SIG_IGN))

    def wait_for(visits):
        while not (path.exists() and len(visits_of(path)) >= visits):
            assert process.poll() is None

    wait_for(1)
    process.send_signal(ignored)
    wait_for(len(visits_of(path)) + 3)
    process.terminate()
    _, printed = process.communicate()
    assert process.returncode == 130
    assert ("to stop, use: kill" in printed) == (ignored == signal.SIGINT)
    assert read_lines(path)[-1]["reason"] == "interrupted"


def test_a_resumed_run_keeps_its_plan_and_needs_no_flags(cli):
    path = cli.folder / "run.jsonl"
    process = cli.start("profile", *ARGUMENTS, "-o", "run.jsonl")
    while not (path.exists() and len(visits_of(path)) > 4):
        assert process.poll() is None
    process.kill()
    process.communicate()
    cli.run("profile", "--resume", "-o", "run.jsonl", "-q")
    check_complete(path)


def test_no_worker_outlives_its_parent(cli):
    path = cli.folder / "run.jsonl"
    process = cli.start("profile", *ARGUMENTS, "-o", "run.jsonl")
    while not (path.exists() and visits_of(path)):
        assert process.poll() is None
    process.kill()
    process.communicate()
    listing = subprocess.run(["ps", "-eo", "ppid,stat,args"], capture_output=True, text=True, check=True).stdout
    orphans = [line for line in listing.splitlines() if f"{cli.program} worker" in line and " Z" not in line]
    for line in orphans:
        assert line.split()[0] != "1", line


def test_a_torn_last_line_is_cut(cli):
    path = cli.folder / "run.jsonl"
    cli.run("profile", *ARGUMENTS, "-o", "run.jsonl")
    full = path.read_bytes()
    path.write_bytes(full[: full.rindex(b'"type":"end"')] [:-40])
    cli.run("profile", "--resume", "-o", "run.jsonl", "-q")
    check_complete(path)
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_a_file_cut_within_its_configurations_is_refused(cli):
    cli.run("profile", "-m", "synthetic:affine:5ms,2ms", "-b", "1,2,4", "--blocks", "2", "-q", "-o", "run.jsonl")
    path = cli.folder / "run.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    done = cli.run("profile", "--resume", "-o", "run.jsonl", check=3)
    assert "2 of 3 configurations" in done.stderr


def test_another_machine_is_refused_unless_forced(cli):
    path = cli.folder / "run.jsonl"
    cli.run("profile", *ARGUMENTS, "-o", "run.jsonl")
    lines = path.read_text().splitlines()
    header = json.loads(lines[0])
    header["machine"]["cpu"] = "another processor"
    path.write_text("\n".join([json.dumps(header), *lines[1:-3]]) + "\n")
    done = cli.run("profile", "--resume", "-o", "run.jsonl", check=3)
    assert "another processor" in done.stderr and "--force" in done.stderr
    cli.run("profile", "--resume", "--force", "-o", "run.jsonl")
    assert any("another processor" in record.get("message", "") for record in read_lines(path))


def test_other_axes_are_refused(cli):
    cli.run("profile", *ARGUMENTS, "-o", "run.jsonl")
    done = cli.run("profile", "-m", LAW, "-b", "1,2", "--resume", "-o", "run.jsonl", check=2)
    assert "1,2,4" in done.stderr


def test_other_durations_are_refused_with_their_units(cli):
    law = ["-m", "synthetic:affine:5ms,2ms", "-b", "1,2", "--blocks", "2", "-q", "-o", "run.jsonl"]
    cli.run("profile", *law, "--budget", "10m", "--timeout", "90s", "--memory-limit", "1GiB")
    for flag, other, words in (("--budget", "1s", "began with 10 min, not 1 s"),
                               ("--timeout", "500ms", "began with 90 s, not 500 ms"),
                               ("--memory-limit", "2GiB", "began with 1.00 GiB, not 2.00 GiB"),
                               ("--target", "5%", "began with 2 %, not 5 %")):
        assert words in cli.run("profile", "--resume", flag, other, "-o", "run.jsonl", check=2).stderr


@pytest.mark.parametrize("verb", [["profile", "--blocks", "2"], ["tune", "--instances", "1"]])
def test_interrupted_before_the_first_visit_it_leaves_nothing(cli, verb):
    path = cli.folder / "run.jsonl"
    # The first visit loads for as long as it takes to be interrupted.
    law = "synthetic:affine:1ms,1ms;real=1;load=2s"
    process = cli.start(*verb, "-m", law, "-b", "1,2", "--seed", "1", "-o", "run.jsonl")
    while not (path.exists() and path.stat().st_size > 0):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert stdout == "" and "there is no run file" in stderr
    assert not path.exists()
