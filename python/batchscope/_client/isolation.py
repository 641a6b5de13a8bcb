"""isolation="none": what can be asked for without a process of its own, and what becomes of it."""

from batchscope._client.arguments import texts_for
from batchscope._client.flags import flags_of
from batchscope._errors import MeasurementError, UsageError, in_keywords

# Keywords of bs.profile() that mean something without a process of its own.
TAKEN = ("batch_sizes", "inputs", "seed", "blocks", "iterations", "warmup", "min_visit_time", "target", "budget",
         "latency_budget", "current_batch_size", "threads", "params")
# Those that are no values of the run.
OWN = ("overwrite", "isolation")


def one_each(params):
    """{"width": "256"} for "width=256"; several values are an axis."""
    several = next((text for text in params if len(text.replace("\\,", "").split(",")) > 1), None)
    if several:
        raise UsageError(f'profile(): several values of {several.partition("=")[0]} need fresh processes (omit '
                         f'isolation="none")')
    return {name: value.replace("\\,", ",") for name, _, value in (text.partition("=") for text in params)}


def check(models, keywords):
    given = [name for name, value in keywords.items() if value is not None and value is not False]
    unknown = [name for name in given if name not in TAKEN + OWN]
    if unknown:
        raise UsageError(f'profile(): {unknown[0]} needs fresh processes (omit isolation="none")')
    if len(models) != 1:
        raise UsageError('profile(): isolation="none" measures only one model (omit it to compare several)')


def profile(models, path, keywords):
    """Measures a model, an object, in this process into the run file at `path`; keywords are those of bs.profile()."""
    texts = texts_for("profile", {name: value for name, value in keywords.items() if name not in OWN})
    check(models, keywords)
    from batchscope._inside import here

    inputs, params = texts.pop("inputs", []), one_each(texts.pop("params", []))
    given = {keyword: text for keyword, (text,) in texts.items()}
    if not given.get("threads", "1").isdecimal():
        raise UsageError('profile(): several numbers of threads need fresh processes (omit isolation="none")')
    failed = here.profile(models[0], path, inputs, params, given, bool(keywords.get("overwrite")))
    if failed is None:
        return
    kind, text = failed[0], in_keywords(failed[1], {name.replace("-", "_") for name in flags_of("profile")})
    if kind == "interrupted":
        raise KeyboardInterrupt(f"interrupted; {path} has all measurements so far")
    raise UsageError(f"profile(): {text}") if kind == "usage" else MeasurementError(text)
