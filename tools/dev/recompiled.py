#!/usr/bin/env python3
"""How many sources of libs/ a change of a file makes the compiler read again: recompiled.py FILE... [--through].

Counts every #include of the project's own files, transitively, as the dev preset compiles: a source by itself.
--through lists the headers by which most of the sources see the file, the one to mend first.
"""

import argparse
import collections
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))
from sources import ROOT, cpp_files, include_graph, reached  # noqa: E402


def graph():
    """{file: files it includes} of libs/, plugins/ and python/ without tests."""
    return include_graph({path: path.read_text() for path in cpp_files(ROOT) if "tests" not in path.parts
                          and path.relative_to(ROOT).parts[0] in ("libs", "plugins", "python")})


def users(edges, file):
    """Every file that sees it, itself among them."""
    back = collections.defaultdict(set)
    for path, found in edges.items():
        for each in found:
            back[each].add(path)
    return reached(back, file)


def sources_of(files):
    return {path for path in files if path.suffix == ".cpp" and "libs" in path.relative_to(ROOT).parts[:1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--through", action="store_true")
    arguments = parser.parse_args()
    edges = graph()
    everything = len(sources_of(edges))
    for name in arguments.files:
        file = Path(name).resolve()
        print(f"{name}: {len(sources_of(users(edges, file)))} of {everything} sources")
        if not arguments.through:
            continue
        rows = []
        for header in users(edges, file) - {file}:
            if header.suffix == ".hpp":
                without = {path: found - {header} if path != header else found for path, found in edges.items()}
                saved = len(sources_of(users(edges, file))) - len(sources_of(users(without, file)))
                rows.append((saved, len(sources_of(users(edges, header))), header.relative_to(ROOT)))
        for saved, seen, header in sorted(rows, reverse=True)[:25]:
            print(f"  {saved:4d} only through it, {seen:4d} see it: {header}")


if __name__ == "__main__":
    main()
