"""What is loaded while which step runs: by names as on the command line, or as objects of profile_loader()."""

import inspect
from dataclasses import dataclass, field

from batchscope._explain import Refused
from batchscope._loaders.lengths import STEP

PYTHON = "python:"  # of a source of samples, schema::Loader

#: What the settings that are measured say.
OWN = ("batch_size", "num_workers", "prefetch_factor", "multiprocessing_context", "pin_memory")


@dataclass
class Plan:
    """`dataset`: it, or a function that makes it; None: what the loader's source names. `step`: the length of a synthetic one as
    "step:20ms" says it, step(batch), or a function without arguments that returns that. `keywords`: of the DataLoader."""

    dataset: object
    step: object
    keywords: dict = field(default_factory=dict)

    def __post_init__(self):
        # How it is called, and whose code goes along where a fresh interpreter would not find it.
        self.__name__ = self.step if isinstance(self.step, str) else name_of(self.step)
        named = self.step if self.dataset is None else self.dataset
        self.__module__ = getattr(named, "__module__", None) or type(named).__module__

    def __call__(self, batch_size):
        """A model as the program has it; without a loader there is nothing to run."""
        raise Refused("usage", "it measures a loop over a DataLoader, but no loader is given", self.__name__, "add --loader python:data.py:dataset")


def name_of(found):
    return getattr(found, "__name__", None) or type(found).__name__


def _required(found):
    """How many arguments a call has to give; None where that cannot be seen."""
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    needs = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in needs and each.default is each.empty for each in parameters)


def _holds_samples(found):
    return not isinstance(found, type) and (hasattr(found, "__getitem__") or hasattr(found, "__iter__"))


def loader_keywords(plan, where):
    """What the DataLoader is made with, `dataset` among it. Raises Refused, and what the user's function raises."""
    found = plan.dataset
    if not _holds_samples(found):
        if not callable(found):
            raise Refused("usage", f"it is a {type(found).__name__}, not a data set", where,
                          "name a data set, or a function that returns one")
        found = found()
    made = dict(found) if isinstance(found, dict) else {"dataset": found}
    dataset = made.get("dataset")
    if dataset is None or not _holds_samples(dataset):
        raise Refused("usage", f"the function returned a {type(found).__name__}, not a data set", where,
                      "return a data set, or a dict of DataLoader's keywords with dataset in it")
    taken = [name for name in OWN if name in made]
    if taken:
        raise Refused("usage", f"the function sets {', '.join(taken)}, which batchscope varies", where, "remove it")
    return {**made, **plan.keywords}


def step_of(plan):
    """step(batch) of the user's own."""
    step = plan.step() if _required(plan.step) == 0 else plan.step
    if not callable(step):
        raise Refused("usage", f"it returned a {type(step).__name__}, not a step", name_of(plan.step),
                      f"return step(batch), or use a synthetic step such as {STEP}20ms")
    return step
