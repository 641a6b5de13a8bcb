"""What a DataLoader raises, as a user can act on it."""

import re
import signal

from batchscope._explain import Refused
from batchscope._loaders.timed import InWorker

_SHARED_FULL = ("Bus error", "unable to allocate shared memory", "No space left on device", "unable to resize file",
                "unable to open shared memory object", "ftruncate")
_GONE = re.compile(r"DataLoader worker \(pid.*(?:is killed by signal|exited unexpectedly)")
_PICKLE = ("pickle", "Pickling")


def _shared_memory_full(text, where):
    return Refused("failed", f"batches do not fit in shared memory: {text}", where,
                   "enlarge /dev/shm (docker run --shm-size 2g), lower the batch size or the prefetch factor, or call "
                   "torch.multiprocessing.set_sharing_strategy('file_system')")


def _gone(ended, where):
    what = "a loader worker exited"
    for code in ended:
        what = f"{signal.Signals(-code).name} ended a loader worker" if code < 0 else f"a loader worker exited with code {code}"
    return Refused("failed", what, where, "look for the reason in the system's log; if memory ran out, use fewer workers")


def explained(raised, where, ended=()):
    """A Refused for what is known, else what was raised; `ended`: the exit codes of workers that have ended."""
    text = " ".join(str(raised).split())
    found = re.search(r"((?:the data set|collate_fn) raised .*)", str(raised).strip().split("\n")[-1])
    if any(words in text for words in _SHARED_FULL):
        return _shared_memory_full(found[1] if found else text[:160], where)
    if isinstance(raised, InWorker):
        return Refused("input", found[1] if found else text[-300:], where, "first make a plain loop over the data set work")
    if _GONE.search(text):
        return _gone(ended, where)
    is_pickle = any(words in f"{type(raised).__name__} {text}" for words in _PICKLE)
    if is_pickle and isinstance(raised, (AttributeError, TypeError, RuntimeError)) or type(raised).__name__ == "PicklingError":
        return Refused("input", f"cannot send the data set to a worker: {text[:200]}", where,
                       "use --start-method fork, or create what pickle refuses in __getitem__")
    return raised
