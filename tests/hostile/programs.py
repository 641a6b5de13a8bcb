"""Models in Python that misbehave at batch 2, and are well at batch 1: what may that cost?

python -m tests.hostile.programs [COUNT]   (./dev hostile-models)

Each is measured at both sizes by `python -m batchscope profile --engine python`, and judged: batch 1 has its time, batch 2
has a time or says why not, nothing is left behind, and the terminal sees no control character.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

from . import execute, judge, names, table
from .tries import Outcome, Try

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 120

_MODEL = """\
import ctypes, os, resource, signal, subprocess, sys, threading, time
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.calls = torch.nn.Linear(4, 4), 0

    def forward(self, x):
        if len(x) == 2:
            self.calls += 1
            if self.calls == {when}:
                misbehave()
        return self.layer(x)


def net():
    return Net()


def misbehave():
{body}
"""

# The same without torch, which takes an interpreter seconds to import.
_QUICK_MODEL = """\
import ctypes, os, resource, signal, subprocess, sys, threading, time


def net(batch_size):
    calls = 0

    def run():
        nonlocal calls
        calls += 1
        if batch_size == 2 and calls == {when}:
            misbehave()
        return sum(range(1000))
    return run


def misbehave():
{body}
"""

_TARGETS = {
    "all its descriptors": "[int(each) for each in os.listdir('/proc/self/fd')]",
    "all but the standard ones": "[int(each) for each in os.listdir('/proc/self/fd') if int(each) > 2]",
    "the lowest": "range(3, 16)",
    "a thousand": "range(3, 1000)",
    "the outputs": "[1, 2]",
}
# As a worker's answers would be, were they not secret.
FORGED = [b"\x1ebatchscope " + secret + b'{"fatal":' + fatal + b',"wall_ns":0,"virtual_time":false,"cpu_ns":0,' + printed + b"}\n"
          for secret in (b"", b"0123456789abcdef ") for fatal, printed in (
              (b"false", b'"refusal":{"kind":"input","what":"x"}'), (b"false", b'"inputs":{"inputs":[]}'), (b"true", b'"inputs":{"inputs":[]}'),
              (b"true", b'"failure":{"kind":"error","message":"forged"}'),
              (b"false", b'"visit":{"config":-1,"block":0,"order":0,"samples_ns":[1,1,1]}'))]
_WORDS = [b"garbage", b"garbage\n", b"\0" * 100, b"\n" * 100, b"\xff\xfe\x80", b"{\"visit\": {}}\n", b"\x1ebatchscope \n", b"\x1ebatchscope {}\n",
          b"\x1ebatchscope ready 1\n", *FORGED, b"ready 1\n", b"timed 1\n", b"go-on 1\n", b"\x1b[31m\x9b31m\x07\n", b"x" * 100_000]


def _written(target, word, times):
    return f"for _ in {times}:\n    for fd in {_TARGETS[target]}:\n        try: os.write(fd, {word!r})\n        except OSError: pass"


def _writes(rng):
    target, word = rng.choice(list(_TARGETS)), rng.choice(_WORDS)
    times = rng.choice(["range(1)", "range(1)", "range(100)", "iter(int, 1)"])
    body = _written(target, word, times)
    return f"writes {word[:12]!r} into {target} ({times})", body


def _closes(rng):
    first = rng.choice([0, 1, 3, 5, 100])
    return f"closes descriptors from {first}", f"os.closerange({first}, {rng.choice([16, 512, 4096])})"


_DETACH = [
    "subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    "subprocess.Popen(['sh', '-c', 'setsid sleep 1000 & setsid sh -c \"sleep 1000\" &'])",
    "subprocess.Popen(['env', '-i', 'setsid', 'sleep', '1000'])",
    "subprocess.Popen(['sh', '-c', 'trap \"\" HUP TERM INT; while :; do sleep 1; done'], start_new_session=True)",
    "subprocess.Popen(['nohup', 'sleep', '1000'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)",
    "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)",
]


def _detaches(rng):
    chosen = [rng.choice(_DETACH) for _ in range(rng.randint(1, 6))]
    ends = rng.choice(["", "", "os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)", "raise RuntimeError('after that')"])
    return f"detaches {len(chosen)}, then {ends or 'goes on'}", "\n".join([*chosen, *([ends] if ends else [])])


def _raises(rng):
    text = names.some(rng)[:3000].decode("utf-8", "surrogateescape")
    kind = rng.choice(["RuntimeError", "ValueError", "KeyError", "MemoryError", "SystemExit", "KeyboardInterrupt", "type('\\x1b[31mE', (Exception,), {})"])
    return f"raises {kind}", f"raise ({kind})({text!r})"


_ENDS = ["os._exit(0)", "os._exit(77)", "sys.exit(5)", "os.abort()", "ctypes.string_at(8)", "os.kill(os.getpid(), signal.SIGSTOP)",
         "os.kill(os.getppid(), signal.SIGTERM); time.sleep(1000)", "os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)",
         "os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1000)", "os.kill(os.getppid(), signal.SIGSTOP); os._exit(3)", "signal.raise_signal(signal.SIGXCPU)", "def again(n): return again(n + 1) + 1\nsys.setrecursionlimit(10**9)\nagain(0)",
         "time.sleep(1000)", "while True: pass", "threading.Thread(target=os._exit, args=(9,)).start(); time.sleep(1000)"]
_TAKES = ["kept = []\nwhile True: kept.append(bytearray(1 << 28))", "bytearray(1 << 40)", "torch.empty(1 << 42)",
          "resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))", "for _ in range(100000): os.open('/dev/null', 0)",
          "threads = [threading.Thread(target=time.sleep, args=(1000,), daemon=True) for _ in range(2000)]\nfor each in threads: each.start()"]
_MEDDLES = ["os.environ.clear()", "sys.path.clear(); sys.modules.clear()", "os.chdir('/')", "sys.stdout = sys.stderr = None", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))",
            "os.setpgid(0, 0)", "os.setsid()", "torch.Tensor.__add__ = None; torch.nn.Linear.forward = None", "sys.stdout.write('\\x1b[2J' * 100000); sys.stdout.flush()"]


def _from(what, bodies):
    def make(rng):
        body = rng.choice(bodies)
        return f"{what}: {body[:60]!r}", body
    return make


MAKERS = {"writes": _writes, "closes": _closes, "detaches": _detaches, "raises": _raises, "ends": _from("ends", _ENDS), "takes": _from("takes", _TAKES),
          "meddles": _from("meddles", _MEDDLES)}
_OFTEN = ["writes", "writes", "writes", "detaches", "detaches", "raises", "raises", "ends", "takes", "closes", "meddles"]


@dataclasses.dataclass
class Hostile:
    kind: str
    what: str
    source: str
    name: str  # of the file
    inputs: tuple = ("--input", "x:Bx4")


def _source(body, when=1, quick=False):
    return (_QUICK_MODEL if quick else _MODEL).format(when=when, body="\n".join("    " + line for line in body.split("\n")))


def forging(word):
    """A model that writes these words of a worker into each of its connections."""
    body = _written("all but the standard ones", word, "range(1)")
    return Hostile("writes", f"forges {word!r}", _source(body, quick=True), "net.py", ())


def made(index, seed=1, quick=False):
    """The model of this number, which depends on no other; every kind is among the first seven. `quick`: without torch,
    where what it does needs none."""
    rng = random.Random(f"{seed}:{index}")
    kind = list(MAKERS)[index] if index < len(MAKERS) else rng.choice(_OFTEN)
    what, body = MAKERS[kind](rng)
    quick = quick and "torch" not in body
    source = _source(body, when=rng.choice([1, 2, 2, 3]), quick=quick)
    name = names.file_name(rng).decode("utf-8", "ignore")[:60] if rng.random() < 0.2 else "net"
    name = name.replace(":", "_").replace("=", "_").replace(",", "_") + ".py"
    return Hostile(kind, what, source, name, () if quick else Hostile.inputs)


def _records(file):
    """(lines by type, violations): all lines are whole, and JSON."""
    lines, found = collections.defaultdict(list), []
    if not file.exists():
        return lines, ["no run file"]
    for line in file.read_bytes().split(b"\n")[:-1]:
        problem = judge.json_problem(line)
        if problem:
            found.append(f"a line of the run file is no JSON: {problem}")
            continue
        record = json.loads(line)
        lines[record["type"]].append(record)
    return lines, found


def _of_the_run(file):
    lines, found = _records(file)
    sizes = {record["index"] if "index" in record else number: record["batch_size"] for number, record in enumerate(lines["config"])}
    visited = {sizes.get(record["config"]) for record in lines["visit"]}
    reported = {sizes.get(record.get("config")) for record in lines["event"]}
    if 1 not in visited:
        found.append("batch 1, which is well, was not measured")
    if 2 not in visited | reported:
        found.append("batch 2 has neither a time nor a reason")
    return found


def violations(hostile, program, folder, environment):
    """Measures it in `folder`, and says what must not be."""
    folder.mkdir(parents=True)
    source = folder / hostile.name
    source.write_text(hostile.source)
    run = folder / "run.jsonl"
    arguments = ["profile", "--engine", "python", "-m", f"{source}:net", *hostile.inputs, "-b", "1,2", "--blocks", "1", "--iterations", "3", "--timeout", "20s",
                 "--memory-limit", "3GiB", "-o", str(run)]
    others = execute.children()
    process = subprocess.Popen([sys.executable, "-m", "batchscope", *arguments], env=environment | {"BATCHSCOPE_PROGRAM": str(program), "TMPDIR": str(folder)},
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=execute.patience(SECONDS))
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        (out, err), code = process.communicate(), None
    found = list(judge.judge(Try(hostile.what, arguments), Outcome(code, out, err)))
    found += [f"left behind: process {name}" for _, name in execute.reap(5, others)]
    return found + _of_the_run(run)


def _judged(index, seed, program, folder):
    place = pathlib.Path(folder) / str(index)
    shutil.rmtree(place, ignore_errors=True)
    hostile = made(index, seed)
    found = violations(hostile, program, place, dict(os.environ))
    if not found:
        shutil.rmtree(place, ignore_errors=True)
    return index, hostile, found


def _table(tallies, count, seed):
    rows = [f"| {kind} | {tries} | {bad} |" for kind, (tries, bad) in sorted(tallies.items())]
    total = f"| all | {count} | {sum(bad for _, bad in tallies.values())} |"
    return "\n".join(["| a model that | models | with a violation |", "|---|---|---|", *rows, total, "", f"Seed {seed}."])


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.programs", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="INDEX")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/batchscope")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/hostile-models")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="a page whose part 'programs' is replaced")
    given = parser.parse_args()
    indices = [given.only] if given.only is not None else range(given.count)
    tallies, failed = {}, False
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ProcessPoolExecutor(given.jobs, initializer=execute.adopt_orphans))
        tasks = [pool.submit(_judged, index, given.seed, given.program, str(given.folder)) for index in indices]
        for task in concurrent.futures.as_completed(tasks):
            index, hostile, found = task.result()
            tries, bad = tallies.get(hostile.kind, (0, 0))
            tallies[hostile.kind] = (tries + 1, bad + bool(found))
            for what in found:
                failed = True
                print(f"{index} ({hostile.what}): {what}\n    kept in {given.folder / str(index)}", flush=True)
    text = _table(tallies, len(indices), given.seed)
    print(text)
    if given.output:
        table.put(given.output, text, "programs")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
