#!/usr/bin/env python3
"""Fails when a library or a plugin has no README.md, a long one, or one that leaves out a room or names a path that is not there.

A room is a folder of sources in a library's src/; its README names it in backticks with the slash, `src/causes/`. Paths
in backticks are relative to the library or to the repository, and may hold an asterisk. A constant in backticks,
`kMaxLines`, stands in some source.
"""

import re
import sys

from sources import ROOT, cpp_files, library_of

MAX_LINES = 40

_QUOTED = re.compile(r"`([\w.*/-]+)`")
# A word with a slash is a path where it ends as one does, or begins as the paths of a library do.
_PATH = re.compile(r"(?!/).*/(?:.*\.(?:hpp|cpp|py|ts|md|json|txt))?$|(?:src|include|tests|libs|docs|plugins)/")


_CONSTANT = re.compile(r"k[A-Z]\w*")


def constants(root):
    """All that are named in sources, with those that are only used."""
    return {name for path in cpp_files(root) for name in re.findall(r"\bk[A-Z]\w*", path.read_text())}


def libraries(root):
    """Each library's folder with its rooms, relative to it."""
    rooms = {}
    for path in cpp_files(root):
        library = library_of(path.relative_to(root))
        if library is None:
            continue
        found = rooms.setdefault(root / library, set())
        inside = path.parent.relative_to(root / library).parts
        if inside[:1] == ("src",) and len(inside) > 1:
            found.add("/".join(inside) + "/")
    return rooms


def exists(path, bases):
    return any(next(base.glob(path), None) for base in bases)


def violations_in(library, rooms, root, known):
    readme = library / "README.md"
    place = readme.relative_to(root)
    if not readme.is_file():
        yield f"{place}: is missing"
        return
    text = readme.read_text()
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        yield f"{place}: {len(lines)} lines, at most {MAX_LINES}"
    for room in sorted(rooms - set(_QUOTED.findall(text))):
        yield f"{place}: says nothing of `{room}`"
    for number, line in enumerate(lines, 1):
        for path in _QUOTED.findall(line):
            if _CONSTANT.fullmatch(path) and path not in known:
                yield f"{place}:{number}: no source has `{path}`"
            if _PATH.match(path) and not exists(path, (library, root)):
                yield f"{place}:{number}: there is no `{path}`"


def check(root):
    found, known = libraries(root), constants(root)
    return [violation for library in sorted(found) for violation in violations_in(library, found[library], root, known)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"readmes: {len(libraries(ROOT))} libraries and plugins, every room and path is there")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
