"""Whether TrainingGuard loses nothing: failures of memory, kills and signals, many of each; docs/reference/truth.md, part guard.

usage: guard_made.py [--runs 1000] [--kills 50] [--signals 20] [--folder build/guard]

Each kill and each signal comes at a random moment of a training in a process of its own, started as a user starts it.
"""

import argparse
import gc
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[3]
TRAINED = ROOT / "tests/python/training/trained.py"
sys.path.insert(0, str(TRAINED.parent))

import torch  # noqa: E402

import guarded  # noqa: E402
import processes  # noqa: E402
import trained  # noqa: E402
from batchscope._training.checkpoints import Checkpoints  # noqa: E402
from batchscope.torch import TrainingGuard  # noqa: E402

STARTS = ("fork", "spawn", "forkserver")
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)


def memory_rows(runs):
    rng, worst, failed = random.Random(1), 0.0, 0
    for seed in range(runs):
        plan = guarded.random_plan(rng, places=3, largest=24)
        expected, _ = guarded.run(lambda *_: None, guarded.no_failure(), seed)
        with tempfile.TemporaryDirectory() as folder:
            got, failures = guarded.run(lambda net, optimizer: TrainingGuard(net, optimizer, folder), plan, seed)
        failed += failures > 0
        worst = max(worst, guarded.difference(expected, got))
    yield (f"{runs} random runs of ragged batches weighed by tokens, out of memory somewhere in forward or backward in {failed}",
           f"weights off by at most {worst:.1e}", worst < 1e-5)


def command(folder, steps, workers, *words):
    return [sys.executable, "-W", "ignore", TRAINED, folder, str(steps), str(workers), *words]


def started(folder, steps, workers, *words):
    return subprocess.Popen(command(folder, steps, workers, *words), stdout=subprocess.PIPE, text=True, start_new_session=True)


def ended(process):
    """(exit code, what it wrote last)."""
    lines = process.communicate()[0].split("\n")
    return process.returncode, next((each for each in reversed(lines) if each.startswith("weights")), "")


def wait_for(process, text):
    for line in process.stdout:
        if line.strip() == text:
            return
    sys.exit(f"the training ended before '{text}'")


def kill_rows(kills, folder):
    rng, steps = random.Random(5), 20 * kills
    full, cut = folder / "whole", folder / "cut"
    code, weights = ended(started(full, steps, 0))
    done = within = 0
    while done < kills:
        process = started(cut, steps, rng.choice((0, 2)), "--every", "3")
        for _ in range(rng.randint(1, 12)):
            if not process.stdout.readline():
                sys.exit("the training ended before all kills")
        time.sleep(rng.uniform(0, 0.03))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done += 1
        within += bool(list((cut / "checkpoints").glob(".writing-*")))
    last = ended(started(cut, steps, 2, "--every", "3"))
    expected, got = trained.losses_of(full), trained.losses_of(cut)
    wrong = sum(got[step] != expected[step] for step in got)
    again = sum(1 for _ in open(cut / "losses.txt")) - len(got)
    yield (f"{kills} SIGKILLs at random moments, {within} of them while a checkpoint was written, each start with 0 or 2 workers; random "
           "augmentation, dropout, BatchNorm, AdamW, a schedule",
           f"{wrong} of {len(got)} losses differ from the uninterrupted run's, {again} steps made again; weights "
           f"{'equal' if last == (0, weights) else 'differ'}", wrong == 0 and (code, last) == (0, (0, weights)))


def signal_rows(count, folder):
    rng, right, slowest, left = random.Random(7), 0, 0.0, 0
    for trial in range(count):
        number, start = SIGNALS[trial % 3], STARTS[trial // 3 % 3]
        place = folder / f"signal{trial}"
        process = started(place, 10**9, 2, "--start", start, "--step", "1", "--every", str(10**9))
        wait_for(process, f"step {rng.randint(1, 2)}")
        time.sleep(rng.uniform(0, 1))
        group = processes.group_of(process.pid)
        begun = time.monotonic()
        os.killpg(process.pid, number)
        code, _ = ended(process)
        took = time.monotonic() - begun
        left += processes.left(group, 10)
        found = Checkpoints(place / "checkpoints").newest()
        losses = len(trained.losses_of(place))
        right += code == 75 and found is not None and losses in (found.manifest["step"] - 1, found.manifest["step"])
        slowest = max(slowest, took)
    yield (f"{count} signals (SIGTERM, SIGINT, SIGUSR1) to the process group at random moments; 2 workers by fork, spawn, forkserver; steps "
           "of 1 s", f"{right} ended with a checkpoint of complete steps and exit code 75, the slowest after {slowest:.1f} s; {left} workers "
           "were left 10 s later", right == count and slowest < 6 and left == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--signals", type=int, default=20)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/guard")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    warnings.simplefilter("ignore")
    gc.freeze()  # what is there by now is left out of the collection after each failure
    torch.set_num_threads(1)
    print("## A guarded training\n\nMade by `./dev truth guard`: `tests/truth/made/guard_made.py`.\n")
    print("| what was done | what came of it | passes |\n|---|---|---|", flush=True)
    passes = True
    for rows in (memory_rows(options.runs), kill_rows(options.kills, options.folder), signal_rows(options.signals, options.folder)):
        for what, found, passed in rows:
            print(f"| {what} | {found} | {'yes' if passed else 'NO'} |", flush=True)
            passes = passes and passed
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main())
