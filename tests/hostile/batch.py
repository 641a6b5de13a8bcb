"""Runs many tries on several processes, and counts what came of them."""

import collections
import concurrent.futures
import dataclasses
import pathlib
import random
import shutil
import time

from . import execute, kinds, leftovers
from .corpus import Corpus
from .judge import judge


@dataclasses.dataclass
class Result:
    kind: str
    index: int
    what: str
    codes: list
    violations: list  # (what, command)
    folder: str


@dataclasses.dataclass
class Tally:
    """Of a kind: how many tries, how often each exit code, how many with a violation."""

    tries: int = 0
    codes: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    violations: int = 0


def made(seed, kind, index, corpus):
    """The try of this number, which depends on no other."""
    return kinds.MAKERS[kind](random.Random(f"{seed}:{kind}:{index}"), corpus)


class _Worker:
    """What a process of the pool keeps between tries."""

    def __init__(self, program, corpus, folder, seed, limits):
        self.program, self.corpus, self.folder, self.seed, self.limits = program, corpus, folder, seed, limits

    def step(self, one, folder, number):
        before = leftovers.snapshot(folder)
        for name, data in one.files.items():
            before[execute.as_bytes(name)] = data
        outcome, left = execute.run(self.program, one, folder, self.limits, number)
        found = list(judge(one, outcome))
        found += [f"left behind: process {name}" for _, name in left]
        found += leftovers.changes(one, folder, before)
        found += leftovers.around(folder, outcome.code is None or outcome.signal_sent or (outcome.code or 0) < 0)
        found += one.check(folder) if one.check else []
        return outcome, found

    def run(self, kind, index):
        one = made(self.seed, kind, index, self.corpus)
        folder = self.folder / f"{kind}-{index}"
        shutil.rmtree(folder, ignore_errors=True)
        execute.lay_out(one, folder)
        result = Result(kind, index, one.what, [], [], str(folder))
        while one is not None and not result.violations:
            outcome, found = self.step(one, folder, len(result.codes))
            result.codes.append("none" if outcome.code is None else outcome.code)
            result.violations = [(what, execute.spoken(self.program, one)) for what in dict.fromkeys(found)]
            one = one.follows(outcome) if one.follows else None
        if not result.violations and not self.limits["keep"]:
            shutil.rmtree(folder, ignore_errors=True)
        return result


_worker = None


def _begin(*arguments):
    global _worker  # one for each process of the pool
    _worker = _Worker(*arguments)
    execute.adopt_orphans()


def _run(task):
    return _worker.run(*task)


def is_sanitized(program):
    """Address sanitizers reserve terabytes of addresses, which no limit may forbid."""
    return b"__asan_init" in pathlib.Path(program).read_bytes()


def prepare(program, folder, seed, seconds, keep=False):
    """Arguments of a worker: the program, valid inputs, a folder, the seed, limits. With `keep`, tries stay there, those
    of before too."""
    program, folder = pathlib.Path(program).resolve(), pathlib.Path(folder).resolve()
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    limits = {"seconds": seconds, "memory_kb": None if is_sanitized(program) else 4 << 20, "keep": keep}
    return program, Corpus(program, folder / "corpus"), folder, seed, limits


def run(arguments, tasks, jobs, reported=lambda result: None):
    """({kind: Tally}, results with violations); tasks are (kind, index)."""
    tallies, bad = collections.defaultdict(Tally), []
    groups = leftovers.cgroups()
    with concurrent.futures.ProcessPoolExecutor(jobs, initializer=_begin, initargs=arguments) as pool:
        for result in pool.map(_run, tasks, chunksize=4):
            tally = tallies[result.kind]
            tally.tries += 1
            tally.codes.update(result.codes)
            tally.violations += bool(result.violations)
            if result.violations:
                bad.append(result)
            reported(result)
    left = leftovers.cgroups() - groups
    if left:
        bad.append(Result("all", 0, "control groups left behind", [], [(path, "") for path in sorted(left)], ""))
    return tallies, bad


def tasks_of(tries, only_kind=None):
    """(kind, index) of all tries, spread so that a kind that takes long does not come last."""
    counts = {only_kind: tries} if only_kind else kinds.counts(tries)
    placed = [((index + 0.5) / count, kind, index) for kind, count in counts.items() for index in range(count)]
    return [(kind, index) for _, kind, index in sorted(placed)]


class Clock:
    """Wall time, for what is printed at the end."""

    def __init__(self):
        self.begun = time.monotonic()

    def seconds(self):
        return time.monotonic() - self.begun
