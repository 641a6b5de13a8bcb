"""Studies on a real Slurm of four nodes on this machine (slurm.sh): samples as on one machine, whatever is lost meanwhile."""

import collections
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest

from conftest import read_lines

HERE = pathlib.Path(__file__).resolve().parent
LAW = "synthetic:affine:2ms,10ms;anomaly=4:1.25"
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch")


@pytest.fixture(scope="module")
def slurm():
    """The variables of a Slurm with four nodes of one CPU and two GPUs."""
    absent = [name for name in NEEDED if shutil.which(name) is None]
    if absent or os.getuid() != 0:
        pytest.skip(f"needs root and {', '.join(absent) or 'namespaces'} (packages slurmctld, slurmd, slurm-client, munge)")
    with tempfile.TemporaryDirectory(prefix="slurm-", ignore_cleanup_errors=True) as folder:  # munge wants one that all may enter
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        port = os.environ | {"SLURM_TEST_PORT": str(17817 + 10 * worker)}
        subprocess.run([HERE / "slurm.sh", "up", folder], check=True, timeout=60, env=port)
        yield os.environ | {"SLURM_CONF": f"{folder}/slurm.conf"}
        subprocess.run([HERE / "slurm.sh", "down", folder], check=True, timeout=60)


def flags(blocks, *more):
    return ["-m", LAW, "-b", "1,2,4,8", "--threads", "1", "--seed", "5", "--blocks", str(blocks), *more]


def launch(cli, slurm, blocks, *more, **options):
    return cli.run("profile", *flags(blocks, *more), "--launcher", "slurm", "-o", "run.jsonl", env=slurm, **options)


def of_type(path, kind):
    return [each for each in read_lines(path) if each["type"] == kind]


def samples(path):
    return {(each["block"], each["config"]): each["samples_ns"] for each in of_type(path, "visit")}


def on_one_machine(cli, blocks):
    cli.run("profile", *flags(blocks), "--job", "one")
    subprocess.run(f"seq 0 {blocks - 1} | xargs -n1 {cli.program} block one -q", shell=True, check=True, cwd=cli.folder)
    cli.run("merge", "one", "-o", "one.jsonl")
    return samples(cli.folder / "one.jsonl")


def overlaps(path):
    """Pairs of blocks that had one device of one node at the same time."""
    by_device = collections.defaultdict(list)
    for place in of_type(path, "place"):
        for device in place["devices"]:
            by_device[place["node"], device].append((place["begin_ns"], place["end_ns"]))
    return [pair for spans in by_device.values() for pair in zip(sorted(spans), sorted(spans)[1:]) if pair[0][1] > pair[1][0]]


@pytest.mark.timeout(300)
def test_a_study_on_four_nodes_has_the_samples_of_one_machine(cli, slurm):
    launch(cli, slurm, 24)
    run = cli.folder / "run.jsonl"
    assert len(of_type(run, "visit")) == 96
    assert samples(run) == on_one_machine(cli, 24)
    assert {each["name"] for each in of_type(run, "node")} <= {"n1", "n2", "n3", "n4"}
    assert len(of_type(run, "node")) > 1
    assert overlaps(run) == []
    assert all(each["job"].startswith("slurm ") for each in of_type(run, "place"))
    launch(cli, slurm, 26)
    assert len(of_type(run, "visit")) == 104


@pytest.mark.timeout(300)
def test_what_slurm_refuses_is_printed_in_its_words(cli, slurm):
    refused = launch(cli, slurm, 3, "--slurm=--partition=none", check=2)
    assert "invalid partition" in refused.stderr
    refused = launch(cli, slurm, 1002, "--job", "large", check=2)
    assert "--blocks-per-task" in refused.stderr
    launch(cli, slurm, 8, "--job", "grouped", "--blocks-per-task", "3")
    assert len(of_type(cli.folder / "run.jsonl", "visit")) == 32


@pytest.mark.timeout(300)
def test_ctrl_c_cancels_and_the_same_command_goes_on(cli, slurm):
    slow = ["--job", "slow"]
    model = "synthetic:affine:200ms,10ms;real=1"
    words = ["profile", "-m", model, "-b", "1,2", "--threads", "1", "--blocks", "6", "--launcher", "slurm", "-o", "run.jsonl", *slow]
    running = cli.start(*words, env=slurm)
    while not list((cli.folder / "slow").glob("parts/*.jsonl")):
        assert running.poll() is None, running.communicate()
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=60) == 130
    shown = subprocess.run(["squeue", "-h", "-t", "PENDING,RUNNING"], env=slurm, capture_output=True, text=True, check=True)
    assert shown.stdout == ""
    cli.run(*words, env=slurm)
    assert len(of_type(cli.folder / "run.jsonl", "visit")) == 12


def test_without_slurm_or_threads_it_says_so(cli):
    empty = {name: value for name, value in os.environ.items() if name != "PATH"} | {"PATH": "/nowhere"}
    refused = cli.run("profile", *flags(3), "--launcher", "slurm", "-o", "run.jsonl", env=empty, check=1)
    assert "sbatch" in refused.stderr
    refused = cli.run("profile", "-m", LAW, "--blocks", "3", "--launcher", "slurm", "-o", "run.jsonl", check=2)
    assert "--threads" in refused.stderr
