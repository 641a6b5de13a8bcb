#!/usr/bin/env python3
"""Fails when a library includes one that is not below it or that it must not know, when files or folders of one library
include each other, or when a public header shows a third party's header.

The rows are data: a library sees only libraries of lower rows, never one of its own row. They are described in
docs/design/design.md. What its row would allow and a library must not know all the same is data too, and stands in its
README under "Must not know".
"""

import graphlib
import re
import sys

from sources import ROOT, cpp_files

ROWS = {
    "base": 0,
    "bytes": 1,
    "traceformats": 1,
    "commandline": 1,
    "nvtx": 1,
    "nvml": 1,
    "stats": 1,
    "schema": 1,
    "csv": 2,
    "telemetry": 2,
    "timing": 2,
    "findings": 2,
    "engine": 2,
    "record": 2,
    "serving": 2,
    "trace": 2,
    "privacy": 2,
    "attribution": 3,
    "watch": 3,
    "exporter": 3,
    "stepfeed": 3,
    "document": 3,
    "synthetic": 3,
    "interpreter": 3,
    "loading": 3,
    "device": 3,
    "commands": 3,
    "sampling": 4,
    "training": 4,
    "monitorview": 4,
    "measure": 4,
    "planning": 4,
    "pipeline": 4,
    "tables": 4,
    "advice": 4,
    "compare": 5,
    "causes": 5,
    "capacity": 5,
    "charts": 5,
    "analyze": 6,
    "traceview": 6,
    "monitorpage": 7,
    "study": 7,
    "report": 7,
    "monitor": 7,
    "tune": 7,
    "api": 8,
    "progress": 8,
    "flags": 8,
    "cli": 9,
}

# All of `api`, for programs outside.
UMBRELLA = "batchscope/batchscope.hpp"

# Who judges what was measured knows nothing of how, and reads no clock, file or machine: they meet in `schema`.
_NOT_FOR_JUDGES = {"engine", "device", "record", "measure", "pipeline", "planning", "capacity"}

# What the rows alone would allow.
MUST_NOT_KNOW = {
    "stats": {"base"},
    "record": {"stats", "schema"},
    "serving": {"schema"},
    "device": {"engine", "record", "timing"},
    "planning": {"engine", "device", "record", "timing"},
    "capacity": {"tables", "engine", "planning", "pipeline"},
    "tables": _NOT_FOR_JUDGES,
    "compare": _NOT_FOR_JUDGES,
    "causes": _NOT_FOR_JUDGES,
    "analyze": _NOT_FOR_JUDGES,
    "charts": {"engine", "device", "record", "measure", "pipeline", "tables"},
    "report": {"analyze", "engine", "measure"},
}

# A plugin meets the core at the engine interface; one that trains loads its samples as every other does, and one whose
# tracer writes files has them read as those of others are (docs/adr/0034).
PLUGIN_MAY_INCLUDE = {"base", "schema", "engine", "loading", "trace", "attribution"}

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
    if target in MUST_NOT_KNOW.get(owner, ()):
        return f"{owner} must not know {target}, see its README.md"
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
        if header == UMBRELLA:
            reason = forbidden_edge(owner, kind, "api")
        elif parts[0] == "batchscope":
            reason = forbidden_edge(owner, kind, parts[1]) if len(parts) > 2 else "no library in this path"
        elif ".." in parts or parts[0] in ("libs", "plugins"):
            reason = "reaches into another folder; include batchscope/<library>/..."
        elif public and THIRD_PARTY.match(header):
            reason = "a third party's header in a public header; forward-declare, or move it to src/"
        if reason:
            line = path.read_text()[: match.start(1)].count("\n") + 1
            yield f"{path.relative_to(root)}:{line}: includes {header}: {reason}"


def own_includes(path, library):
    """The files of its own library that a file includes, as the compiler finds them."""
    for match in INCLUDE.finditer(path.read_text()):
        above = [folder for folder in path.parents if library in folder.parents]
        for folder in (*above, library / "src", library / "tests", library / "include"):
            header = folder / match.group(1)
            if header.is_file():
                yield header
                break


def room_of(path, library):
    """The folder of a file; public headers are one, since every other may include them."""
    inside = path.relative_to(library).parts
    return "include" if inside[0] == "include" else "/".join(inside[:-1])


def cycle_in(graph):
    """One way around in a graph of sets, the first node again at the end; or nothing."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1][::-1]
    return None


def cycles_in(library, paths, root):
    files, rooms, example = {}, {}, {}
    for path in paths:
        for header in own_includes(path, library):
            files.setdefault(path, set()).add(header)
            edge = room_of(path, library), room_of(header, library)
            if edge[0] != edge[1]:
                rooms.setdefault(edge[0], set()).add(edge[1])
                example.setdefault(edge, f"{path.name} includes {header.name}")
    cycle = cycle_in(files)
    if cycle:
        yield f"{library.relative_to(root)}: files include each other: " + " -> ".join(path.name for path in cycle)
    cycle = cycle_in(rooms)
    if cycle:
        edges = [f"{edge[0]} -> {edge[1]} ({example[edge]})" for edge in zip(cycle, cycle[1:])]
        yield f"{library.relative_to(root)}: folders include each other: " + ", ".join(edges)


def untold_in(library, forbidden):
    """Where its README does not say under "Must not know" what a library must not know."""
    readme = library / "README.md"
    if not readme.is_file():
        return
    told = readme.read_text().partition("Must not know")[2]
    for each in sorted(forbidden):
        if f"`{each}`" not in told:
            yield f"libs/{library.name}/README.md: says nothing of `{each}` under \"Must not know\", which is in MUST_NOT_KNOW"


def check(root):
    paths = cpp_files(root)
    violations = [violation for path in paths for violation in violations_in(path, root)]
    libraries = {}
    for path in paths:
        kind, *inside = path.relative_to(root).parts[:-1]
        if kind in ("libs", "plugins") and inside:
            libraries.setdefault(root / kind / inside[0], []).append(path)
    for library in sorted(libraries):
        violations += cycles_in(library, libraries[library], root)
    for library, forbidden in MUST_NOT_KNOW.items():
        violations += untold_in(root / "libs" / library, forbidden)
    return violations


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"include graph: {len(cpp_files(ROOT))} files, no forbidden edge, no cycle")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
