"""Files of arrivals and of lengths with times that go back, are no numbers or far apart."""

from .. import byte_changes, special
from ..tries import Try, as_bytes


def _change_words(rng, data):
    lines = data.strip().split(b"\n")
    for _ in range(rng.choice([1, 1, 3, 30])):
        i = rng.randrange(len(lines))
        words = lines[i].split() or [b""]
        words[rng.randrange(len(words))] = as_bytes(rng.choice(rng.choice([special.NUMBERS, special.FULL])))
        lines[i] = b" ".join(words)
    return b"\n".join(lines) + b"\n", "special numbers"


def _changed(rng, data):
    return rng.choice([byte_changes.change, _change_words])(rng, data)


def make(rng, corpus):
    name = rng.choice(["times", "lengths", "lengths of requests", "lengths of samples"])
    form = ["--format", rng.choice(["text", "json"])]
    if name == "lengths of samples":
        data, done = _changed(rng, corpus.lengths)
        arguments = ["profile", "-m", "synthetic:affine:5ms,2ms;per_token=64", "--seq-lens", "file:in.txt", "-b", "1,2", "--blocks", "2", "--iterations",
                     "2", "--warmup", "0", "--isolation", "none", "-q", *form]
        return Try(f"{name}: {done}", arguments, {"in.txt": data})
    files = {"run.jsonl": corpus.runs["lengths" if name != "times" and rng.random() < 0.5 else "plain"]}
    if name == "lengths of requests":
        files["in.txt"], done = _changed(rng, corpus.lengths)
        arguments = ["--rate", "40/s", "--lengths", "file:in.txt", "--requests", "500"]
    else:
        files["in.txt"], done = _changed(rng, corpus.arrivals[name])
        arguments = ["--arrivals", "file:in.txt", *rng.choice([[], ["--p99", "500ms"], ["--rate", "80/s"]])]
    return Try(f"{name}: {done}", ["plan", "run.jsonl", *arguments, *form], files)
