"""Makes causes happen on this machine and looks whether `profile --diagnose` names them, and only then.

usage: causes_made.py PROGRAM [CASE...]   prints a section of docs/reference/truth.md

A case is a model and settings in which a cause is known to act, and a control that differs in the cause alone. The cause
is named when the made run confirms it, that is when its intervention took time away; the control is silent when it
neither confirms nor suspects it. Nothing else may run on the machine meanwhile.
"""

import dataclasses
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

# Of the table that is read in small pages: so many that what these cost is beyond the 3 % below which a cause is refuted.
ROWS = 1 << 28
HEAP = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4294967296:glibc.malloc.top_pad=268435456"


class Touch(torch.nn.Module):
    """Fresh memory of the input's size in every iteration, and hardly any work on it."""

    def forward(self, x):
        return x.mul(2.0)


class RowByRow(torch.nn.Module):
    """An operator that gives whole rows to threads."""

    def forward(self, x):
        return x.cumsum(-1)


class Gather(torch.nn.Module):
    """Reads all over a table that is larger than what the processor can address by its small pages."""

    def __init__(self, rows):
        super().__init__()
        self.register_buffer("table", torch.zeros(rows))

    def forward(self, x):
        return self.table.take(x).sum(-1)


@dataclasses.dataclass
class Case:
    cause: str
    made: str
    control: str
    arguments: list
    made_arguments: list = dataclasses.field(default_factory=list)
    control_arguments: list = dataclasses.field(default_factory=list)
    made_environment: dict = dataclasses.field(default_factory=dict)
    control_environment: dict = dataclasses.field(default_factory=dict)
    part: str = "kernels"
    shown: str = "confirmed"  # or "measured", "proven": the status of what names it
    blocks: int = 6


PYTHON = "tests/truth/made/python_models.py"


def python_cases():
    """Of models in Python. The last is no cause but a slow size: batch 4 alone is to be found, and nothing in the control."""
    return [
        Case("cause.garbage-collection", "gc.collect() in every call at batch 2", "the same in no call",
             ["-m", f"{PYTHON}:Collects", "-b", "1,2", "--iterations", "10"],
             control_arguments=["--param", "at=0"], part="memory"),
        Case("bottleneck.recompilation", "a compiled module that changes with every fourth call", "one that never changes",
             ["-m", f"{PYTHON}:anew", "--input", "x:Bx64", "-b", "1,2", "--compile", "on", "--iterations", "8"],
             control_arguments=["--param", "every=0"], shown="measured", blocks=3),
        Case("scaling.departure", "a quarter more steps at batch 4, eager", "as many at all sizes",
             ["-m", f"{PYTHON}:steps", "--input", "x:Bx192", "-b", "1,2,3,4,6,8", "--threads", "1",
              "--iterations", "10"],
             control_arguments=["--param", "at=0"], shown="proven", blocks=12),
    ]


def cases(models):
    minilm = ["-m", "minilm-l6"]
    return [
        Case("cause.heap-returned", "40 MiB of fresh memory an iteration at batch 2", "the same with a malloc that keeps it",
             ["-m", str(models / "touch.pt"), "--input", "x:Bx5242880", "-b", "1,2"],
             control_environment={"GLIBC_TUNABLES": HEAP}, part="memory"),
        Case("cause.small-pages", "random reads of a table of 1 GiB in small pages", "the same in huge pages",
             ["-m", str(models / "gather.pt"), "--input", f"x:Bx1000000:int64=0-{ROWS - 1}", "-b", "1,2"],
             control_environment={"THP_MEM_ALLOC_ENABLE": "1"}, part="memory"),
        Case("cause.primitive-cache", "oneDNN's cache of kernels set to 0, bf16", "the default cache",
             [*minilm, "--seq-lens", "16", "--precision", "bf16", "-b", "1,2"],
             made_environment={"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "0"}),
        Case("cause.thread-imbalance", "one or three rows for two threads", "two or four rows for two threads",
             ["-m", str(models / "rows.pt"), "--input", "x:Bx4000000", "--threads", "2"],
             made_arguments=["-b", "1,3"], control_arguments=["-b", "2,4"]),
        Case("cause.padding", "lengths 8-128, most of them short", "lengths 60-64", [*minilm, "-b", "1,8"],
             made_arguments=["--seq-lens", "8-128:lognormal(24,0.8)"],
             control_arguments=["--seq-lens", "60-64:uniform"], part="padding"),
        *python_cases(),
    ]


def write_models(folder):
    for name, module in [("touch", Touch()), ("rows", RowByRow()), ("gather", Gather(ROWS))]:
        torch.jit.script(module).save(str(folder / f"{name}.pt"))


def findings(program, case, arguments, environment, folder):
    """What was found of the cause: {status: message}, and the wall time."""
    run = folder / "run.jsonl"
    start = time.monotonic()
    # What the caller has set would act on both sides.
    clean = {name: value for name, value in os.environ.items()
             if name not in ("GLIBC_TUNABLES", "THP_MEM_ALLOC_ENABLE", "ONEDNN_PRIMITIVE_CACHE_CAPACITY")}
    # For models in Python this interpreter, with the package that was built with the program.
    clean |= {"BATCHSCOPE_PYTHON": sys.executable, "PYTHONPATH": str(Path(program).resolve().parents[1] / "python")}
    subprocess.run([program, "profile", *case.arguments, *arguments, "--blocks", str(case.blocks), "--diagnose", "--only", case.part,
                    "--verify", "off", "-q", "-o", str(run), "--overwrite"],
                   check=True, env={**clean, **environment}, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - start
    out = subprocess.run([program, "analyze", "--format", "json", str(run)], check=True, capture_output=True, text=True)
    found = {each["status"]: each for each in json.loads(out.stdout)["findings"] if each["id"] == case.cause}
    return found, wall


def effect_of(case, made):
    """What it costs, as the finding says: by the intervention, by measurement, or over the law with the sizes that it names."""
    if case.shown not in made:
        return ", ".join(made) or "not seen"
    if case.shown == "confirmed":
        return saved(made["confirmed"])
    finding = made[case.shown]
    share = finding["evidence"][0] if case.shown == "measured" else finding["evidence"][1]
    sizes = ", ".join(map(str, finding["where"]["batch_sizes"]))
    return f"{100 * share['value']:.0f} % at batch {sizes}"


def saved(finding):
    for each in finding["evidence"]:
        if each["metric"] == "time_saved":
            return f"{100 * each['value']:.0f} % [{100 * each['ci_low']:.0f}, {100 * each['ci_high']:.0f}]"
    return "-"


def row(program, case, folder):
    made, made_s = findings(program, case, case.made_arguments, case.made_environment, folder)
    control, control_s = findings(program, case, case.control_arguments, case.control_environment, folder)
    named = "yes" if case.shown in made else "no"
    silent = "yes" if not set(control) & {case.shown, "suspected"} else "no: " + ", ".join(control)
    return f"| `{case.cause}` | {case.made} | {named} | {effect_of(case, made)} | {case.control} | {silent} | {made_s + control_s:.0f} s |"


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    print("\n## Causes made to happen on a real machine\n")
    print(f"{cpu}, {os.cpu_count()} processors, Linux {platform.release().split('-')[0]}, torch {torch.__version__}. "
          "Named: confirmed by its\nintervention. Silent: neither confirmed nor suspected. Written by `./dev truth`.\n")
    print("| cause | made to happen | named | time its intervention saves | control | silent | took |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_models(folder)
        for case in cases(folder):
            if not wanted or case.cause in wanted:
                print(row(program, case, folder), flush=True)


if __name__ == "__main__":
    main()
