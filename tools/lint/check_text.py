#!/usr/bin/env python3
"""Fails on text that does not belong in a public repository: paths and hosts of one machine, sloppy whitespace."""

import re
import sys

from sources import ROOT, tracked

# Written in pieces, so that this file passes its own check.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.])/(" + "|".join(("wo" + "rk", "ro" + "ot", "ho" + r"me/\w+")) + r")/"),
    "a temporary path of one machine": re.compile("/tmp/" + r"(brief|build-\w+)"),
    "a package registry's host": re.compile(
        "|".join(("files.python" + "hosted", "pypi" + r"\.org", "deb.debian" + r"\.org", "registry.npm" + "js"))),
}
WHITESPACE = {
    "trailing whitespace": re.compile(r"[ \t]+$", re.MULTILINE),
    "a carriage return": re.compile(r"\r"),
    "a tab": re.compile(r"\t"),
    "a conflict marker": re.compile(r"^(<{7}|>{7}) ", re.MULTILINE),
}
VERBATIM = {"LICENSE", "NOTICE"}
DATA_FOLDERS = {"fixtures", "corpus", "approved"}


def violations_in(path, root):
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return
    place = path.relative_to(root)
    rules = dict(FORBIDDEN)
    if place.name not in VERBATIM and not DATA_FOLDERS & set(place.parts):
        rules |= WHITESPACE
        if text and not text.endswith("\n"):
            yield f"{place}: no newline at the end"
    for what, pattern in rules.items():
        for match in pattern.finditer(text):
            yield f"{place}:{text.count(chr(10), 0, match.start()) + 1}: {what}: {match.group(0).strip()!r}"


def check(root, paths):
    return [violation for path in paths for violation in violations_in(path, root)]


def main():
    paths = tracked(ROOT)
    violations = check(ROOT, paths)
    print("\n".join(violations) or f"text: {len(paths)} files, nothing that does not belong")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
