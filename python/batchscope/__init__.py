"""batchscope: find the batch size at which a model runs best, know why, and prove it.

    import batchscope as bs

    run = bs.profile("net.py:factory", batch_sizes=[1, 2, 4, 8], output="run.jsonl")
    print(run.analyze())

All that is measured is measured by the program batchscope, in fresh processes. What is here is loaded
when it is first used.
"""

TYPE_CHECKING = False  # importing typing takes ten times as long as all of this
if TYPE_CHECKING:
    from batchscope._client.analysis import Analysis
    from batchscope._client.autotune import Setting, autotune
    from batchscope._client.outcomes import Doctor, LargestBatch, Plan, Preview, Tuning, Verdict
    from batchscope._client.results import Answer, Check, Comparison, Config, Estimate, Finding, Recommendation
    from batchscope._client.run import Run
    from batchscope._client.testing import assert_fits, assert_not_slower
    from batchscope._client.trace import Trace, trace
    from batchscope._client.verbs import compare, doctor, load, max_batch, plan, profile, tune
    from batchscope._core import Profiler, range
    from batchscope._errors import Error, InputError, MeasurementError, Undecided, UsageError
    from batchscope._inside.batcher import Batcher, Refused
    from batchscope._inside.memory import is_out_of_memory
    from batchscope._monitoring.training import TrainingMonitor
    from batchscope._training.sampler import BatchSampler

_PLACES = {
    "_client.analysis": ("Analysis",),
    "_client.autotune": ("Setting", "autotune"),
    "_client.outcomes": ("Doctor", "LargestBatch", "Plan", "Preview", "Tuning", "Verdict"),
    "_client.results": ("Answer", "Check", "Comparison", "Config", "Estimate", "Finding", "Recommendation"),
    "_client.run": ("Run",),
    "_client.testing": ("assert_fits", "assert_not_slower"),
    "_client.trace": ("Trace", "trace"),
    "_client.verbs": ("compare", "doctor", "load", "max_batch", "plan", "profile", "tune"),
    "_core": ("Profiler", "range"),
    "_errors": ("Error", "InputError", "MeasurementError", "Undecided", "UsageError"),
    "_inside.batcher": ("Batcher", "Refused"),
    "_inside.memory": ("is_out_of_memory",),
    "_monitoring.training": ("TrainingMonitor",),
    "_training.sampler": ("BatchSampler",),
}
_NATIVE = ("_core", "_inside.batcher", "_inside.memory", "_monitoring.training", "_training.sampler")
_NAMES = {name: place for place, names in _PLACES.items() for name in names}
# Without `range`, which would replace the built-in one wherever somebody imports *.
__all__ = [name for name, place in _NAMES.items() if place not in _NATIVE]


def _missing(name, raised):
    return ImportError(f"batchscope.{name} needs the package's native module, which failed to load: {raised} "
                       f"(build it with pip install .)")


def __getattr__(name):
    if name not in _NAMES:
        raise AttributeError(f"module 'batchscope' has no attribute '{name}'")
    import importlib

    try:
        found = getattr(importlib.import_module(f"batchscope.{_NAMES[name]}"), name)
    except ImportError as raised:
        if _NAMES[name] not in _NATIVE:
            raise
        raise _missing(name, raised) from raised
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *_NAMES})
