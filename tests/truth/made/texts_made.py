"""Makes pipelines of texts whose answer is known, and looks whether `analyze` gives it.

usage: texts_made.py PROGRAM   prints a section of docs/reference/truth.md; needs ./dev models and a quiet machine

Padding: sorted batches win where lengths differ much, and cannot where all are alike. Tokenizing: long documents that are
cut at a few tokens cost the tokenizer a known share of an iteration, namely what the iteration takes longer than one whose
documents are as short as the cut; a second thread takes half of it away.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = ["-m", "all-minilm-l6-v2", "--engine", "openvino", "--pipeline", "embed"]
KEPT = 32  # tokens of a document that are embedded
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
    document = analysis(program, folder, "--texts", f"synthetic:{law}", "-b", "8", "--order", "arrival,sorted", "--blocks", "12")
    (compared,) = document["comparisons"]
    ratio = compared["ratio"]
    said = ("faster" if ratio["value"] < 1 else "slower") if compared["significant"] else "no difference proven"
    padding = [percent(row_of(document, order=order)["tokens"]["padding"]) for order in ("arrival", "sorted")]
    return (f"| lengths {law}, batch 8 | sorting {'wins' if wins else 'cannot win'} | padding {padding[0]}, sorted {padding[1]}; time "
            f"{ratio['value']:.2f} [{ratio['ci_low']:.2f}, {ratio['ci_high']:.2f}] of arrival's: {said} "
            f"| {'yes' if (said == 'faster') == wins else 'no'} |")


def documents(folder, words):
    path = folder / f"texts{words}.txt"
    lines = (" ".join(WORDS[(start + i) % len(WORDS)] for i in range(words)) for start in range(64))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def tokenizing(program, folder):
    """Rows on one thread and on two."""
    common = ["-b", "8", "--max-length", str(KEPT), "--blocks", "12"]
    short = analysis(program, folder, *common, "--texts", documents(folder, KEPT))["configs"][0]
    # As many words as let the tokenizer take between one and two fifths of an iteration on one thread.
    for words in (1400, 2000, 2800, 3200, 3600, 4000):
        document = analysis(program, folder, *common, "--texts", documents(folder, words), "--tokenizer-threads", "1,2")
        one = row_of(document, tokenizer_threads=1)
        if share(one, "tokenize") > 0.24:
            break
    found = {each["where"]["pipeline"]["tokenizer_threads"] for each in document["findings"]
             if each["id"] == "bottleneck.tokenization"}
    for threads in (1, 2):
        row = row_of(document, tokenizer_threads=threads)
        told, named = share(row, "tokenize"), threads in found
        # By whole iterations: what it takes longer than one on short documents, and the tokenizer's part of that one.
        true = 1 - short["time_ms"] * (1 - share(short, "tokenize")) / row["time_ms"]
        right = named == (threads == 1) and math.isclose(told, true, abs_tol=0.05)
        yield (f"| documents of {words} words cut at {KEPT} tokens, batch 8, {threads} tokenizer thread{'s' if threads > 1 else ''} | "
               f"{'a bottleneck' if threads == 1 else 'none'}, {percent(true)} of an iteration | {'named' if named else 'not named'}, "
               f"{percent(told)} | {'yes' if right else 'no'} |")


def main():
    program = sys.argv[1]
    print("\n## Pipelines of texts on a real machine\n")
    print("all-MiniLM-L6-v2 with OpenVINO in fp32. The true share of the tokenizer is worked out from whole iterations on long and "
          "on short\ndocuments, not from its phase. Written by `./dev truth`.\n")
    print("| what | truth | said | right |\n|---|---|---|---|", flush=True)
    if not Path(os.environ.get("BATCHSCOPE_MODELS", "models"), "all-minilm-l6-v2/model.json").exists():
        print("| skipped: no all-minilm-l6-v2; ./dev models makes it | | | |")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(sorting(program, folder, "8-128:lognormal(24,0.8)", wins=True), flush=True)
        print(sorting(program, folder, "60-64:uniform", wins=False), flush=True)
        for line in tokenizing(program, folder):
            print(line, flush=True)


if __name__ == "__main__":
    main()
