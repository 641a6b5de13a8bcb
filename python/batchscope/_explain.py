"""What a user reads about an exception: what, where in the user's own code, how to fix it."""

import errno
import os
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"usage": "usage", "input": "input"}
MOST_LINES = 3
MOST_CAUSES = 8
PLAIN = (RuntimeError, Exception, BaseException, object)


class Refused(Exception):
    """An expected failure, as base::Error in C++: of kind usage, input or failed."""

    def __init__(self, kind, what, where="", fix=""):
        super().__init__(what)
        self.kind, self.what, self.where, self.fix = kind, what, where, fix


def all_words_of(raised):
    """All that an exception says, with the names of its types and what it was raised from: whether that means memory is
    judged in C++ (base/memory_words.hpp)."""
    lines = []
    for _ in range(MOST_CAUSES):
        if raised is None:
            break
        lines.append(f"{type(raised).__name__}: {raised}")
        lines += [f"{each.__name__}:" for each in type(raised).__mro__[1:] if each not in PLAIN]
        if isinstance(raised, OSError) and raised.errno == errno.ENOMEM:
            lines.append("ENOMEM")
        raised = raised.__cause__
    return "\n".join(lines).encode(errors="replace").decode()


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
    if isinstance(raised, MemoryError):
        return {"kind": "out-of-memory", "what": words_of(raised), "where": place(raised), "fix": ""}
    return {"kind": "failed", "what": words_of(raised), "where": place(raised), "fix": ""}
