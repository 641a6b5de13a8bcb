"""Hostile names of models, devices, files and hosts, followed to every place where they are shown."""

import json

from .. import names
from ..tries import Try
from . import readers


def _imported(rng, corpus):
    name, more = names.argument(rng), []
    if rng.random() < 0.3:
        more = ["--device", names.argument(rng)]
    then = readers.command(rng)

    def follows(outcome):
        return Try(f"{then[0]} of it", then) if outcome.code == 0 else None

    return Try("import -m NAME", ["import", "table.csv", "-o", "run.jsonl", "-m", name, *more], {"table.csv": corpus.tables["plain"]}, follows=follows)


def _table(rng, corpus):
    cell = names.some(rng).replace(b"\0", b"")
    quoted = b'"' + cell.replace(b'"', b'""') + b'"'
    data = corpus.tables["wide"].replace(b"old", quoted)
    then = readers.command(rng)

    def follows(outcome):
        return Try(f"{then[0]} of it", then) if outcome.code == 0 else None

    return Try("a model's name in a table", ["import", "table.csv", "-o", "run.jsonl"], {"table.csv": data}, follows=follows)


def _set_texts(value, text):
    """Replaces texts that only name or describe; what others refer to by is replaced everywhere at once."""
    if isinstance(value, dict):
        free = ("name", "description", "host", "cpu", "os", "kernel", "model", "message", "tool_version", "hash", "device", "what", "reason")
        return {key: text if key in free and isinstance(inner, str) else _set_texts(inner, text) for key, inner in value.items()}
    return [_set_texts(inner, text) for inner in value] if isinstance(value, list) else value


def _run_file(rng, corpus):
    text = names.some(rng).decode("latin-1" if rng.random() < 0.5 else "utf-8", "replace")
    lines = [json.loads(line) for line in corpus.runs[rng.choice(list(corpus.runs))].splitlines()]
    where = rng.choice(["header", "config", "all"])
    changed = [_set_texts(line, text) if where in ("all", line.get("type")) else line for line in lines]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in changed)
    arguments = readers.command(rng)
    if arguments[0] in ("analyze", "plan") and rng.random() < 0.15:
        arguments += ["--charts=charts"]
    return Try(f"{arguments[0]} of a run file with a hostile {where}", arguments, {"run.jsonl": data})


def _files(rng, corpus):
    name = names.file_name(rng)
    way = rng.choice(["read", "write", "table", "absent"])
    if way == "read":
        return Try("the name of a run file", readers.command(rng, b"./" + name), {name: corpus.runs["plain"]})
    if way == "write":
        return Try("the name of an output", ["analyze", "run.jsonl", "-o", b"./" + name], {"run.jsonl": corpus.runs["plain"]})
    if way == "table":
        return Try("the name of a table", ["import", b"./" + name], {name: corpus.tables["plain"]})
    return Try("the name of what is not there", readers.command(rng, b"absent/" + names.argument(rng)))


def _profile(rng, _):
    arguments = ["profile", "-m", b"synthetic:affine:1ms,1ms;" * rng.randrange(2) + names.argument(rng), "--dry-run"]
    return Try("profile -m NAME", arguments)


def _outside(rng, corpus):
    """Names of models that are paths must not become paths of charts or exports."""
    name = rng.choice([b"../../outside", b"../outside/x", b"a/../../../outside", b"/../outside", b"..", b"x/y/z"])
    table = corpus.tables["wide"].replace(b"old", name)

    def follows(outcome):
        return Try("charts of it", rng.choice([["analyze", "run.jsonl", "--charts=charts"], ["report", "run.jsonl", "-o", "out.md"]])) if outcome.code == 0 else None

    return Try("a model's name that is a path", ["import", "table.csv", "-o", "run.jsonl"], {"table.csv": table}, follows=follows)


def make(rng, corpus):
    return rng.choice([_imported, _imported, _table, _table, _run_file, _run_file, _run_file, _files, _files, _profile, _outside])(rng, corpus)
