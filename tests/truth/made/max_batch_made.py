"""Holds `tune --max-batch-only` against every size around its answer, on real models under a real limit.

usage: max_batch_made.py PROGRAM FOLDER [--seconds N] [--so-far] [-o FILE]

Each case is searched, and then sizes are tried by themselves with `profile`, three fresh processes each: those around
the answer, and its half. What is done is kept in FOLDER, so that it goes on when it is called again; with
--seconds it stops after about so long. When nothing is left to do it prints docs/reference/max-batch.md, or writes it to
FILE; with --so-far the cases that are done already, and names the others.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

TRIES = 3
AROUND = 2
CASES = {
    "training, 2 GiB": ["--memory-limit", "2GiB", "-m", "minilm-l6", "--seq-lens", "128", "--mode", "train", "--optimizer", "adamw"],
    "inference, 2 GiB": ["--memory-limit", "2GiB", "-m", "minilm-l6", "--seq-lens", "512"],
}

HEAD = f"""# The largest batch, against trying every size

`tests/truth/made/max_batch_made.py PROGRAM FOLDER` made this page, on {{machine}}, under limits held by {{kind}}. Each
case was searched by `tune --max-batch-only`. Then sizes were tried one by one, {TRIES} fresh processes each: those within
{AROUND} of the answer, and its half. A size fits where all its processes lived; the exhaustive answer is
the largest below which all that was tried fits. {{verdict}}

| case | `max_batch_size` | exhaustive answer | lived of {TRIES} tries, around it | `safe_batch_size` | soak | slope a sample | intercept | off the line | tries | wall time |
|---|---|---|---|---|---|---|---|---|---|---|
"""


class Cases:
    def __init__(self, program, folder, seconds):
        self.program, self.folder = program, folder
        self.end = time.monotonic() + seconds
        folder.mkdir(parents=True, exist_ok=True)

    def kept(self, name, make):
        """The JSON document of that name, made once; None where there is no time left."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            if time.monotonic() > self.end:
                return None
            path.write_text(json.dumps(make()))
        return json.loads(path.read_text())

    def searched(self, arguments, name):
        run = self.folder / f"{name}.jsonl"
        done = subprocess.run(
            [self.program, "tune", "--max-batch-only", *arguments, "--timeout", "10m", "--format", "json",
             "-o", run, "--resume", "--ceilings", self.folder / "ceilings.jsonl"],
            check=True, stdout=subprocess.PIPE, text=True)
        return {"document": json.loads(done.stdout), "header": json.loads(run.open().readline())}

    def lived(self, arguments, size):
        """How many of the fresh processes at that size gave a visit."""
        run = self.folder / "one.jsonl"
        subprocess.run(
            [self.program, "profile", *arguments, "-b", str(size), "--timeout", "10m", "--blocks",
             str(TRIES), "--warmup", "1", "--iterations", "2", "-q", "-o", run, "--overwrite"],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return sum(json.loads(line)["type"] == "visit" for line in run.open())

    def case(self, name, arguments):
        """The search and what each size did, the nearest to the answer first; None for what time ran out on."""
        searched = self.kept(f"search, {name}", lambda: self.searched(arguments, name))
        if searched is None:
            return None
        answer = searched["document"]["configs"][0]["max_batch_size"]
        sizes = {max(1, answer // 2)} | set(range(max(1, answer - AROUND), answer + AROUND + 1))
        lived = {}
        for size in sorted(sizes, key=lambda size: (abs(size - answer), -size)):
            lived[size] = self.kept(f"{name}, {size}", lambda size=size: self.lived(arguments, size))
        return searched, lived


def is_complete(case):
    return case is not None and None not in case[1].values()


def exhaustive(lived):
    """The answer by what was tried; None while a size is not."""
    if None in lived.values():
        return None
    fitting = 0
    for size in sorted(lived):
        if lived[size] < TRIES:
            break
        fitting = size
    return fitting


def shown(value):
    return "not tried yet" if value is None else value


def mib(value):
    return f"{value / 2**20:.4g} MiB"


def row(name, searched, lived):
    (found,) = searched["document"]["configs"]
    answer, memory, soak = found["max_batch_size"], found["memory"], found["soak"]
    around = ", ".join(f"{size}: {shown(lived[size])}" for size in sorted(lived) if abs(size - answer) <= AROUND)
    wall = sum(probe["wall_s"] for probe in found["probes"])
    tokens = f", {found['seq_len']} tokens" if found.get("seq_len") else ""
    model = f"{found['model']}{tokens}, {found['precision']}"
    return (f"| {name}: {model} | {answer} | {shown(exhaustive(lived))} | {around} | {found['safe_batch_size']} "
            f"| {soak['iterations']} iterations, {soak['wall_s']:.0f} s, peak {mib(soak['peak_bytes'])} | {mib(memory['slope_bytes'])} "
            f"| {mib(memory['intercept_bytes'])} | {100 * memory['rms_residual']:.1f} % | {len(found['probes'])} | {wall:.0f} s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--so-far", action="store_true")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    cases = Cases(options.program.resolve(), options.folder, options.seconds)
    done = {}
    for name, arguments in CASES.items():
        done[name] = cases.case(name, arguments)
        if not is_complete(done[name]) and not options.so_far:
            sys.exit("time is up: call it again to go on")
    missing = [name for name, each in done.items() if not is_complete(each)]
    done = {name: each for name, each in done.items() if each is not None}
    if not done:
        sys.exit("no case is done yet")
    searched, _ = next(iter(done.values()))
    answers = [(each["document"]["configs"][0]["max_batch_size"], exhaustive(lived)) for each, lived in done.values()]
    full = [(found, best) for found, best in answers if best is not None]
    within = sum(abs(found - best) <= 1 for found, best in full)
    verdict = f"Within one of it: {within} of {len(full)} cases whose sizes have all been tried."
    machine = searched["header"]["machine"]
    page = HEAD.format(machine=f"{machine['cpu']}, {machine['logical_cpus']} processors", verdict=verdict,
                       kind=searched["document"]["limit"]["kind"])
    page += "\n".join(row(name, *each) for name, each in done.items()) + "\n"
    if missing:
        page += f"\nNot run to the end yet: {'; '.join(missing)}.\n"
    if options.output:
        options.output.write_text(page)
    else:
        print(page, end="")


if __name__ == "__main__":
    main()
