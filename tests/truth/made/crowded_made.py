"""Models with the same work for every sample, on a machine made busy on purpose and on a quiet one.

usage: crowded_made.py PROGRAM [BUSY_RUNS [QUIET_RUNS [PLANTED_RUNS [FOLDER]]]]   prints a section of docs/reference/truth.md

Run files that lie in FOLDER already are analyzed and not measured again.

Nothing may be proven of such a model, whatever else runs: two spinning processes compete for the processors in the busy
runs. In the planted runs batch 4 does a quarter more work and nothing else runs; there it is to be found. Runs make one
process a block, which supports proof and takes half a minute; nothing else may run on the machine meanwhile.
"""

import json
import platform
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

SIZES = "1,2,3,4,6,8,12,16"
PLANTED_AT = 4
# Rounds of matrix products a sample: a sample takes about a millisecond, a batch up to some slices of the scheduler.
ROUNDS = 16
SPINNERS = 2


def make_model(path, planted):
    """A TorchScript model whose every sample takes the same products; with `planted` a quarter more at batch 4."""
    import torch

    class PerSample(torch.nn.Module):
        def __init__(self, planted_at: int, rounds: int):
            super().__init__()
            self.planted_at = planted_at
            self.rounds = rounds
            self.register_buffer("weight", torch.randn(96, 96) / 10)

        def forward(self, x):
            out = torch.zeros_like(x)
            rounds = self.rounds
            if x.size(0) == self.planted_at:
                rounds += rounds // 4
            for i in range(x.size(0)):
                y = x[i]
                for _ in range(rounds):
                    y = torch.tanh(torch.mm(y, self.weight))
                out[i] = y
            return out

    torch.jit.script(PerSample(PLANTED_AT if planted else -1, ROUNDS)).save(str(path))


@contextmanager
def busy(spinners):
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(spinners)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.number = program, folder, 0

    def proven(self, model):
        """The proven findings of a new run of the model."""
        self.number += 1
        path = self.folder / f"run{self.number}.jsonl"
        if not path.exists():
            self.measure(model, path)
        reported = subprocess.run([self.program, "analyze", path, "--format", "json"], check=True, stdout=subprocess.PIPE)
        findings = json.loads(reported.stdout)["findings"]
        for finding in findings:
            if finding["status"] == "proven":
                print(f"{path.name}: {finding['message']}", file=sys.stderr)
        return [finding for finding in findings if finding["status"] == "proven"]

    def measure(self, model, path):
        part = path.with_suffix(".part")
        subprocess.run([self.program, "profile", "-m", model, "--input", "x:Bx96x96", "-b", SIZES, "--blocks", "12",
                        "--isolation", "block", "--seed", str(self.number), "-q", "--overwrite", "-o", part],
                       check=True, stdout=subprocess.DEVNULL)
        part.rename(path)

    def runs_with_proof(self, model, runs, spinners=0):
        with busy(spinners):
            return sum(bool(self.proven(model)) for _ in range(runs))

    def runs_that_find(self, model, runs):
        """Runs that prove something of the planted size, and runs that prove something of another."""
        found = wrong = 0
        for _ in range(runs):
            sizes = {size for finding in self.proven(model) for size in finding["where"].get("batch_sizes", [])}
            found += PLANTED_AT in sizes
            wrong += bool(sizes - {PLANTED_AT})
        return found, wrong


def row(what, value, goal, kept):
    return f"| {what} | {value} | {goal} | {'yes' if kept else 'no'} |"


def main():
    program = Path(sys.argv[1]).resolve()
    busy_runs, quiet_runs, planted_runs = [*map(int, sys.argv[2:5]), *(20, 20, 10)[len(sys.argv[2:5]):]]
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(sys.argv[5] if len(sys.argv) > 5 else folder)
        kept.mkdir(parents=True, exist_ok=True)
        bench = Bench(program, kept)
        flat, odd = Path(folder) / "flat.pt", Path(folder) / "odd.pt"
        make_model(flat, planted=False)
        make_model(odd, planted=True)
        crowded = bench.runs_with_proof(flat, busy_runs, SPINNERS)
        alone = bench.runs_with_proof(flat, quiet_runs)
        found, wrong = bench.runs_that_find(odd, planted_runs)
    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.processor())
    print(f"""## The same work for every sample, on a crowded machine and on a quiet one

{cpu}, Linux {platform.release()}; batches {SIZES}, 12 blocks, a process a block. Crowded: {SPINNERS} processes spin
beside the run. Planted: batch {PLANTED_AT} does a quarter more work, on a quiet machine. Written by `./dev truth crowded`.

| runs | of how many | goal | kept |
|---|---|---|---|""")
    print(row("crowded: anything proven", f"{crowded} of {busy_runs}", "none", crowded == 0))
    print(row("quiet: anything proven", f"{alone} of {quiet_runs}", "none", alone == 0))
    print(row("planted: proven at its size", f"{found} of {planted_runs}", "at least 8 of 10",
              10 * found >= 8 * planted_runs))
    print(row("planted: proven at another", f"{wrong} of {planted_runs}", "none", wrong == 0))


if __name__ == "__main__":
    main()
