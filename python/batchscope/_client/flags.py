"""The flags of a verb, as the program's own help has them."""

import functools
import re
from dataclasses import dataclass

from batchscope._client.program import call, find_program

_LINE = re.compile(r"^ {2}(?:-\w, | {4})--([\w-]+)(?:\[=(\w+)\]| (\S+))?(?: {2,}|$)", re.MULTILINE)
_REPEATED = {"input", "env", "param", "model"}


@dataclass(frozen=True)
class Flag:
    """--batch-sizes SIZES: name "batch-sizes", value "SIZES"; of a switch the value is ""."""

    name: str
    value: str
    value_is_optional: bool = False

    @property
    def choices(self):
        return self.value.split("|") if "|" in self.value else []

    @property
    def is_repeated(self):
        return self.name in _REPEATED


@functools.lru_cache(maxsize=32)
def _flags_of(program, verb):
    text = call([verb, "--help-all"]).printed
    return {name: Flag(name, optional or value, bool(optional)) for name, optional, value in _LINE.findall(text)}


def flags_of(verb):
    """By name, without dashes in front."""
    return _flags_of(find_program(), verb)
