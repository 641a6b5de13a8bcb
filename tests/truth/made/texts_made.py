"""Makes pipelines of texts whose answer is known, and looks whether `analyze` gives it.

usage: texts_made.py PROGRAM   prints a section of docs/reference/truth.md; needs ./dev models and a quiet machine

Padding: sorted batches win where lengths differ much, and cannot where all are alike. Tokenizing: long documents that are
cut at a few tokens cost the tokenizer a known share of an iteration, namely what the iteration takes longer than one whose
documents are as short as the cut. Shorter documents and a second thread cost less than makes a bottleneck.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = ["-m", "all-minilm-l6-v2", "--engine", "openvino", "--pipeline", "embed"]
BOTTLENECK = 0.2  # of an iteration; as in `batchscope help bottleneck.tokenization`
NEAR = 0.07  # nearer to it, a run may fall on either side, and a row would have no truth
KEPT = 32  # tokens of a document that are embedded
ROUNDS = 5  # of runs on documents of each length in turn
WORDS = "time year people way day man thing woman life child world school state family student group".split()


def analysis(program, folder, *arguments):
    run = folder / "run.jsonl"
    subprocess.run([program, "profile", *MODEL, *arguments, "-q", "-o", run, "--overwrite"], check=True,
                   stdout=subprocess.DEVNULL)
    done = subprocess.run([program, "analyze", "--format", "json", run], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def share(row, phase):
    return next(each["share"] for each in row["phases"] if each["name"] == phase)


def percent(value):
    return f"{100 * value:.0f} %"


def row_of(document, **pipeline):
    return next(row for row in document["configs"] if all(row["pipeline"][name] == value for name, value in pipeline.items()))


def sorting(program, folder, law, wins):
    """Whether sorted batches are called faster, and no others."""
    document = analysis(program, folder, "--texts", f"synthetic:{law}", "-b", "8", "--order", "arrival,sorted", "--blocks", "12", "--seed", "1")
    (compared,) = document["comparisons"]
    ratio = compared["ratio"]
    printed = ("faster" if ratio["value"] < 1 else "slower") if compared["significant"] else "no difference proven"
    padding = [percent(row_of(document, order=order)["tokens"]["padding"]) for order in ("arrival", "sorted")]
    return (f"| lengths {law}, batch 8 | sorting {'wins' if wins else 'cannot win'} | padding {padding[0]}, sorted {padding[1]}; time "
            f"{ratio['value']:.2f} [{ratio['ci_low']:.2f}, {ratio['ci_high']:.2f}] of arrival's: {printed} "
            f"| {'yes' if (printed == 'faster') == wins else 'no'} |")


def documents(folder, words):
    path = folder / f"texts{words}.txt"
    lines = (" ".join(WORDS[(start + i) % len(WORDS)] for i in range(words)) for start in range(64))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def one_round(program, folder, lengths, short_first=False):
    """Documents of these lengths, and as short as the cut, at once after each other, each on one thread and on two: a machine
    drifts within minutes. What was found of each (length, threads)."""
    def measured(each):
        return analysis(program, folder, "-b", "8", "--max-length", str(KEPT), "--blocks", "6", "--tokenizer-threads", "1,2",
                        "--texts", documents(folder, each))
    of = {each: measured(each) for each in ((KEPT, *lengths) if short_first else (*lengths, KEPT))}
    found = {(words, each["where"]["pipeline"]["tokenizer_threads"]) for words in lengths for each in of[words]["findings"]
             if each["id"] == "bottleneck.tokenization"}
    return {(words, threads): round_of(*(row_of(of[each], tokenizer_threads=threads) for each in (words, KEPT)),
                                       (words, threads) in found)
            for words in lengths for threads in (1, 2)}


def round_of(row, short, named):
    # By whole iterations: what it takes longer than one on short documents, and the tokenizer's part of that one.
    true = 1 - short["time_ms"] * (1 - share(short, "tokenize")) / row["time_ms"]
    return {"true": true, "told": share(row, "tokenize"), "named": named}


def typical(rounds, what):
    return statistics.median(each[what] for each in rounds)


def enough_words(program, folder):
    """As many as make the tokenizer a bottleneck on one thread."""
    most = 8000
    for words in range(2400, most, 400):
        if one_round(program, folder, [words])[words, 1]["true"] > BOTTLENECK + NEAR:
            return words
    return most


def tokenizing(program, folder):
    """A row of long documents on one thread, and of shorter ones on two."""
    most = enough_words(program, folder)
    done = [one_round(program, folder, [most, most // 4], short_first=i % 2 == 1) for i in range(ROUNDS)]
    for words, threads in ((most, 1), (most // 4, 2)):
        rounds = [each[words, threads] for each in done]
        true, reported, named = typical(rounds, "true"), typical(rounds, "told"), sum(each["named"] for each in rounds)
        bottleneck = true > BOTTLENECK
        # Without one that is a bottleneck and one that is none, neither near the limit, the rows would show nothing.
        shown = bottleneck == (words == most) and abs(true - BOTTLENECK) >= NEAR / 2
        right = shown and named == (ROUNDS if bottleneck else 0) and math.isclose(reported, true, abs_tol=0.05)
        yield (f"| documents of {words} words cut at {KEPT} tokens, batch 8, {threads} tokenizer thread{'s' if threads > 1 else ''} | "
               f"{'a bottleneck' if bottleneck else 'none'}, {percent(true)} of an iteration | named in {named} of {ROUNDS} runs, "
               f"{percent(reported)} | {'yes' if right else 'no'} |")


def at_lengths(program, folder, lengths):
    """How long a batch takes at these lengths: why sorting can lose where all are nearly alike."""
    run = folder / "lengths.jsonl"
    subprocess.run([program, "profile", *MODEL[:4], "-b", "8", "--seq-lens", ",".join(map(str, lengths)), "--blocks", "6", "-q", "-o",
                    run], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([program, "analyze", "--format", "json", run], check=True, capture_output=True, text=True)
    times = {row["seq_len"]: row["time_ms"] for row in json.loads(done.stdout)["configs"]}
    return ", ".join(f"{times[each]:.1f} ms at {each}" for each in lengths)


def main():
    program = sys.argv[1]
    print("\n## Pipelines of texts on a real machine\n")
    print("all-MiniLM-L6-v2 with OpenVINO in fp32. The true share of the tokenizer is calculated from the times of iterations on long "
          f"and\non short documents, in {ROUNDS} rounds of both, each first in turn; medians are shown. A bottleneck is what takes more "
          f"than {percent(BOTTLENECK)}.\nWritten by `./dev truth`.\n")
    print("| what | truth | reported | right |\n|---|---|---|---|", flush=True)
    if not Path(os.environ.get("BATCHSCOPE_MODELS", "models"), "all-minilm-l6-v2/model.json").exists():
        print("| skipped: no all-minilm-l6-v2; ./dev models makes it | | | |")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(sorting(program, folder, "8-128:lognormal(24,0.8)", wins=True), flush=True)
        print(sorting(program, folder, "60-64:uniform", wins=False), flush=True)
        for line in tokenizing(program, folder):
            print(line, flush=True)
        print("\nWhere lengths are nearly alike, sorted batches can be slower if the model takes longer at the shorter ones: a batch of 8\n"
              f"takes {at_lengths(program, folder, (62, 63, 64))} tokens.")


if __name__ == "__main__":
    main()
