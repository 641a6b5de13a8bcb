#!/usr/bin/env python3
"""Writes docs/guide/measure/embedding.md: a walk from a slow embedding service to its deployed setting.

usage: embedding.py BATCHSCOPE [--small] [-o FILE]

Runs every command of the page and puts in what it printed and the figures that it measured. --small measures little, to
see that the walk still works. Needs `./dev models`.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

MODEL = "all-minilm-l6-v2"
ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = "data/texts/mixed.txt"
QUEUE = "32"  # texts that wait for the service at a time


class Walk:
    def __init__(self, program, scratch, small):
        self.program, self.scratch = pathlib.Path(program).resolve(), pathlib.Path(scratch)
        self.small = small
        self.texts = TEXTS
        if small:
            few = self.scratch / "few.txt"
            few.write_text("".join((ROOT / TEXTS).read_text().splitlines(keepends=True)[:200]))
            self.texts = str(few)

    def run(self, *words):
        words = [self.texts if word == TEXTS else word for word in words]
        words = [str(self.scratch / word.removeprefix("results/")) if word.startswith("results/") else word for word in words]
        done = subprocess.run([self.program, *words], cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{shlex.join(words)}\n{done.stderr}")
        return done.stdout.replace(str(self.scratch), "results")

    def profile(self, output, *words, compared=False):
        """Measures; returns the command to show. What is compared takes two blocks at least."""
        few = ["--blocks", "2" if compared else "1", "--iterations", "2", "--warmup", "1"]
        length = few if self.small else ["--blocks", "6"]
        command = ["profile", "--pipeline", "embed", "-m", MODEL, *words, *length, "-o", f"results/{output}"]
        self.run(*command, "-q")
        return "batchscope " + shlex.join(command)

    def analysis(self, output):
        return json.loads(self.run("analyze", f"results/{output}", "--format", "json", "-q"))

    def machine(self):
        with (self.scratch / "service.jsonl").open() as lines:
            header = json.loads(lines.readline())
        return f"{header['machine']['cpu']}, {len(os.sched_getaffinity(0))} processors"


def in_order(orders):
    return ["--order", orders, *(["--sort-window", QUEUE] if "sorted" in orders else [])]


def rate(row):
    return f"{row['throughput_per_s']:.0f} texts/s"


def percent(share):
    return f"{100 * share:.0f} %"


def phases(row):
    return {phase["name"]: phase["share"] for phase in row["phases"]}


def setting(row, name):
    return row.get("pipeline", {}).get(name, row.get(name))


def fastest(document, **axes):
    """The row with the highest throughput of those that have these values."""
    rows = [row for row in document["configs"] if all(setting(row, name) == value for name, value in axes.items())]
    return max(rows, key=lambda row: row["throughput_per_s"])


def proven_faster(document, axis):
    """By how much the second value of an axis is proven to take less time than the first at the same batch size, and where."""
    shown = [each for each in document["comparisons"] if each["axis"] == axis and each["significant"] and each["ratio"]["value"] < 1]
    if not shown:
        return "No batch size is proven to take less time so."
    saved = sorted(1 - each["ratio"]["value"] for each in shown)
    sizes = ", ".join(str(each["config"]["batch_size"]) for each in shown)
    return f"Proven: {percent(saved[0]).removesuffix(' %')} to {percent(saved[-1])} less time at the same batch size ({sizes})."


def block(*commands):
    return "```\n" + "\n".join(commands) + "\n```\n"


HEAD = """# My embedding service is slow

From a slow service to the setting to deploy. `./dev guide` measured every figure, on {machine}.

The service turns texts into vectors with all-MiniLM-L6-v2, one request at a time, with PyTorch. `data/texts/mixed.txt` has
lines of 3 to 600 tokens, most of them short. Put a sample of your own requests there, one per line.

"""


def where_the_time_goes(walk, sizes):
    command = walk.profile("service.jsonl", "--texts", TEXTS, "-b", sizes)
    document = walk.analysis("service.jsonl")
    one, best = fastest(document, batch_size=1), fastest(document)
    largest = max(document["configs"], key=lambda row: row["batch_size"])
    text = f"""
## 1. Where does the time go?

{block(command, "batchscope analyze results/service.jsonl")}
One text at a time it embeds {rate(one)}. The model takes {percent(phases(one)["forward"])} of an iteration, the tokenizer
{percent(phases(one)["tokenize"])}. The fastest size is batch {best["batch_size"]}, with {rate(best)}: each batch is as long as its longest
text, and at batch {largest["batch_size"]} {percent(largest["tokens"]["padding"])} of all tokens are padding.
"""
    return text, one


def does_sorting_help(walk, sizes):
    command = walk.profile("order.jsonl", "--texts", TEXTS, "-b", sizes, *in_order("arrival,sorted"), compared=True)
    document = walk.analysis("order.jsonl")
    arrival, ordered = fastest(document, order="arrival"), fastest(document, order="sorted")
    text = f"""
## 2. Does sorting help?

Texts of similar length need little padding. A server sorts the texts in its queue: here {QUEUE} texts.

{block(command, "batchscope analyze results/order.jsonl")}
{proven_faster(document, "order")} The fastest batch in order of arrival is {arrival["batch_size"]}, with {rate(arrival)}; sorted it is {ordered["batch_size"]}, with {rate(ordered)} and
{percent(ordered["tokens"]["padding"])} padding.
"""
    return text, fastest(document)


def another_engine(walk, sizes, order):
    command = walk.profile("engine.jsonl", "--texts", TEXTS, "-b", sizes, *in_order(order), "--engine", "torch,openvino", compared=True)
    document = walk.analysis("engine.jsonl")
    torch, openvino = fastest(document, engine="torch"), fastest(document, engine="openvino")
    text = f"""
## 3. Another engine?

{block(command, "batchscope analyze results/engine.jsonl")}
{proven_faster(document, "engine")} With LibTorch the fastest batch is {torch["batch_size"]}, with {rate(torch)}; with OpenVINO {openvino["batch_size"]}, with {rate(openvino)}, both in fp32.
"""
    return text, fastest(document)


def the_tokenizer(walk, best, order):
    command = walk.profile("tokenizer.jsonl", "--texts", TEXTS, "-b", str(best["batch_size"]), *in_order(order), "--engine",
                           best["engine"], "--tokenizer-threads", "1,2", compared=True)
    document = walk.analysis("tokenizer.jsonl")
    single, double = fastest(document, tokenizer_threads=1), fastest(document, tokenizer_threads=2)
    (compared,) = document["comparisons"]
    worth = compared["significant"] and compared["ratio"]["value"] < 1
    text = f"""
## 4. Is the tokenizer in the way now?

The tokenizer takes {percent(phases(best)["tokenize"])} of an iteration now.

{block(command)}
One thread: {rate(single)}. Two: {rate(double)}. {"The second thread is worth it." if worth else "No significant difference, so it stays at one."}
"""
    return text, double if worth else single


def what_to_deploy(walk, best, order):
    def several(first, last):
        return f"{first},{last}" if first != last else str(first)

    threads = setting(best, "tokenizer_threads")
    command = walk.profile("deploy.jsonl", "--texts", TEXTS, "-b", several(1, best["batch_size"]),
                           *in_order(several("arrival", order)), "--engine", several("torch", best["engine"]), "--tokenizer-threads",
                           several(1, threads))
    document = walk.analysis("deploy.jsonl")
    begin = fastest(document, batch_size=1, order="arrival", engine="torch", tokenizer_threads=1)
    end = fastest(document, batch_size=best["batch_size"], order=order, engine=best["engine"], tokenizer_threads=threads)
    walk.run("report", "results/deploy.jsonl", "-o", "results/report.html", "--overwrite")
    walk.run("embed", "-m", MODEL, "--engine", best["engine"], "--texts", TEXTS, "-o", "results/vectors.npy")
    return f"""
## 5. What to deploy

A machine drifts between runs, so measure the first setting and the last in one run:

{block(command)}
It began with {rate(begin)}: LibTorch, one text at a time. It ends with {rate(end)}: batch {best["batch_size"]}, {order},
{best["engine"]}, {threads} tokenizer thread{"s" if threads > 1 else ""}. That is {end["throughput_per_s"] / begin["throughput_per_s"]:.1f} times as many; a batch takes {end["time_ms"]:.1f} ms instead of {begin["time_ms"]:.1f} ms.
Check the vectors, and send the page to a colleague:

{block(f"batchscope embed -m {MODEL} --engine {best['engine']} --texts {TEXTS} -o vectors.npy",
       "batchscope report results/deploy.jsonl -o report.html")}
For a latency bound, add `--latency-budget 200ms`; for several copies, `--instances 1,2`. All flags: [texts in, vectors
out](texts.md).
"""


def page(walk):
    sizes = "1,8" if walk.small else "1,2,4,8,32"
    begin, _ = where_the_time_goes(walk, sizes)
    sorting, best = does_sorting_help(walk, sizes)
    order = setting(best, "order")
    engines, best = another_engine(walk, sizes, order)
    tokenizer, best = the_tokenizer(walk, best, order)
    return HEAD.format(machine=walk.machine()) + block("./dev models") + begin + sorting + engines + tokenizer + \
        what_to_deploy(walk, best, order)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/guide/measure/embedding.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="batchscope-guide-") as scratch:
        options.output.write_text(page(Walk(options.program, scratch, options.small)))
    print(f"{options.output}: written")


if __name__ == "__main__":
    main()
