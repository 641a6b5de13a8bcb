"""Programs that are slow for a reason: what a monitor that starts them has to name.

usage: scenes.py SCENE SECONDS [FILE]

The GPU that FAKE_GPUS describes is told to be theirs; CPU, threads, processes and disk are those of this machine.
"""

import json
import mmap
import multiprocessing
import os
import pathlib
import random
import sys
import time

MIB = 1 << 20


def take_gpu():
    file = pathlib.Path(os.environ["FAKE_GPUS"])
    described = json.loads(file.read_text())
    described["gpus"][0]["processes"] = [{"pid": os.getpid(), "memory": 40 * 1024 * MIB}]
    fresh = file.with_suffix(".taken")
    fresh.write_text(json.dumps(described))
    os.replace(fresh, file)


def compute(seconds):
    """Of CPU time."""
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        sum(range(1000))


def prepare(batches):
    while True:
        compute(0.2)
        batches.put(0)


def slow_loader(until):
    batches = multiprocessing.Queue(2)
    multiprocessing.Process(target=prepare, args=(batches,), daemon=True).start()
    while time.monotonic() < until:
        batches.get()


def single_thread(until):
    while time.monotonic() < until:
        compute(0.1)


def disk_bound(until, file):
    """Beside the page cache, as what does not fit into memory is read."""
    size = os.path.getsize(file)
    descriptor = os.open(file, os.O_RDONLY | os.O_DIRECT)
    buffer = mmap.mmap(-1, MIB)
    while time.monotonic() < until:
        os.preadv(descriptor, [buffer], random.randrange(size // MIB) * MIB)


def main():
    take_gpu()
    scene = {"slow_loader": slow_loader, "single_thread": single_thread, "disk_bound": disk_bound}[sys.argv[1]]
    scene(time.monotonic() + float(sys.argv[2]), *sys.argv[3:])


if __name__ == "__main__":
    main()
