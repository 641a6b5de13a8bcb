"""What a user is told of an exception: what, where in the user's own code, how to fix it."""

import os
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"usage": "usage", "input": "input"}
MOST_LINES = 3


class Refused(Exception):
    """An expected failure, as base::Error in C++: of kind usage, input or failed."""

    def __init__(self, kind, what, where="", fix=""):
        super().__init__(what)
        self.kind, self.what, self.where, self.fix = kind, what, where, fix


def is_out_of_memory(raised):
    # By name: nothing here imports torch, and CUDA's error of 2021 was a RuntimeError.
    names = {each.__name__ for each in type(raised).__mro__}
    if isinstance(raised, MemoryError) or "OutOfMemoryError" in names:
        return True
    return isinstance(raised, RuntimeError) and (
        "out of memory" in str(raised) or "can't allocate memory" in str(raised))


def own_frames(raised):
    """The frames of the traceback in the user's own files, the innermost last."""
    frames = traceback.extract_tb(raised.__traceback__)
    return [each for each in frames
            if not each.filename.startswith((HERE, "<frozen")) and "site-packages" not in each.filename]


def place(raised):
    frames = own_frames(raised)
    return "; ".join(f"{os.path.relpath(each.filename) if each.filename.startswith('/') else each.filename}"
                     f":{each.lineno} in {each.name}" for each in frames[-MOST_LINES:])


def words_of(raised):
    if isinstance(raised, SystemExit):
        return f"the model called sys.exit({raised.code if raised.code is not None else ''})"
    if isinstance(raised, KeyboardInterrupt):
        return "the model was interrupted"
    text = str(raised).strip().split("\n", 1)[0]
    return f"{type(raised).__name__}: {text}" if text else type(raised).__name__


def explain(raised):
    if isinstance(raised, Refused):
        return {"kind": raised.kind, "what": raised.what, "where": raised.where, "fix": raised.fix}
    if is_out_of_memory(raised):
        return {"kind": "out-of-memory", "what": words_of(raised), "where": place(raised), "fix": ""}
    return {"kind": "failed", "what": words_of(raised), "where": place(raised), "fix": ""}
