"""The verbs. Keywords are the program's flags with _ for -; `batchscope help VERB` says what each does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from batchscope._client import measuring
from batchscope._client.arguments import words_for
from batchscope._client.carry import as_list
from batchscope._client.measuring import Job
from batchscope._client.outcomes import Doctor, LargestBatch, Plan, Preview, Tuning, Verdict
from batchscope._client.program import call
from batchscope._client.run import Run, parsed
from batchscope._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Path = str | os.PathLike
    Model = str | Callable | Any
    Models = Model | list[Model] | None
    Numbers = int | str | Iterable[int] | None
    Words = str | Iterable[str] | None
    Seconds = float | str | None  # a number of seconds, or "60s", "200ms", "2h"
    Bytes = int | str | None  # a number of bytes, or "8GiB"
    Inputs = str | Iterable[str] | Mapping[str, str] | None  # "x:Bx1024", several of them, or {"x": "Bx1024"}
    Values = Mapping[str, Any] | None  # {"width": [256, 512]}


def _job(verb, given, command=None, **more):
    """From the locals of a verb: `more` among them are flags without a parameter of their own."""
    keywords = {**given, **given["more"]}
    known = {name: keywords.pop(name) for name in ("model", "output", "progress")}
    keywords.pop("more")
    return Job(verb, command or verb, as_list(known["model"]), keywords, known["output"], bool(known["progress"]),
               **more)


def profile(
        model: Models = None, *, batch_sizes: Numbers = None, inputs: Inputs = None, seq_lens: Numbers = None,
        precision: Words = None, device: Words = None, threads: Numbers = None, instances: Numbers = None,
        mode: Words = None, engine: Words = None, params: Values = None, env: Values = None,
        latency_budget: Seconds = None, memory_limit: Bytes = None, budget: Seconds = None, blocks: int | None = None,
        iterations: int | None = None, diagnose: bool = False, isolation: str | None = None, seed: int | None = None,
        output: Path | None = None, overwrite: bool = False, resume: bool = False, dry_run: bool = False,
        progress: bool = True, **more: Any,
) -> Run | Preview:
    """Measures a model over batch sizes and other axes, in fresh processes and random order.

    model: as on the command line ("distilbert", "net.py:factory", "model.onnx"), an importable function or class, or
        whatever cloudpickle can carry: a closure, a module of a notebook's cell. Several as a list are interleaved.
        None with resume=True, which goes on with the run file `output`.
    batch_sizes: 4, [1, 2, 4], range(1, 9) or "1-8".
    inputs: what a model is fed, where that cannot be found out: "x:Bx3x224x224", a list, or {"x": "Bx3x224x224"}.
    params: values of the factory's own, {"width": [256, 512]} compares two.
    latency_budget, budget: seconds, or "200ms"; memory_limit: bytes, or "8GiB".
    isolation: "none" measures in this very process, which proves less, as the analysis says.
    output: the run file; None: a temporary one, which lives as long as the Run.
    progress: False shows none.

    Returns a Run; with dry_run=True a Preview. Ctrl-C keeps what was measured and raises KeyboardInterrupt, whose `run`
    is that. Raises UsageError, InputError, MeasurementError; of strict=True MeasurementError, whose `run` is complete.
    """
    given = locals()
    job = _job("profile", given)
    if dry_run:
        return measuring.preview(job)
    if isolation == "none" and measuring.is_for_this_process(job):
        return measuring.measure_here(job)
    run, _ = measuring.measure(job)
    return run


def tune(
        model: Models = None, *, batch_sizes: Numbers = None, inputs: Inputs = None, objective: str | None = None,
        latency_budget: Seconds = None, memory_limit: Bytes = None, budget: Seconds = None, seq_lens: Numbers = None,
        precision: Words = None, device: Words = None, threads: Numbers = None, instances: Numbers = None,
        engine: Words = None, params: Values = None, env: Values = None, points: int | None = None,
        verify_blocks: int | None = None, seed: int | None = None, output: Path | None = None, overwrite: bool = False,
        resume: bool = False, progress: bool = True, **more: Any,
) -> Tuning:
    """Finds the batch size, threads, instances, precision and engine to use by measuring few, and verifies it.

    Keywords as of profile(); objective: "throughput", "latency" or "cost". Raises MeasurementError where nothing that
    was measured keeps the bounds; its `run` has what was.
    """
    job = _job("tune", locals())
    _refuse(job, {"max_batch_only": "use bs.max_batch()",
                  "dry_run": "run batchscope tune --dry-run"})
    if "export" in job.keywords and "=" not in str(job.keywords["export"]):
        raise UsageError(f"tune(): export needs a file to write (export={str(job.keywords['export']) + '=FILE'!r})")
    run, _ = measuring.measure(job)
    return Tuning.of(run.analyze(), run)


def max_batch(
        model: Models = None, *, inputs: Inputs = None, memory_limit: Bytes = None, margin: float | str | None = None,
        max_batch_size: int | None = None, soak_time: Seconds = None, budget: Seconds = None, seq_lens: Numbers = None,
        precision: Words = None, device: Words = None, threads: Numbers = None, engine: Words = None,
        mode: Words = None, params: Values = None, env: Values = None, output: Path | None = None,
        overwrite: bool = False, resume: bool = False, progress: bool = True, **more: Any,
) -> LargestBatch:
    """The largest batch that fits into memory, and one that fits safely: it leaves `margin` (0.05) free."""
    job = _job("max_batch", locals(), command="tune", before=("--max-batch-only",))
    run, _ = measuring.measure(job)
    return LargestBatch.of(run.analyze(), run)


def compare(
        old: Model, new: Model, *, margin: float | str | None = None, batch_sizes: Numbers = None,
        inputs: Inputs = None, budget: Seconds = None, blocks: int | None = None, iterations: int | None = None,
        seed: int | None = None, output: Path | None = None, overwrite: bool = False, progress: bool = True,
        **more: Any,
) -> Verdict:
    """Whether `new` is slower than `old` by more than the margin (0.02): models, measured in one run, or two Runs
    (one of them may be the path of a run file).

    A model that is slower is a result, no error: see `verdict` of what comes back.
    """
    given = locals()
    if isinstance(old, Run) or isinstance(new, Run):
        return _compared_runs(_path_of(old), _path_of(new), {"margin": margin, **more})
    given["model"] = [given.pop("old"), given.pop("new")]
    job = _job("compare", given, output_flag="--run", accepted=(0, 5, 6), labels=("old", "new"))
    path = job.folder.file("verdict.json")
    job.before = ("--format", "json")
    with open(path, "wb") as printed:
        run, _ = measuring.measure(job, printed)
    with open(path, encoding="utf-8") as file:
        return Verdict.of(parsed(file.read()), run)


def _path_of(run):
    if isinstance(run, Run):
        return run.path
    if isinstance(run, (str, os.PathLike)):
        return os.fspath(run)
    raise UsageError("compare(): old and new have to be two models, or two runs")


def _compared_runs(old, new, keywords):
    words = words_for("compare", keywords)
    done = call(["compare", old, new, *words, "--format", "json", "-q"], accepted=(0, 5, 6))
    return Verdict.of(parsed(done.printed), None)


def _refuse(job, elsewhere):
    for name, hint in elsewhere.items():
        if job.keywords.get(name):
            raise UsageError(f"{job.verb}() has no keyword '{name}': {hint}")


def load(path: Path) -> Run:
    """The Run of a run file, interrupted ones too. Raises InputError for one that cannot be read or is none."""
    run = Run(os.fspath(path))
    run.analyze()
    return run


def plan(
        run: Run | Path, *, rate: float | str | None = None, p99: Seconds = None, arrivals: str | None = None,
        lengths: Numbers = None, instances: int | None = None, max_batch_size: int | None = None,
        max_delay: Seconds = None, seed: int | None = None, **more: Any,
) -> Plan:
    """The batching policy and the number of instances for `rate` requests a second with 99 % within `p99`.

    It is found by simulation. Raises MeasurementError where no policy and no number of instances keep the bound.
    """
    given = locals()
    path, more = os.fspath(given.pop("run")), given.pop("more")
    if "output" in more:
        raise UsageError("plan() has no keyword 'output': the result has .to_json()")
    done = call(["plan", path, *words_for("plan", {**given, **more}), "--format", "json", "-q"])
    return Plan.of(parsed(done.printed))


def doctor(**flags: Any) -> Doctor:
    """What works on this machine, what disturbs measurements, and how to get what is missing."""
    return Doctor.of(parsed(call(["doctor", *words_for("doctor", flags), "--format", "json"]).printed))
