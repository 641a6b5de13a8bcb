"""What others do to a run (streams closed, files in the way, signals, limits) costs no data and hangs nothing."""

import json
import os
import pathlib
import resource
import signal
import subprocess

import pytest

from conftest import read_lines

QUIET = "synthetic:affine:2ms,1ms"
SHORT = ["-m", QUIET, "-b", "1,2", "--blocks", "2", "--seed", "1", "-q"]
# Real time passes: a visit lasts about 20 ms.
REAL = "synthetic:affine:1ms,1ms;real=1;load=5ms"


def shell(cli, redirect, *arguments):
    """The program with standard streams as the shell's `redirect` has them."""
    command = ["sh", "-c", f'exec "$@" {redirect}', "sh", str(cli.program), *arguments]
    return subprocess.run(command, cwd=cli.folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_end_in_the_run_file(cli, redirect):
    done = shell(cli, redirect, "profile", *SHORT[:-1], "-o", "run.jsonl")
    records = [json.loads(line) for line in (cli.folder / "run.jsonl").read_text().splitlines()]
    assert [record["type"] for record in records].count("visit") == 4
    assert records[-1]["type"] == "end"
    # A result that nobody gets is a failure.
    assert done.returncode == (1 if ">&-" in redirect.replace("2>&-", "") else 0)


def test_of_two_runs_with_one_output_one_is_refused(cli):
    for _ in range(8):
        runs = [cli.start("profile", "-m", QUIET, "-b", "1-4", "--blocks", "3", "-q", "--seed", seed, "-o", "run.jsonl")
                for seed in ("1", "2")]
        codes = [run.wait(timeout=60) for run in runs]
        for run in runs:
            run.communicate()
        assert sorted(codes) in ([0, 1], [0, 2]), codes
        records = read_lines(cli.folder / "run.jsonl")
        assert records[0]["seed"] == 1 + codes.index(0)
        assert records[-1]["type"] == "end"
        (cli.folder / "run.jsonl").unlink()


@pytest.mark.parametrize("verb", [["profile"], ["tune", "--points", "8"]])
def test_a_run_that_comes_to_nothing_leaves_nothing_in_the_way(cli, verb):
    run = [*verb, "-m", QUIET, "-b", "1-8", "--seed", "1", "-q", "-o", "run.jsonl"]
    done = cli.run(*run, check=1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert "ulimit -f" in done.stderr
    assert not (cli.folder / "run.jsonl").exists()
    cli.run(*run, "--device", "cuda:9", check=2)
    assert not (cli.folder / "run.jsonl").exists()
    cli.run(*run)


def test_what_is_to_be_replaced_stays_until_the_run_begins(cli):
    cli.run("profile", *SHORT, "-o", "run.jsonl")
    full = (cli.folder / "run.jsonl").read_bytes()
    cli.run("profile", *SHORT, "--device", "cuda:9", "-o", "run.jsonl", "--overwrite", check=2)
    assert (cli.folder / "run.jsonl").read_bytes() == full


def test_strict_passes_nothing_that_analyze_does_not(cli):
    for blocks, code in (("1", 4), ("40", 0)):
        cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", blocks, "--seed", "1", "--strict", "-q", "-o", "run.jsonl",
                "--overwrite", check=code)
        cli.run("analyze", "run.jsonl", "--strict", check=code)


def test_time_of_failed_visits_is_not_given_back_by_a_kill(cli):
    law = "synthetic:affine:5ms,2ms;load=2000ms;oom_above=1"
    cli.run("profile", "-m", law, "-b", "1,2", "--blocks", "6", "--budget", "60s", "-q", "-o", "run.jsonl")
    lines = (cli.folder / "run.jsonl").read_text().splitlines()
    failed = [record for record in map(json.loads, lines) if record.get("kind") == "out-of-memory"]
    assert failed and all(record["wall_ns"] >= 2_000_000_000 for record in failed)


def test_a_plan_that_was_tampered_with_is_refused(cli):
    path = cli.folder / "run.jsonl"
    cli.run("profile", *SHORT, "-o", "run.jsonl")
    lines = path.read_text().splitlines()
    header = json.loads(lines[0])
    for plan in ({"blocks": 2**31 - 1}, {"budget_s": 1e300}, {"timeout_s": 1e300}):
        path.write_text("\n".join([json.dumps({**header, "plan": {**header["plan"], **plan}}), *lines[1:-1]]) + "\n")
        done = cli.run("profile", "--resume", "-o", "run.jsonl", check=3)
        assert "too large" in done.stderr


def test_a_visit_with_times_beyond_any_run_is_passed_over_and_reported(cli):
    path = cli.folder / "tune.jsonl"
    cli.run("tune", "-m", QUIET, "-b", "1,2,4,8", "--instances", "1", "--seed", "1", "-q", "-o", "tune.jsonl")
    lines = path.read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if json.loads(line)["type"] == "visit")
    lines[place] = json.dumps({**json.loads(lines[place]), "load_ns": -(2**63)})
    path.write_text("\n".join(lines) + "\n")
    document = json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)
    assert any("load_ns" in warning for warning in document["warnings"]), document["warnings"]


@pytest.mark.parametrize("verb", [["analyze", "run.jsonl"], ["report", "run.jsonl"], ["import", "table.csv"]])
def test_an_output_that_nobody_reads_is_not_waited_for(cli, verb):
    cli.run("profile", *SHORT, "-o", "run.jsonl")
    (cli.folder / "table.csv").write_text("batch,latency_ms\n1,2\n2,3\n")
    os.mkfifo(cli.folder / "pipe.html")
    done = cli.run(*verb, "-o", "pipe.html", check=1, timeout=60)
    assert "without a reader" in done.stderr and "(" in done.stderr


def test_what_is_read_by_another_program_is_written_to(cli):
    cli.run("profile", *SHORT, "-o", "run.jsonl")
    command = f"'{cli.program}' analyze run.jsonl -o /dev/stdout | cat"
    done = subprocess.run(["sh", "-c", command], cwd=cli.folder, capture_output=True, text=True, timeout=60, check=True)
    assert "samples" in done.stdout


@pytest.mark.parametrize("path", ["folder", "file/under", "x" * 300])
def test_an_output_that_cannot_be_written_says_what_to_do(cli, path):
    (cli.folder / "folder").mkdir()
    (cli.folder / "file").write_text("")
    cli.run("profile", *SHORT, "-o", "run.jsonl")
    for verb in (["analyze", "run.jsonl"], ["profile", *SHORT]):
        done = cli.run(*verb, "-o", path, "--overwrite", check=1)
        assert done.stderr.rstrip().endswith(")"), done.stderr


@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "/proc/kmsg", "large.toml", ""])
def test_a_configuration_is_a_small_file(cli, name):
    os.mkfifo(cli.folder / "pipe")
    (cli.folder / "large.toml").write_text("# much\n" * 200_000)
    done = cli.run("profile", "-m", QUIET, "--config", name, "--dry-run", check=3, timeout=30)
    assert "--config" in done.stderr and "1 MiB" in done.stderr


def memory_groups(pid):
    """Groups that this process has made, anywhere below this one's own, or beside it: other tests run meanwhile."""
    lines = pathlib.Path("/proc/self/cgroup").read_text().splitlines()
    own = next((line.split(":", 2)[2] for line in lines if "memory" in line.split(":")[1].split(",")), None)
    own = own if own is not None else next(line.split(":", 2)[2] for line in lines if line.startswith("0:"))
    found = set()
    for mount in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        for folder in (pathlib.Path(mount + own), pathlib.Path(mount + own).parent):
            found |= {str(group) for group in folder.glob(f"batchscope-{pid}-*")}
    return found


def is_held(group):
    """A process is in it, and it is not gone."""
    try:
        return (pathlib.Path(group) / "cgroup.procs").read_text() != ""
    except OSError:
        return False


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_memory_group_is_left(cli, sig):
    path = cli.folder / "run.jsonl"
    process = cli.start("profile", "-m", REAL, "-b", "1,2", "--blocks", "200", "--iterations", "4", "--seed", "1",
                        "--memory-limit", "1GiB", "-q", "-o", "run.jsonl")
    made = set()
    while not (path.exists() and any(record["type"] == "visit" for record in read_lines(path))):
        assert process.poll() is None
        made |= memory_groups(process.pid)
    process.send_signal(sig)
    process.communicate(timeout=60)
    if not made:
        pytest.skip("no memory group can be made here")
    if sig == signal.SIGKILL:  # cannot tidy up: when its worker has been ended, the next run does
        while any(is_held(group) for group in memory_groups(process.pid)):
            pass
        cli.run("profile", *SHORT, "-o", "next.jsonl")
    assert memory_groups(process.pid) == set()
