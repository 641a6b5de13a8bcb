"""python -m tests.hostile: many hostile tries, a table of what came of them, and every violation with its command."""

import argparse
import os
import pathlib
import sys

from . import batch, kinds, table

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=list(kinds.MAKERS), help="only this kind")
    parser.add_argument("--only", type=int, metavar="INDEX", help="only this try of --kind, which is kept")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=20, help="that a command may take")
    parser.add_argument("--program", type=pathlib.Path, default=os.environ.get("BATCHSCOPE_BIN", ROOT / "build/release/bin/batchscope"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/hostile", help="emptied; keeps the tries with a violation")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="a page whose part 'table' is replaced")
    arguments = parser.parse_args()
    if arguments.only is not None and not arguments.kind:
        parser.error("--only needs --kind")
    return arguments


def main():
    given = _arguments()
    if not pathlib.Path(given.program).exists():
        sys.exit(f"hostile: {given.program} is missing: ./dev build makes it; BATCHSCOPE_BIN names another")
    clock = batch.Clock()
    prepared = batch.prepare(given.program, given.folder, given.seed, given.seconds, keep=given.only is not None)
    tasks = [(given.kind, given.only)] if given.only is not None else batch.tasks_of(given.tries, given.kind)
    done = 0

    def reported(result):
        nonlocal done
        done += 1
        for what, command in result.violations:
            print(f"{result.kind} {result.index} ({result.what[:100]}): {what}\n    {command[:600]}\n    kept in {result.folder}", flush=True)
        if done % 1000 == 0:
            print(f"{done} of {len(tasks)} tries, {clock.seconds():.0f} s", file=sys.stderr)

    tallies, bad = batch.run(prepared, tasks, given.jobs, reported)
    text = table.written(tallies, bad, given.seed)
    print(text)
    print(f"{clock.seconds():.0f} s")
    if given.output:
        table.put(given.output, text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
