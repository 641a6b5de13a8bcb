#!/usr/bin/env python3
"""Fails when a library includes one of a later wing or one that it must not know, when libraries of a wing, or files or folders
of a library, include each other, when modules or rooms of the Python package import each other, or when a public header shows
a third party's header, or when a result is written as JSON outside of showing.

A library is of the wing in whose folder it stands, libs/WING/LIBRARY. libs/README.md tells of the wings.
"""

import ast
import collections
import graphlib
import re
import sys

from sources import ROOT, cpp_files, library_of

# In the order in which a measurement travels: a wing includes itself and those before it.
WINGS = ("foundation", "records", "machine", "traces", "measuring", "judging", "monitoring", "studies", "showing", "program")

# What the order alone would allow, of wings and libraries. Measurements cannot bend to a verdict, nor a verdict to how it was
# measured; rules that read no clock and no machine give the same findings when a log is replayed.
MUST_NOT_KNOW = {
    "judging": {"measuring", "machine"},
    "watch": {"measuring", "machine"},
    "training": {"measuring", "machine"},
}

# All of `api`, for programs outside.
UMBRELLA = "batchscope/batchscope.hpp"

# A plugin meets the core at the engine interface; one that trains loads its samples as every other does, and one whose
# tracer writes files has them read as those of others are (docs/adr/0034).
PLUGIN_MAY_INCLUDE = {"base", "schema", "engine", "loading", "trace", "attribution"}

# Results are written in the wing showing. Elsewhere JSON is what others wrote (engine, stepfeed, trace), or what is written to
# be read again: run files and logs (schema, findings), what ran out of memory (capacity), traces (ranges, attribution).
MAY_USE_JSON = {"attribution", "capacity", "engine", "findings", "ranges", "schema", "stepfeed", "trace"}

# Rules read time from samples and steps alone, so that a replayed log gives the findings of the live run.
READS_NO_CLOCK = {"watch", "training"}
CLOCK = re.compile(r"_clock::now|clock_gettime|gettimeofday")

THIRD_PARTY = re.compile(
    r"^(nlohmann|simdjson|fmt|csv|CLI|boost|torch|ATen|c10|caffe2|gtest|gmock|benchmark)(/|\.h)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def wings_of(root):
    """{library: its wing}."""
    return {folder.name: folder.parent.name for folder in (root / "libs").glob("*/*") if folder.is_dir()}


def forbidden_edge(owner, kind, target, wings):
    """None, or why a file of `owner` may not include a header of library `target`."""
    if target not in wings:
        return f"there is no library '{target}' in libs/*/"
    if kind == "plugins":
        return None if target in PLUGIN_MAY_INCLUDE else f"plugins may include only {sorted(PLUGIN_MAY_INCLUDE)}"
    if kind != "libs" or owner == target:
        return None
    here, there = wings[owner], wings[target]
    for name in (here, owner):
        if {there, target} & MUST_NOT_KNOW.get(name, set()):
            return f"{name} must not know {target} of {there}"
    if WINGS.index(there) > WINGS.index(here):
        return f"{owner} is of the wing {here}, {target} of {there}, and only wings before it are seen"
    return None


def writes_results(place, wings):
    """Whether the file is of a library that has no business with JSON; its tests may read what was written."""
    library = library_of(place)
    return (place.parts[0] == "libs" and "tests" not in place.parts and wings.get(library.name) != "showing"
            and library.name not in MAY_USE_JSON)


def library_in(header):
    """The library of a header as it is included; None: another's, or none."""
    parts = header.split("/")
    if header == UMBRELLA:
        return "api"
    return parts[1] if parts[0] == "batchscope" and len(parts) > 2 else None


def violations_in(path, root, wings):
    place = path.relative_to(root)
    kind, public = place.parts[0], "include" in place.parts
    owner = (library_of(place) or place).name
    text = path.read_text()
    for match in INCLUDE.finditer(text):
        header, target = match.group(1), library_in(match.group(1))
        parts = header.split("/")
        reason = None
        if target:
            reason = forbidden_edge(owner, kind, target, wings)
        elif parts[0] == "batchscope":
            reason = "no library in this path"
        elif ".." in parts or parts[0] in ("libs", "plugins"):
            reason = "reaches into another folder; include batchscope/<library>/..."
        elif parts[0] == "nlohmann" and writes_results(place, wings):
            reason = "results are written as JSON in libs/showing alone (MAY_USE_JSON)"
        elif public and THIRD_PARTY.match(header):
            reason = "a third party's header in a public header; forward-declare, or move it to src/"
        if reason:
            line = text[: match.start(1)].count("\n") + 1
            yield f"{place}:{line}: includes {header}: {reason}"
    if owner in READS_NO_CLOCK and "src" in place.parts and (read := CLOCK.search(text)):
        yield f"{place}:{text[: read.start()].count(chr(10)) + 1}: reads a clock: rules take the time of samples and steps"


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


def cycles_of_libraries(files, wings, root):
    """A way around among the libraries of each wing; `files` by library."""
    graphs = collections.defaultdict(dict)
    for folder, paths in files.items():
        owner, wing = folder.name, wings.get(folder.name)
        seen = {library_in(header) for path in paths if "tests" not in path.relative_to(folder).parts
                for header in INCLUDE.findall(path.read_text())}
        graphs[wing][owner] = {each for each in seen - {owner} if wings.get(each) == wing}
    for wing, graph in sorted(graphs.items(), key=str):
        cycle = cycle_in(graph)
        if wing and cycle:
            yield f"libs/{wing}: libraries include each other: " + " -> ".join(cycle)


def module_at(place):
    """The file of a Python module or package that lies there, without its ending; or None."""
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def own_imports(path, package):
    """The files of its own package that a Python file imports, also within functions; the package itself is none."""
    for node in ast.walk(ast.parse(path.read_text())):
        places = []
        if isinstance(node, ast.ImportFrom):
            start = path.parents[node.level - 1] if node.level else package.parent
            module = start.joinpath(*(node.module or "").split("."))
            places = [module / name.name if module_at(module / name.name) else module for name in node.names]
        elif isinstance(node, ast.Import):
            places = [package.parent.joinpath(*name.name.split(".")) for name in node.names]
        yield from (module_at(place) for place in places if package in place.parents and module_at(place))


def cycles_of_python(package):
    """Ways around among modules of the Python package, and among its rooms: its folders, and each file at its top."""
    modules, rooms = {}, {}
    for path in sorted(package.rglob("*.py")):
        for imported in own_imports(path, package):
            modules.setdefault(path.relative_to(package), set()).add(imported.relative_to(package))
    for path, imported in modules.items():
        rooms.setdefault(path.parts[0], set()).update({each.parts[0] for each in imported} - {path.parts[0]})
    for kind, cycle in (("modules", cycle_in(modules)), ("rooms", cycle_in(rooms))):
        if cycle:
            yield f"python/batchscope: {kind} import each other: " + " -> ".join(map(str, cycle))


def check(root):
    paths, wings = cpp_files(root), wings_of(root)
    unknown = sorted(set(wings.values()) - set(WINGS))
    if unknown:
        return [f"libs/{wing}: no wing of this name: see WINGS and libs/README.md" for wing in unknown]
    violations = [violation for path in paths for violation in violations_in(path, root, wings)]
    libraries = collections.defaultdict(list)
    for path in paths:
        library = library_of(path.relative_to(root))
        if library:
            libraries[root / library].append(path)
    for library in sorted(libraries):
        violations += cycles_in(library, libraries[library], root)
    return [*violations, *cycles_of_libraries(libraries, wings, root), *cycles_of_python(root / "python/batchscope")]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"include graph: {len(cpp_files(ROOT))} files, no forbidden edge, no cycle")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
