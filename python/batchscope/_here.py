"""Measuring in this very process, for isolation="none"."""

from batchscope._errors import MeasurementError, UsageError

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600}
# Keywords of bs.profile() that mean something without a process of its own.
TAKEN = ("batch_sizes", "inputs", "seed", "blocks", "iterations", "warmup", "min_visit_time", "target", "budget",
         "latency_budget", "current_batch_size", "threads", "params", "overwrite", "isolation")


def seconds(value, name):
    """A number of seconds, or "60s"."""
    if value is None or isinstance(value, (int, float)):
        return value
    text = str(value).strip()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    try:
        return float(number) * UNITS[text[len(number):] or "s"]
    except (ValueError, KeyError):
        raise UsageError(f"profile(): {name} is '{value}' (give a number of seconds, or e.g. \"60s\")") from None


def sizes(value):
    """Of batches: 4, [1, 2], "1,2"."""
    if value is None:
        return [1, 2, 4, 8]
    try:
        if isinstance(value, str):
            return [int(each) for each in value.split(",")]
        return [int(each) for each in value] if hasattr(value, "__iter__") else [int(value)]
    except ValueError:
        raise UsageError(f"profile(): batch_sizes is '{value}' (give a list of integers)") from None


def input_texts(value):
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{name}:{shape}" for name, shape in value.items()]
    return [value] if isinstance(value, str) else list(value)


def options_of(keywords, name, path):
    share = keywords.get("target")
    return {
        "name": name, "output": path, "overwrite": bool(keywords.get("overwrite")), "threads": keywords.get("threads") or 1,
        "blocks": keywords.get("blocks"), "iterations": keywords.get("iterations"), "warmup": keywords.get("warmup"),
        "min_visit_s": seconds(keywords.get("min_visit_time"), "min_visit_time") or 0.25,
        "target": 0.02 if share is None else float(share), "budget_s": seconds(keywords.get("budget"), "budget"),
        "seed": keywords.get("seed"), "latency_budget_s": seconds(keywords.get("latency_budget"), "latency_budget"),
        "current_batch_size": keywords.get("current_batch_size")}


class Here:
    """A model of this process as study::profile calls it: prepare(batch_size), then run(batch_size) again and again."""

    def __init__(self, body):
        self.body, self.ready = body, {}

    def prepare(self, batch_size):
        if batch_size not in self.ready:
            self.ready[batch_size] = self.body.prepare(batch_size, None)

    def run(self, batch_size):
        prepared = self.ready[batch_size]
        prepared.run()
        if prepared.wait is not None:
            prepared.wait()


def check(models, keywords):
    unknown = [name for name, value in keywords.items() if value is not None and value is not False and name not in TAKEN]
    if unknown:
        raise UsageError(f'profile(): {unknown[0]} needs fresh processes (leave isolation="none" out)')
    if len(models) != 1:
        raise UsageError('profile(): isolation="none" measures one model at a time (leave it out to compare several)')


def profile(models, path, keywords):
    """Measures a model, an object, in this process into the run file at `path`; keywords are those of bs.profile().

    Other work of the process is in the times then, and the analysis proves nothing of them.
    """
    check(models, keywords)
    from batchscope import _core
    from batchscope._explain import Refused
    from batchscope._host import Request
    from batchscope._models import factory

    model = models[0]
    name = getattr(model, "__name__", type(model).__name__)
    param = {name: str(value) for name, value in (keywords.get("params") or {}).items()}
    request = Request(model=name, inputs=input_texts(keywords.get("inputs")), param=param, threads=keywords.get("threads") or 1)
    try:
        here = Here(factory.open_object(model, request))
    except Refused as refused:
        raise UsageError(f"{refused.what} ({refused.fix})") from None
    failed = _core.profile_here(here.prepare, here.run, sizes(keywords.get("batch_sizes")), options_of(keywords, name, path))
    if failed is None:
        return
    kind, text = failed
    if kind == "interrupted":
        raise KeyboardInterrupt(f"interrupted; everything measured so far is in {path}")
    raise (UsageError if kind == "usage" else MeasurementError)(text)
