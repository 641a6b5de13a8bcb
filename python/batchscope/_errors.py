"""What goes wrong, as exceptions with the program's own words: what, where, and how to fix it."""

import re


class Error(Exception):
    """Of all errors of batchscope; str() is what the program says after "error: "."""

    #: The run file that was written before the error, as a Run; None where there is none.
    run = None


class UsageError(Error, ValueError):
    """Asked for in a way that cannot be: an unknown keyword or value, an output that exists (exit code 2)."""


class InputError(Error):
    """A file or a model that cannot be read, or is wrong (exit code 3)."""


class MeasurementError(Error, RuntimeError):
    """Nothing could be measured, or a part is missing (exit code 1 and others)."""


class Undecided(AssertionError):
    """assert_not_slower(): neither shown to be slower nor shown not to be."""


_KINDS = {2: UsageError, 3: InputError}
_MARK = "error: "


def message_of(stderr):
    """What the program complains about in what it wrote to standard error; "" where it does not."""
    start = ("\n" + stderr).rfind("\n" + _MARK)
    return stderr[start + len(_MARK):].strip() if start >= 0 else ""


# A command that is shown stays one; flags of other programs are among no keywords.
_COMMAND_OR_FLAG = re.compile(r"\bbatchscope [^`)]*|(?<![\w-])--([a-z][a-z0-9-]*)")


def in_keywords(text, keywords):
    """A text of the program for whoever calls a function: --memory-limit as memory_limit, where that is a keyword."""
    def word(match):
        name = (match.group(1) or "").replace("-", "_")
        return name if name in keywords else match.group()

    return _COMMAND_OR_FLAG.sub(word, text)


def error_after(code, stderr):
    """The exception for an exit code, with what stood on standard error."""
    message = message_of(stderr) or stderr.strip() or f"batchscope ended with exit code {code} and said nothing"
    if code < 0:
        message = f"batchscope was killed by signal {-code}; {message_of(stderr) or 'it said nothing'}"
    return _KINDS.get(code, MeasurementError)(message)


def no_json(stderr):
    return MeasurementError(f"batchscope printed no JSON but {stderr[:80]!r} (is BATCHSCOPE_PROGRAM of the same "
                            f"version?)")
