"""Commands that read a run file, for tries that differ in what is in it."""


def command(rng, name="run.jsonl", other=None):
    """Arguments of a verb that reads the run file `name`; `other` is a second, valid one."""
    makers = [analyze, analyze, analyze, report, plan, replay]
    arguments = rng.choice(makers)(rng, name)
    if other and arguments[0] in ("analyze", "report") and rng.random() < 0.2:
        arguments.insert(1 if rng.random() < 0.5 else 2, other)
    return arguments


def analyze(rng, name):
    more = rng.choice([[], [], ["--strict"], ["--fail-on", "low"], ["--fail-on-regression", "3%"], ["--level", "99%"], ["--latency-budget", "20ms"],
                       ["--memory-limit", "1GiB"], ["--current-batch-size", "2"], ["-q"]])
    form = rng.choice(["text", "json", "json", "md", "csv"])
    output = rng.choice([[], [], ["-o", {"text": "out.txt", "json": "out.json", "md": "out.md", "csv": "out.csv"}[form]]])
    return ["analyze", name, "--format", form, *more, *output]


def report(rng, name):
    return ["report", name, "-o", rng.choice(["out.html", "out.html", "out.md"]), *rng.choice([[], ["--redact"]])]


def plan(rng, name):
    load = rng.choice([["--rate", "40/s"], ["--rate", "5/s", "--p99", "500ms"], ["--rate", "900/s", "--instances", "4"],
                       ["--rate", "40/s", "--arrivals", "bursty"]])
    return ["plan", name, *load, "--requests", "500", "--format", rng.choice(["text", "json"])]


def replay(rng, name):
    more = rng.choice([[], ["--noise", "3%"], ["--latency-budget", "20ms"], ["--memory-limit", "1GiB"], ["--objective", "latency"], ["--explain"]])
    export = rng.choice([[], [], ["--export", "yaml=out.yaml"], ["--export", "env=out.env"], ["--export", "triton=out.pbtxt"]])
    return ["tune", "--replay", name, *more, *export, "--format", rng.choice(["text", "json"])]
