"""Profiles DataLoaders over five data sets beside sleeping and computing steps, and holds what is said against plain loops.

usage: loaders_made.py PROGRAM [BLOCKS [REPEATS [SECONDS [SET...]]]]   prints a section of docs/reference/truth.md

Each case is a data set and a step, about as long as its loader takes for a batch. profile_loader() recommends a setting; then
plain loops, each in a process of its own, are made with every setting, in blocks of random order. The pick is right when it
takes at most 2 % longer than the best of them, or when the profile says that it cannot tell (which is best, or the pick from
that one). And plain loops of the pick, and
of no workers, beside steps of lengths that were not measured are held against what was predicted for them. Nothing else may
run on the machine meanwhile.
"""

import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKERS, PREFETCH = (0, 1, 2, 4), (2, 4)
# About what a batch takes on one core, ms: beside a step as long a loader matters most.
STEPS_MS = {"memory": 10, "jpeg": 50, "ppm": 30, "text": 12, "remote": 30}
OTHERS = (0.7, 1.4, 1.75)  # of the step: not measured, predicted
MOST_OVER = 0.02
WIDEST = 0.10

sys.path.insert(0, str(HERE))


def plain_loop(case, workers, prefetch, length, seconds):
    command = [sys.executable, "-W", "ignore", str(HERE / "loader_loop.py"), case, str(workers), str(prefetch), length, str(seconds)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def in_blocks(loops, repeats, seconds):
    """ms by loop; every block has each once, in another order."""
    taken = {loop: [] for loop in loops}
    for _ in range(repeats):
        for loop in random.sample(list(loops), len(loops)):
            taken[loop].append(plain_loop(*loop, seconds))
    return {loop: statistics.geometric_mean(times) for loop, times in taken.items()}


def length_of(computes, milliseconds):
    return f"step:{'cpu:' if computes else ''}{milliseconds:.6g}ms"


class Case:
    def __init__(self, name, computes):
        import loader_sets

        self.name, self.computes, self.step_ms = name, computes, STEPS_MS[name]
        self.batch = loader_sets.BATCH[name]

    def words(self):
        return f"{self.name}, {'computing' if self.computes else 'sleeping'} {self.step_ms} ms"

    def profile(self, blocks, folder):
        from batchscope.torch import profile_loader

        step = length_of(self.computes, self.step_ms).removeprefix("step:")
        return profile_loader(f"{HERE}/loader_sets.py:{self.name}", self.batch, num_workers=WORKERS, prefetch_factor=PREFETCH,
                              step=step, threads=1, blocks=blocks, budget="1h", progress=False,
                              output=folder / f"{self.name}-{self.computes}.jsonl")

    def loop(self, setting, factor=1.0):
        return self.name, setting.num_workers, setting.prefetch_factor or 2, length_of(self.computes, self.step_ms * factor)


def picked(profile):
    found = profile.recommendation
    if found is None or found.undecided or found.withdrawn:
        return None
    loader = found.setting["loader"]
    return profile.setting(num_workers=loader["workers"], prefetch_factor=loader["prefetch"] if loader["workers"] else None)


def is_left_open(profile, workers):
    """Whether the pick is reported not to be proven better than this number of workers."""
    doubts = profile.recommendation.message.partition("It is not proven better than")[2]
    return f"with {workers} loader worker" in doubts


def judge_pick(case, profile, repeats, seconds):
    """(row of the table, whether it is right)"""
    pick = picked(profile)
    real = in_blocks([case.loop(each) for each in profile.settings], repeats, seconds)
    best = min(real, key=real.get)
    shown = f"{best[1]} workers, {real[best]:.1f} ms"
    if pick is None:
        return f"| {case.words()} | cannot tell | {shown} | | yes |", True
    over = real[case.loop(pick)] / real[best] - 1
    reported = "verified" if profile.recommendation.verified else "not verified"
    is_open = is_left_open(profile, best[1])
    reported += ", not proven better than the best" if is_open else ""
    right = over <= MOST_OVER or is_open
    return (f"| {case.words()} | {pick.num_workers} workers, prefetch {pick.prefetch_factor or 2}, {reported} | {shown} | "
            f"{100 * over:.1f} % | {'yes' if right else '**no**'} |"), right


def judge_predictions(case, profile, repeats, seconds):
    """(rows, how many hold, how many of these are narrow)"""
    setting = picked(profile) or profile.settings[0]
    real = in_blocks([case.loop(setting, factor) for factor in OTHERS], repeats, seconds)
    rows, holds, narrow = [], 0, 0
    for factor in OTHERS:
        at, truth = setting.iteration_at(case.step_ms * factor * 1e-3), real[case.loop(setting, factor)]
        width = (at.high - at.low) / 2 / at.value
        held = at.low <= truth <= at.high
        holds, narrow = holds + held, narrow + (width <= WIDEST)
        rows.append(f"| {case.words()} | {setting.num_workers} | {case.step_ms * factor:.1f} | {at.value:.1f} [{at.low:.1f}, {at.high:.1f}] "
                    f"| {truth:.1f} | {100 * (at.value / truth - 1):+.1f} % | {'yes' if held else '**no**'} |")
    return rows, holds, narrow


def judge_planted(profile):
    """Text beside a computing step: who waits least, and who is picked."""
    waits = min(profile.settings, key=lambda each: each.wait_ms)
    pick = picked(profile)
    reported = [finding.message for finding in profile.findings if finding.id == "loader.too-many-workers"]
    lines = [f"{each.num_workers} workers, prefetch {each.prefetch_factor or 2}: wait {each.wait_ms:.1f}, step {each.own_ms:.1f}, iteration "
             f"{each.iteration_ms.value:.1f} ms" for each in profile.settings]
    answer = f"{pick.num_workers} workers" if pick else "cannot tell"
    return "\n".join(["Text beside a computing step: the least wait is with " + f"{waits.num_workers} workers; the pick: {answer}.", "",
                      *[f"- {line}" for line in lines], "", *reported])


def main():
    blocks, repeats, seconds = (float(each) for each in (sys.argv[2:5] + ["10", "6", "2"][len(sys.argv[2:5]):]))
    os.environ["BATCHSCOPE_PROGRAM"] = str(Path(sys.argv[1]).resolve())
    names = sys.argv[5:] or list(STEPS_MS)
    folder = Path(tempfile.mkdtemp(prefix="loaders-"))
    os.environ.setdefault("BATCHSCOPE_SETS", str(folder / "samples"))
    picks, rows, right, holds, narrow, planted, begun = [], [], 0, 0, 0, "", time.monotonic()
    cases = [Case(name, computes) for name in names for computes in (False, True)]
    for case in cases:
        profile = case.profile(int(blocks), folder)
        row, is_right = judge_pick(case, profile, int(repeats), seconds)
        of_case, held, narrowly = judge_predictions(case, profile, int(repeats), seconds)
        picks.append(row)
        rows += of_case
        right, holds, narrow = right + is_right, holds + held, narrow + narrowly
        if case.name == "text" and case.computes:
            planted = judge_planted(profile)
        print(row, *of_case, sep="\n", file=sys.stderr, flush=True)
    print(f"## Loaders of torch\n\n`./dev truth training` on {platform.machine()}, {os.cpu_count()} CPUs; {int(blocks)} blocks, plain loops of "
          f"{seconds:g} s in {int(repeats)} blocks; {(time.monotonic() - begun) / 60:.0f} minutes.\n\n"
          f"The pick is at most {100 * MOST_OVER:.0f} % over the best, or not told, in {right} of {len(cases)} cases. Predictions hold in {holds} of "
          f"{len(rows)}; their intervals are at most {100 * WIDEST:.0f} % either way in {narrow}.\n\n"
          f"| data set, step | pick | best of plain loops | pick over it | right |\n|---|---|---|---|---|\n" + "\n".join(picks) +
          f"\n\n{planted}\n\n| data set, step | workers | step ms | predicted ms | plain loops ms | off by | holds |\n|---|---|---|---|---|---|---|\n" +
          "\n".join(rows))


if __name__ == "__main__":
    main()
