"""TOML files for --config: special values, other types, unknown keys, broken text."""

from .. import byte_changes, names, special
from ..tries import Try, as_bytes

_GOOD = {
    "profile": b'model = "synthetic:affine:2ms,1ms"\nbatch-sizes = "1,2"\nblocks = 2\niterations = 2\nwarmup = 0\nisolation = "none"\nquiet = true\n',
    "analyze": b'format = "json"\nlevel = "95%"\nquiet = true\n',
    "plan": b'rate = "40/s"\nrequests = 500\np99 = "500ms"\nformat = "json"\n',
    "tune": b'replay = "run.jsonl"\nnoise = "3%"\nseed = 3\nexplain = true\n',
    "import": b'model = "name"\nprecision = "fp32"\noutput = "out.jsonl"\n',
}
_COMMANDS = {
    "profile": ["profile", "--dry-run"],
    "analyze": ["analyze", "run.jsonl"],
    "plan": ["plan", "run.jsonl"],
    "tune": ["tune"],
    "import": ["import", "table.csv"],
}
_OTHER_TYPES = [b"[1, 2]", b'["1", "2"]', b"true", b"1979-05-27T07:32:00Z", b"{ a = 1 }", b"'''\na\n'''", b'"""a"""', b"[[1], [2]]", b"0b11", b"1e3", b"",
                b'"', b"'", b"[" * 5000, b"inf", b"+nan", b'"\\u0000"', b'"\\x1b[31m"', b"[]", b'[""]']
_EXTRA = [b"[section]", b"[profile]", b"[[array]]", b"help = true", b"config = \"c.toml\"", b"dry-run = \"maybe\"", b"= 3", b"a.b.c = 1", b"\"quoted key\" = 1",
          b"# \x1b[31m", b"bloks = 3", b"--blocks = 3", b"blocks 3", b"[", b"]", b"output = \"..\"", b"overwrite = true", b"seed = -1", "ünï = 1".encode()]


def _value(rng):
    way = rng.random()
    if way < 0.3:
        return rng.choice(_OTHER_TYPES)
    text = names.some(rng)[:3000] if way < 0.45 else as_bytes(rng.choice(special.ALL))
    return text if way > 0.8 else b'"' + text + b'"'


def _change_values(rng, verb, known):
    lines = _GOOD[verb].split(b"\n")[:-1]
    # Values of a run of profile would say how much to measure; there, the dry run alone is made.
    for _ in range(rng.choice([1, 1, 2, 4])):
        way = rng.random()
        if way < 0.5:
            i = rng.randrange(len(lines))
            lines[i] = lines[i].partition(b"=")[0] + b"= " + _value(rng)
        elif way < 0.8:
            name = rng.choice([flag[0] for flag in known if flag[0] != "--requests"])
            lines.append(name[2:].encode() + b" = " + _value(rng))
        else:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(_EXTRA))
    return b"\n".join(lines) + b"\n", "special values"


def make(rng, corpus):
    verb = rng.choice(list(_GOOD))
    if rng.random() < 0.3:
        data, done = byte_changes.change(rng, _GOOD[verb])
    else:
        data, done = _change_values(rng, verb, corpus.flags[verb])
    files = {"run.jsonl": corpus.runs["plain"], "table.csv": corpus.tables["plain"], "c.toml": data}
    place = rng.choice(["c.toml"] * 12 + ["absent.toml", ".", "/dev/null", "", "/proc/self/mem", "run.jsonl"])
    return Try(f"{verb} --config: {done}", [*_COMMANDS[verb], "--config", place], files)
