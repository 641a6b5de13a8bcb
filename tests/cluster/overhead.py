#!/usr/bin/env python3
"""What a block of a study costs beside its measurement, with xargs and on the Slurm of slurm.sh; the table of
docs/reference/cluster.md. Blocks are laws in virtual time, so that what they take is overhead.

    tests/cluster/overhead.py > table.md
"""

import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = str(os.environ.get("BATCHSCOPE_BIN", HERE.parents[1] / "build/release/bin/batchscope"))
BLOCKS = 26
STUDY = [PROGRAM, "profile", "-m", "synthetic:affine:2ms,10ms", "-b", "1,2,4,8", "--threads", "1", "--blocks", str(BLOCKS)]


def run(folder, words, env=None):
    subprocess.run(words, cwd=folder, check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def places(path):
    with open(path, encoding="utf-8") as file:
        return sorted((each for each in map(json.loads, file) if each["type"] == "place"), key=lambda each: each["begin_ns"])


def between(found):
    """Seconds from the end of a block to the beginning of the next one on its node, the scouts left out."""
    by_node = collections.defaultdict(list)
    for each in found:
        if each["block"] > 1:
            by_node[each["node"]].append(each)
    return [(after["begin_ns"] - before["end_ns"]) / 1e9 for on in by_node.values() for before, after in zip(on, on[1:])]


def row(engine, submitted, found, seen):
    first, last = found[0]["begin_ns"] / 1e9, max(each["end_ns"] for each in found) / 1e9
    gaps = between(found)
    return (f"| {engine} | {first - submitted:.2f} | {statistics.median(gaps):.2f} | {max(gaps):.2f} | {seen - last:.2f} |")


def with_xargs(folder):
    run(folder, [*STUDY, "--job", "job"])
    submitted = time.time()
    run(folder, ["sh", "-c", f"seq 0 {BLOCKS - 1} | xargs -n1 {PROGRAM} block job -q"])
    seen = time.time()
    run(folder, [PROGRAM, "merge", "job", "-o", "xargs.jsonl"])
    return row("xargs", submitted, places(folder / "xargs.jsonl"), seen)


def calls(env):
    """How often the controller was asked what, as sdiag counts it."""
    shown = subprocess.run(["sdiag"], env=env, capture_output=True, text=True, check=True).stdout
    return {name: int(count) for name, count in re.findall(r"^\s+(REQUEST_\w+)\s+\(\s*\d+\)\s+count:(\d+)", shown, re.MULTILINE)}


def on_slurm(folder, slurm):
    env = os.environ | {"SLURM_CONF": f"{slurm}/slurm.conf"}
    run(folder, [HERE / "slurm.sh", "up", slurm])
    try:
        before, submitted = calls(env), time.time()
        run(folder, [*STUDY, "--launcher", "slurm", "-o", "slurm.jsonl"], env)
        seen = time.time()
        asked = {name: count - before.get(name, 0) for name, count in calls(env).items()}
    finally:
        run(folder, [HERE / "slurm.sh", "down", slurm])
    counted = ", ".join(f"{asked.get(name, 0)} {name}" for name in ("REQUEST_SUBMIT_BATCH_JOB", "REQUEST_JOB_INFO", "REQUEST_JOB_USER_INFO"))
    return row("Slurm, 4 nodes", submitted, places(folder / "slurm.jsonl"), seen), counted


def main():
    made = tempfile.TemporaryDirectory(prefix="overhead-", ignore_cleanup_errors=True)
    own = tempfile.TemporaryDirectory(prefix="slurm-", ignore_cleanup_errors=True)  # munge wants one that all may enter
    with made as name, own as slurm:
        rows = [with_xargs(pathlib.Path(name))]
        of_slurm, counted = on_slurm(pathlib.Path(name), slurm)
    print("| engine | submit to first start, s | between blocks on a node, s: median | most | last end to merged, s |\n|---|---|---|---|---|")
    print("\n".join([*rows, of_slurm]))
    print(f"\nThe controller of Slurm was asked, for {BLOCKS} blocks: {counted}.")


if __name__ == "__main__":
    main()
