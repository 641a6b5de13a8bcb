#!/usr/bin/env python3
"""Fails when a library includes one that is not below it, or when a public header shows a third party's header.

The rows are data: a library sees only libraries of lower rows, never one of its own row. They are described in
docs/design/design.md.
"""

import re
import sys

from sources import ROOT, cpp_files

ROWS = {
    "base": 0,
    "stats": 1,
    "schema": 1,
    "timing": 2,
    "findings": 2,
    "engine": 2,
    "record": 2,
    "serving": 2,
    "trace": 2,
    "synthetic": 3,
    "loading": 3,
    "device": 3,
    "measure": 4,
    "analyze": 4,
    "planning": 4,
    "pipeline": 4,
    "study": 5,
    "report": 5,
    "monitor": 5,
    "tune": 6,
    "cli": 7,
}

# A plugin meets the core at the engine interface; one that trains loads its samples as every other does.
PLUGIN_MAY_INCLUDE = {"base", "schema", "engine", "loading"}

THIRD_PARTY = re.compile(
    r"^(nlohmann|simdjson|fmt|csv|CLI|boost|torch|ATen|c10|caffe2|gtest|gmock|benchmark)(/|\.h)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def forbidden_edge(owner, kind, target):
    """None, or why a file of `owner` may not include a header of library `target`."""
    if target not in ROWS:
        return f"'{target}' is in no row: add it to ROWS and to docs/design/design.md"
    if kind == "plugins":
        return None if target in PLUGIN_MAY_INCLUDE else f"plugins may include only {sorted(PLUGIN_MAY_INCLUDE)}"
    if kind != "libs" or owner == target:
        return None
    if owner not in ROWS:
        return f"'{owner}' is in no row: add it to ROWS and to docs/design/design.md"
    if ROWS[target] >= ROWS[owner]:
        return f"{owner} is in row {ROWS[owner]}, {target} in row {ROWS[target]}, and only lower rows are seen"
    return None


def violations_in(path, root):
    kind, owner = path.relative_to(root).parts[:2]
    public = "include" in path.relative_to(root).parts
    for match in INCLUDE.finditer(path.read_text()):
        header = match.group(1)
        parts = header.split("/")
        reason = None
        if parts[0] == "batchscope":
            reason = forbidden_edge(owner, kind, parts[1]) if len(parts) > 2 else "no library in this path"
        elif ".." in parts or parts[0] in ("libs", "plugins"):
            reason = "reaches into another folder; include batchscope/<library>/..."
        elif public and THIRD_PARTY.match(header):
            reason = "a third party's header in a public header; forward-declare, or move it to src/"
        if reason:
            line = path.read_text()[: match.start(1)].count("\n") + 1
            yield f"{path.relative_to(root)}:{line}: includes {header}: {reason}"


def check(root):
    return [violation for path in cpp_files(root) for violation in violations_in(path, root)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"include graph: {len(cpp_files(ROOT))} files, no forbidden edge")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
