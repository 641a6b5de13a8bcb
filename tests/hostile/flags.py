"""The flags of every verb, from its own help."""

import re
import subprocess

VERBS = ("profile", "analyze", "tune", "report", "plan", "noise-scale", "import", "doctor", "embed")
_LINE = re.compile(r"^  (?:(-\w),)?(--[\w-]+)(?:\{[^}]*\})?(?: (TEXT|INT|UINT)(?::(\S+(?: in \[[^\]]*\])?))?)?", re.MULTILINE)


def of_verb(program, verb):
    """[(name, short name or None, whether it takes a value, its choices)]"""
    text = subprocess.run([program, verb, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
    found = []
    for short, name, kind, limits in _LINE.findall(text):
        choices = limits[1:-1].split(",") if limits.startswith("{") else []
        found.append((name, short or None, bool(kind) or name == "--config", choices))
    return found
