"""CSV tables with cells that are no numbers, columns missing or twice, lines torn."""

from .. import byte_changes, names, special
from ..tries import Try, as_bytes
from . import readers

_HEADS = ["batch", "batch_size", "latency_ms", "time_us", "time_s", "latency", "throughput_per_s", "std_ms", "repeats", "memory_bytes", "seq_len", "model",
          "precision", "device", "threads", "", "BATCH", "batch ", "latency_parsecs"]


def _cell(rng):
    texts = rng.choice([special.NUMBERS, special.NUMBERS, special.FULL, special.FULL, special.TEXTS])
    return names.some(rng)[:3000] if rng.random() < 0.2 else as_bytes(rng.choice(texts))


def _change_cells(rng, data):
    rows = [line.split(b",") for line in data.strip().split(b"\n")]
    for _ in range(rng.choice([1, 1, 2, 10])):
        row = rng.choice(rows)
        row[rng.randrange(len(row))] = _cell(rng)
    return b"\n".join(b",".join(row) for row in rows) + b"\n", "special cells"


def _change_columns(rng, data):
    rows = [line.split(b",") for line in data.strip().split(b"\n")]
    way, column = rng.choice(["drop", "twice", "rename", "special"]), rng.randrange(len(rows[0]))
    value = _cell(rng)
    for i, row in enumerate(rows):
        if way == "drop":
            del row[column]
        elif way == "twice":
            row.append(row[column])
        elif way == "rename" and i == 0:
            row[column] = as_bytes(rng.choice(_HEADS))
        elif way == "special" and i > 0:
            row[column] = value
    return b"\n".join(b",".join(row) for row in rows) + b"\n", f"a column: {way}"


def _many_rows(rng, data):
    rows = data.strip().split(b"\n")
    return b"\n".join(rows[:1] + rows[1:] * rng.choice([50, 500])) + b"\n", "many rows"


def make(rng, corpus):
    name = rng.choice(list(corpus.tables))
    change = rng.choice([byte_changes.change, byte_changes.change, _change_cells, _change_cells, _change_columns, _many_rows])
    data, done = change(rng, corpus.tables[name])
    files = {"table.csv": data}
    what = f"{name}: {done}"
    if rng.random() < 0.35:
        return Try(f"replay of {what}", readers.replay(rng, "table.csv"), files)
    if rng.random() < 0.1:
        return Try(f"analyze of {what}", readers.analyze(rng, "table.csv"), files)
    more = rng.choice([[], [], ["--precision", "bf16"], ["--device", "cuda:0"], ["-m", "name"]])
    then = readers.command(rng)

    def follows(outcome):
        return Try(f"{then[0]} of what was imported", then) if outcome.code == 0 else None

    return Try(f"import of {what}", ["import", "table.csv", "-o", "run.jsonl", *more], files, follows=follows)
