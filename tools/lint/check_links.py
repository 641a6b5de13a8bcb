#!/usr/bin/env python3
"""Fails when a document links to a file, or to a place in a document, that is not there. Addresses of the web are left alone."""

import re
import sys

from sources import ROOT, tracked

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_ANCHOR = re.compile(r'<a (?:id|name)="([^"]+)"')


def anchor_of(heading):
    """As GitHub makes it: small letters, hyphens for spaces, nothing else but letters, digits and _."""
    shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.strip())
    return re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")


def anchors_in(text):
    return set(_ANCHOR.findall(text)) | {anchor_of(each) for each in _HEADING.findall(text)}


def violations_in(document, root):
    text = document.read_text()
    for path, anchor in _LINK.findall(_CODE.sub("", text)):
        target = document.parent / path if path else document
        where = f"{document.relative_to(root)}: links to {path}"
        if not target.exists():
            yield f"{where}, which is not there"
        elif anchor and target.suffix == ".md" and anchor not in anchors_in(target.read_text()):
            yield f"{where}#{anchor}, which has no such heading"


def documents(root):
    # What a test has as its input may be broken on purpose.
    return [path for path in tracked(root, "*.md") if "fixtures" not in path.parts]


def check(root):
    return [violation for path in documents(root) for violation in violations_in(path, root)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"links: {len(documents(ROOT))} documents, every place is there")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
