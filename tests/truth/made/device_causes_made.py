"""Makes causes happen on a simulated accelerator and looks whether `profile --diagnose` names them, and only then.

usage: device_causes_made.py PROGRAM [CASE...]   prints a section of docs/reference/truth.md

A case is a model and what its device costs, and a control that differs in the cause alone. Named: there is a finding of
the cause, suspected or measured; there is no intervention for these. Silent: there is none.
"""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import accelerator  # noqa: E402

SHORT_NS, LONG_NS = 5_000, 400_000


class Steps(torch.nn.Module):
    """Many operations one after the other; with `asks` the host looks at a result in between."""

    def __init__(self, asks: bool):
        super().__init__()
        self.asks = asks

    def forward(self, x):
        for i in range(20):
            x = torch.relu(x)
            if self.asks and i % 5 == 4:
                x = x + float(x[0, 0].item())
        return x


class Grows(torch.nn.Module):
    """Needs more memory than ever before in each iteration, as what keeps a history does; or always the same."""

    def __init__(self, step: int):
        super().__init__()
        self.step = step
        self.size = 3 << 20

    def forward(self, x):
        kept = torch.empty([self.size], dtype=torch.float32, device=x.device)
        self.size += self.step
        return torch.relu(x) + kept[0]


@dataclasses.dataclass
class Case:
    cause: str
    made: str
    control: str
    made_model: str
    control_model: str
    made_machine: dict
    control_machine: dict
    width: int = 256


CASES = [
    Case("cause.launch-bound", "20 operations of 5 us, 50 us to launch each", "operations of 400 us", "steps", "steps",
         {"launch_ns": 50_000, "operation_ns": SHORT_NS}, {"launch_ns": 50_000, "operation_ns": LONG_NS}),
    Case("bottleneck.device-idle", "the same", "operations of 400 us", "steps", "steps",
         {"launch_ns": 50_000, "operation_ns": SHORT_NS}, {"launch_ns": 50_000, "operation_ns": LONG_NS}),
    Case("bottleneck.transfers", "256 KiB a sample each way over 50 MB/s", "over 100 GB/s", "steps", "steps",
         {"operation_ns": LONG_NS, "copy_bytes_per_us": 50}, {"operation_ns": LONG_NS, "copy_bytes_per_us": 100_000},
         width=1 << 16),
    Case("cause.pageable-transfers", "the same, from memory that is not pinned", "over 100 GB/s", "steps", "steps",
         {"operation_ns": LONG_NS, "copy_bytes_per_us": 50}, {"operation_ns": LONG_NS, "copy_bytes_per_us": 100_000},
         width=1 << 16),
    Case("bottleneck.synchronisation", "the host reads a result after every fifth operation", "it does not", "asks",
         "steps", {"operation_ns": LONG_NS}, {"operation_ns": LONG_NS}),
    Case("cause.device-allocator", "each iteration needs 2 MiB more than the one before", "each needs the same", "grows",
         "stays", {"operation_ns": 200_000, "allocation_ns": 300_000, "capacity_mib": 4096},
         {"operation_ns": 200_000, "allocation_ns": 300_000, "capacity_mib": 4096}),
]


def write_models(folder):
    for name, module in [("steps", Steps(False)), ("asks", Steps(True)), ("grows", Grows(1 << 19)), ("stays", Grows(0))]:
        torch.jit.script(module).save(str(folder / f"{name}.pt"))


class Bench:
    """Runs models on machines, the same one only once."""

    def __init__(self, program, folder):
        self.program, self.folder, self.found = os.path.abspath(program), folder, {}
        write_models(folder)

    def findings(self, model, machine, width):
        key = (model, width, *sorted(machine.items()))
        if key not in self.found:
            self.found[key] = self.measure(model, machine, width)
        return self.found[key]

    def measure(self, model, machine, width):
        """The names of all that is found."""
        surroundings = accelerator.environment(Path(self.program), self.folder, compute=0, **machine)
        run = self.folder / "run.jsonl"
        subprocess.run([self.program, "profile", "-m", self.folder / f"{model}.pt", "--device", "cuda:0", "--input",
                        f"x:Bx{width}", "-b", "1,4", "--threads", "1", "--blocks", "3", "--iterations", "15",
                        "--diagnose", "--verify-causes", "off", "--verify", "off", "-q", "-o", run,
                        "--overwrite"], check=True, env=surroundings, stdout=subprocess.DEVNULL)
        out = subprocess.run([self.program, "analyze", "--format", "json", run], check=True, stdout=subprocess.PIPE)
        return {each["id"] for each in json.loads(out.stdout)["findings"]}

    def outcome(self, case):
        """Named where it is made, and silent in the control."""
        return (case.cause in self.findings(case.made_model, case.made_machine, case.width),
                case.cause not in self.findings(case.control_model, case.control_machine, case.width))


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    print("## Causes made to happen on a simulated accelerator\n")
    print("*Simulated*: the device's costs are stated, see plugins/torch/tests/simulated/state/options.hpp; nothing of "
          "it was seen on a\nreal one. Written by `./dev truth devices`.\n")
    print("| cause | made to happen | named | control | silent |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(program, Path(name))
        for case in CASES:
            if wanted and case.cause not in wanted:
                continue
            named, silent = bench.outcome(case)
            print(f"| `{case.cause}` | {case.made} | {'yes' if named else 'no'} | {case.control} | "
                  f"{'yes' if silent else 'no'} |", flush=True)


if __name__ == "__main__":
    main()
