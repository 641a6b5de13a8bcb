"""Flags that are known, with values that are nonsense, at a boundary, special, too long, or there twice."""

from .. import names, special
from ..tries import Try, as_bytes
from . import readers

_TINY = ["profile", "-m", "synthetic:affine:2ms,1ms", "-b", "1,2", "--blocks", "2", "--iterations", "2", "--warmup", "0", "--isolation", "none"]
# A large value of these asks for much work, and gets it.
_LABOUR = {"--requests", "--experiments", "--instances", "--steps", "--points", "--verify-blocks", "--rate", "--calibrate", "--blocks"}
_LAWS = [
    "synthetic:affine:2ms,1ms;", "synthetic:table:1=2ms,2=3ms;", "synthetic:staircase:1ms,2ms,8;", "synthetic:roofline:2ms,1ms,1ms,2ms;", "synthetic:affine:",
    "synthetic:table:", "synthetic:staircase:", "synthetic:roofline:",
]
_LAW_OPTIONS = ["anomaly", "process_sd", "visit_sd", "iteration_sd", "spike", "burst", "drift", "warmup", "load", "oom_above", "throw_at", "crash_at",
                "contention", "memory", "memory_train", "per_token", "heap_returned", "real", "nonsense", ""]


def _value(rng, name, choices, idle):
    if choices and rng.random() < 0.5:
        return rng.choice(choices)
    if rng.random() < 0.1:
        return names.argument(rng)
    if rng.random() < 0.1 and not idle and name not in _LABOUR:
        return rng.choice(special.FULL)
    return rng.choice(special.IDLE if idle or name in _LABOUR else special.ALL)


def some(rng, known, idle, most=3):
    """Words of some flags."""
    words = []
    for name, short, takes_value, choices in rng.choices(known, k=rng.choice([1, 1, 1, 2, most])):
        if name in ("--help", "--help-all", "--calibrate"):
            continue
        flag = rng.choice([name, name, short or name])
        if not takes_value:
            words += [flag] if rng.random() < 0.9 else [flag + "=" + str(rng.choice(special.NUMBERS))]
            continue
        for _ in range(rng.choice([1, 1, 1, 1, 2])):
            value = as_bytes(_value(rng, name, choices, idle))
            glued = as_bytes(name + "=") + value
            words += rng.choice([[flag, value], [flag, value], [glued], [flag]])
    return words


def _law(rng):
    option = rng.choice(_LAW_OPTIONS)
    value = rng.choice(special.ALL).replace("\0", "")
    return rng.choice(_LAWS) + rng.choice([f"{option}={value}", f"{option}=4:{value}", f"{option}={value}:2", value, option])


def _base(rng, verb):
    """Arguments that would do, to which flags are added; and whether only idle values may be."""
    if verb == "profile":
        return (_TINY + ["--dry-run"], False) if rng.random() < 0.7 else (_TINY + rng.choice([[], [], ["--diagnose"]]), True)
    if verb == "tune":
        return ["tune", "--replay", "run.jsonl"], False
    if verb in ("analyze", "plan", "report"):
        return {"analyze": readers.analyze, "plan": readers.plan, "report": readers.report}[verb](rng, "run.jsonl"), False
    return {"import": ["import", "table.csv"], "doctor": ["doctor"],
            "noise-scale": ["noise-scale", "-m", "mlp", "-b", "1", "--accumulation", "2", "--steps", "10"],
            "compare": ["compare", "two.jsonl"], "trend": ["trend", "run.jsonl"],
            "baseline save": ["baseline", "save", "kept", "run.jsonl", "--dir", "kept"],
            "baseline list": ["baseline", "list", "--dir", "kept"],
            "baseline compare": ["baseline", "compare", "kept", "run.jsonl", "--dir", "kept"],
            "completion": ["completion", rng.choice(["bash", "zsh", "fish"])],
            "embed": ["embed", "-m", "absent", "--texts", "table.csv"]}[verb], True


def make(rng, corpus):
    files = {"run.jsonl": corpus.runs["plain"], "two.jsonl": corpus.runs["two"], "table.csv": corpus.tables["plain"]}
    if rng.random() < 0.15:
        law = _law(rng)
        arguments = ["profile", "-m", law, *_TINY[3:], *rng.choice([["--dry-run"], ["--memory-limit", "1GiB", "--isolation", "block"]])]
        return Try(f"a law: {law[:60]}", arguments[:120], files)
    verb = rng.choice(["profile"] * 4 + ["analyze", "analyze", "compare", "tune", "tune", "plan", "plan", "report", "import", "noise-scale", "embed",
                                         "trend", "baseline save", "baseline list", "baseline compare", "completion"])
    base, idle = _base(rng, verb)
    added = some(rng, corpus.flags[verb], idle)
    named = len(verb.split())
    arguments = base + added if rng.random() < 0.8 else base[:named] + added + base[named:]
    # Where runs are kept is taken at its word, be it "/".
    if rng.random() < 0.05 and verb != "baseline save":
        arguments[rng.randrange(len(arguments))] = as_bytes(rng.choice(special.TEXTS))
    return Try(f"{verb} with {len(added)} words more", arguments, files)
