"""What goes wrong, as exceptions with the program's own words: what, where, and how to fix it."""

import re


LONGEST = 600  # characters of a message


def shortened(text, most=LONGEST):
    """The beginning and the end of a text that is longer than that: a message names the cause first and the fix last."""
    if len(text) <= most:
        return text
    gap = " [...] "
    end = (most - len(gap)) // 3
    return text[:most - len(gap) - end] + gap + text[-end:]


def shown(value):
    """A value within a message; of anything but a number or a short text only its type, never a tensor's numbers."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return shortened(repr(value), 60)
    return f"a value of type {type(value).__name__}"


class Error(Exception):
    """Of all errors of batchscope; str() is what the program prints after "error: "."""

    def __init__(self, text=""):
        super().__init__(shortened(str(text)))

    #: The run file that was written before the error, as a Run; None where there is none.
    run = None


class UsageError(Error, ValueError):
    """Asked for in a way that cannot be: an unknown keyword or value, an output that exists (exit code 2)."""


class InputError(Error):
    """A file or a model that cannot be read, or is wrong (exit code 3)."""


class MeasurementError(Error, RuntimeError):
    """Nothing could be measured, or a part is missing (exit code 1 and others)."""


class Undecided(AssertionError):
    """assert_not_slower(): the measurements are inconclusive."""


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
    """The exception for an exit code, with what is on standard error."""
    message = message_of(stderr) or stderr.strip() or f"batchscope ended with exit code {code} and without a message"
    if code < 0:
        message = f"signal {-code} killed batchscope; {message_of(stderr) or 'it printed no message'}"
    return _KINDS.get(code, MeasurementError)(message)


def no_json(stderr):
    return MeasurementError(f"batchscope printed {stderr[:80]!r} instead of JSON (check that BATCHSCOPE_PROGRAM "
                            f"has the same version)")
