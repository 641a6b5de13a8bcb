"""Changes to the fields of a file of JSON lines: missing, nonsense, special, twice."""

import json

from . import names, special

_RAW = "raw\u2063{}\u2063"  # stands for a text that json would not write


def _places(value, path=()):
    """Every (path) to a value inside, the value itself included."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _places(inner, (*path, key))
    elif isinstance(value, list):
        for i in {0, len(value) // 2, len(value) - 1} if value else ():
            yield from _places(value[i], (*path, i))


def _around(record, path):
    for step in path[:-1]:
        record = record[step]
    return record


class _Raw:
    """Texts to be put into a document after it was written."""

    def __init__(self):
        self.texts = []

    def placeholder_for(self, text):
        self.texts.append(text)
        return _RAW.format(len(self.texts) - 1)

    def written(self, record):
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        for i, text in enumerate(self.texts):
            line = line.replace(f'"{_RAW.format(i)}"', text)
        return line.encode("utf-8", "surrogatepass")


def _other_number(rng, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return rng.choice([-value, value * 1000, value + 1, value - 1, value * 1e15, value / 1e15, int(value) * 2**40])


def _change_one(rng, record, raw):
    path = rng.choice([path for path in _places(record) if path] or [()])
    if not path:
        return "an empty record"
    holder, key = _around(record, path), path[-1]
    place = ".".join(map(str, path))[:60]
    way = rng.choice(["drop", "special", "special", "special", "number", "rename", "grow", "text", "swap"])
    if way == "drop":
        del holder[key]
    elif way == "number":
        holder[key] = _other_number(rng, holder[key])
    elif way == "rename" and isinstance(holder, dict):
        holder[str(key) + "x"] = holder.pop(key)
    elif way == "grow" and isinstance(holder[key], list):
        holder[key] = holder[key] * rng.choice([0, 2, 100])
    elif way == "text":
        holder[key] = names.some(rng)[:5000].decode("latin-1")
    elif way == "swap" and isinstance(holder, dict):
        other = rng.choice(list(holder))
        holder[key], holder[other] = holder[other], holder[key]
    else:
        way, holder[key] = "special", raw.placeholder_for(rng.choice(special.JSON))
    return f"{way} {place}"


def _twice(rng, line, record):
    key = rng.choice(list(record))
    return line[:-1] + b"," + json.dumps({key: record[key]}).encode()[1:]


def change(rng, data, times=None):
    """(the changed lines, what was done in words); lines that hold no object are left alone."""
    lines, done = data.split(b"\n"), []
    # Rare kinds of records are as likely as frequent ones.
    by_type = {}
    for i, line in enumerate(lines):
        by_type.setdefault(line[:20], []).append(i)
    for _ in range(times or rng.choice([1, 1, 1, 2, 5])):
        i = rng.choice(by_type[rng.choice(list(by_type))])
        try:
            record = json.loads(lines[i])
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict) or not record:
            continue
        raw = _Raw()
        kind = record.get("type")
        if rng.random() < 0.05:
            lines[i] = _twice(rng, lines[i], record)
            done.append(f"a field twice in {kind}")
            continue
        done.append(f"{_change_one(rng, record, raw)} of {kind}")
        lines[i] = raw.written(record)
        if rng.random() < 0.1:
            lines[:] = [raw.written(record) if line[:20] == lines[i][:20] else line for line in lines]
            done.append("the same in all like it")
    return b"\n".join(lines), ", ".join(done) or "nothing"
