"""What one try is: files, a command, what surrounds it, and what it may change."""

import dataclasses
import typing

# docs/reference/exit-codes.md; 130 only where a signal was sent.
CODES = frozenset({0, 1, 2, 3, 4, 5, 6})


@dataclasses.dataclass(frozen=True)
class Interruption:
    """`signal` is sent once `file` holds `lines` lines, or at once for 0."""

    signal: int
    file: str
    lines: int


@dataclasses.dataclass
class Try:
    """Runs in a folder of its own; paths are relative to it.

    prelude   lines of shell before the command: limits, mounts, variables
    around    words of shell before the program's path, such as 'env -i'
    after     words of shell behind the arguments: redirections
    closing   lines of shell after the command; it keeps the command's code
    writes    files there before that the command may replace
    extends   files there before that may only grow: complete lines stay as they are
    follows   the next command in the same folder, made from the first one's Outcome
    check     violations that only this try knows of, from the folder
    """

    what: str
    arguments: list
    files: dict = dataclasses.field(default_factory=dict)
    prelude: list = dataclasses.field(default_factory=list)
    around: str = ""
    after: str = ""
    closing: list = dataclasses.field(default_factory=list)
    writes: frozenset = frozenset()
    extends: frozenset = frozenset()
    interruption: Interruption | None = None
    unlimited_memory: bool = False
    printed_nowhere: bool = False  # standard error cannot be read here
    follows: typing.Callable | None = None
    check: typing.Callable | None = None


@dataclasses.dataclass
class Outcome:
    code: int | None  # None: the deadline passed; negative: ended by that signal
    stdout: bytes
    stderr: bytes
    signal_sent: bool = False


def as_bytes(word):
    return word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogateescape")
