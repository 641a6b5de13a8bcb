#!/usr/bin/env python3
"""Studies on the Slurm of slurm.sh while faults happen: 20 a seed, of nodes lost and back, tasks killed, tasks cancelled, the
launcher killed and started again. In the end every block is there, each visit once, with the samples of one machine.

    tests/cluster/soak.py --seeds 1-3
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("BATCHSCOPE_BIN", HERE.parents[1] / "build/release/bin/batchscope")
LAW = "synthetic:affine:2ms,10ms;anomaly=4:1.25"
NODES = ("n1", "n2", "n3", "n4")
FAULTS = 20


def words_of(blocks, law=LAW):
    return [PROGRAM, "profile", "-m", law, "-b", "1,2,4,8", "--threads", "1", "--seed", "5", "--blocks", blocks]


def visits(path):
    with open(path, encoding="utf-8") as file:
        return [each for each in map(json.loads, file) if each["type"] == "visit"]


def samples(path):
    return {(each["block"], each["config"]): each["samples_ns"] for each in visits(path)}


def expected(folder, blocks):
    run(folder, *words_of(blocks), "--job", "one")
    run(folder, PROGRAM, "block", "one", *range(blocks), "-q")
    run(folder, PROGRAM, "merge", "one", "-o", "one.jsonl")
    return samples(folder / "one.jsonl")


def run(folder, *words, check=True, env=None):
    return subprocess.run([str(word) for word in words], cwd=folder, check=check, env=env, capture_output=True, text=True)


class Study:
    """One launcher, and what happens to it. Every task takes 4 s, so that faults meet it."""

    def __init__(self, folder, slurm, blocks):
        self.folder, self.slurm, self.blocks, self.launcher = folder, slurm, blocks, None
        self.env = os.environ | {"SLURM_CONF": str(slurm / "slurm.conf"), "SLURM_TEST_DELAY": "4"}

    def launch(self):
        words = [*words_of(self.blocks), "--launcher", "slurm", "--at-once", 4, "-o", "run.jsonl"]
        with open(self.folder / "launcher.log", "a", encoding="utf-8") as log:
            self.launcher = subprocess.Popen([str(word) for word in words], cwd=self.folder, env=self.env, stdout=log, stderr=log)

    def call(self, *words):
        return run(self.folder, *words, check=False, env=self.env).stdout.split()

    def node(self, rng):
        name = rng.choice(NODES)
        run(self.folder, HERE / "slurm.sh", "kill", self.slurm, name)
        time.sleep(rng.uniform(0.2, 7))
        run(self.folder, HERE / "slurm.sh", "node", self.slurm, name)

    def process(self, rng):
        """One that measures a block right now; it does so for a small part of a task."""
        found, until = [], time.monotonic() + 10
        while not found and self.is_running() and time.monotonic() < until:
            found = [pid for pid in pathlib.Path("/proc").glob("[0-9]*") if is_block_of(pid, self.folder)]
        if found:
            end(int(rng.choice(found).name))

    def scancel(self, rng):
        tasks = self.call("squeue", "-h", "-r", "-t", "R", "-o", "%i")
        if tasks:
            self.call("scancel", rng.choice(tasks))

    def kill_launcher(self, _):
        self.launcher.kill()
        self.launcher.wait()
        self.launch()

    def is_running(self):
        return self.launcher.poll() is None


def is_block_of(pid, folder):
    try:
        words = (pid / "cmdline").read_bytes().decode().split("\0")
    except OSError:
        return False
    return words[1:2] == ["block"] and words[2:3] == [str(folder / "run.job")]


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def soak(seed, slurm, blocks):
    rng = random.Random(seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
    study, faults, rounds = Study(folder, slurm, blocks), collections.Counter(), 0
    want = expected(folder, blocks)
    started = time.monotonic()
    study.launch()
    while sum(faults.values()) < FAULTS and rounds < 10:
        time.sleep(rng.uniform(0.3, 1.5))
        if not study.is_running():  # all blocks are there: more of them
            rounds += 1
            study.blocks = blocks = blocks + 24
            want = expected(folder, blocks)
            study.launch()
        fault = rng.choice(["node", "node", "process", "scancel", "kill_launcher"])
        getattr(study, fault)(rng)
        faults[fault] += 1
    code = study.launcher.wait()
    made = visits(folder / "run.jsonl")
    leftovers = [name for name in os.listdir(folder / "run.job/parts") if not name.endswith(".jsonl") or name.startswith(".")]
    problems = [what for what, is_wrong in {
        f"the launcher ended with {code}": code != 0,
        "visits are there twice": len(made) != len({(each["block"], each["config"]) for each in made}),
        "samples differ from those of one machine": samples(folder / "run.jsonl") != want,
    }.items() if is_wrong]
    print(f"seed {seed}: {dict(faults)}, {blocks} blocks, {len(made)} visits, {len(leftovers)} leftovers, "
          f"{time.monotonic() - started:.0f} s: {'; '.join(problems) or 'as on one machine'}", flush=True)
    if problems:
        print(f"  {folder} stays", flush=True)
    else:
        shutil.rmtree(folder)
    return not problems


def seeds_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=seeds_of, default=range(1, 4), metavar="1-3")
    parser.add_argument("--blocks", type=int, default=40)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slurm-", ignore_cleanup_errors=True) as folder:
        slurm = pathlib.Path(folder)
        run(slurm, HERE / "slurm.sh", "up", slurm)
        try:
            good = [soak(seed, slurm, asked.blocks) for seed in asked.seeds]
        finally:
            run(slurm, HERE / "slurm.sh", "down", slurm)
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
