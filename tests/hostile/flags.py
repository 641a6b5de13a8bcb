"""The flags of every verb, from its own help."""

import re
import subprocess

# Those of a group are called by two words.
VERBS = ("profile", "analyze", "compare", "baseline save", "baseline list", "baseline compare", "trend", "tune", "report", "plan",
         "noise-scale", "block", "merge", "import", "doctor", "embed", "completion")
_LINE = re.compile(r"^  (?:(-\w), |    )(--[\w-]+)(?:\[=(\w+)\]| (\S+))?(?=\s|$)", re.MULTILINE)


def of_verb(program, verb):
    """[(name, short name or None, whether it takes a value, its choices)]"""
    text = subprocess.run([program, *verb.split(), "--help-all"], capture_output=True, text=True, timeout=60, check=True).stdout
    found = []
    for short, name, _, value in _LINE.findall(text):
        choices = value.split("|") if "|" in value else []
        found.append((name, short or None, bool(value), choices))
    return found
