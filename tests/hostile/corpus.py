"""Valid inputs, made by the program itself in virtual time, that tries begin from."""

import os
import pathlib
import re
import subprocess

from . import flags

# One worker process a run: what is measured is a law.
_LAW = ["--iterations", "4", "--isolation", "none", "--seed", "1", "-q"]
_RUNS = {
    "plain": ["profile", "-m", "synthetic:affine:2ms,10ms;anomaly=4:1.25", "-b", "1,2,4,8", "--blocks", "6", *_LAW],
    "two": ["profile", "-m", "synthetic:affine:5ms,1ms", "-m", "synthetic:affine:5ms,2ms", "-b", "1,4", "--blocks", "4", *_LAW],
    "failing": ["profile", "-m", "synthetic:staircase:1ms,2ms,4;oom_above=4", "-b", "1-6", "--blocks", "3", *_LAW],
    "train": ["profile", "-m", "synthetic:affine:5ms,2ms", "--mode", "train", "-b", "1,2", "--blocks", "3", *_LAW],
    "lengths": ["profile", "-m", "synthetic:affine:5ms,2ms;per_token=64", "--seq-lens", "16-128:lognormal(48,0.6)", "-b", "1,2", "--blocks", "3",
                *_LAW],
    "tuned": ["tune", "-m", "synthetic:affine:20ms,2ms;visit_sd=0.02", "-b", "1-8", "--budget", "30m", "--verify-blocks", "6", *_LAW],
}
TABLES = {
    "plain": b"batch,latency_ms\n" + b"".join(b"%d,%d\n" % (size, 10 + size) for size in range(1, 17)),
    "wide": b"model,precision,device,threads,seq_len,batch_size,time_us,std_us,repeats,memory_bytes\n" + b"".join(
        b"%s,fp32,cpu,2,64,%d,%d,%d,30,%d\n" % (model, size, 900 + 100 * size, 5 + size, 2**20 * size)
        for model in (b"old", b"new") for size in (1, 2, 4, 8)),
    "rates": b"batch,throughput_per_s,memory_bytes\n1,50,100000000\n2,90,200000000\n4,160,300000000\n8,170,400000000\n",
}
ARRIVALS = {
    "times": b"# seconds\n" + b"".join(b"%.3f\n" % (i / 40) for i in range(600)),
    "lengths": b"".join(b"%.3f %d\n" % (i / 40, 16 + i % 100) for i in range(600)),
}
LENGTHS = b"".join(b"%d\n" % (16 + i * 7 % 100) for i in range(200))

# What differs from run to run of the same command, so that the same seed makes the same tries.
_VOLATILE = [
    (rb'"(wall_ns|load_ns|dispatch_ns|start_ns)":\d+', rb'"\1":1000000'),
    (rb'"(wall_s|iteration_s)":[\d.e+-]+', rb'"\1":1.5'),
    (rb'"created":"[^"]*"', b'"created":"2024-01-01T00:00:00Z"'),
    (rb'"host":"[^"]*"', b'"host":"host"'),
    (rb'"(fitness|usage)":\{[^{}]*\}', rb'"\1":{}'),
]


class Corpus:
    """runs, tables, arrivals: name -> bytes; flags: verb -> its flags with what their values are."""

    def __init__(self, program, folder):
        self.program = pathlib.Path(program).resolve()
        self.tables, self.arrivals, self.lengths = dict(TABLES), dict(ARRIVALS), LENGTHS
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.runs = {name: self._run(name, arguments) for name, arguments in _RUNS.items()}
        (self.folder / "table.csv").write_bytes(TABLES["wide"])
        self.runs["imported"] = self._run("imported", ["import", "table.csv"])
        self.flags = {verb: flags.of_verb(self.program, verb) for verb in flags.VERBS}

    def _run(self, name, arguments):
        file = f"{name}.jsonl"
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state")}
        done = subprocess.run([self.program, *arguments, "-o", file, "--overwrite"], cwd=self.folder, capture_output=True, check=False,
                              timeout=300, env=environment)
        path = self.folder / file
        if done.returncode != 0 or not path.exists():
            raise SystemExit(f"hostile: a valid run could not be made: {name}: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
        data = path.read_bytes()
        for pattern, replacement in _VOLATILE:
            data = re.sub(pattern, replacement, data)
        return data
