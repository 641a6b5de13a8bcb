#!/usr/bin/env python3
"""Fails when a wing of libs/ or a plugin has no README.md, when one is long, when that of a wing leaves out a library, or when
one names a path or a constant that is not there; so do the pages that tell where things are.

A library has a README only where the tree does not say it. A wing names each library in backticks, `causes`. Paths in
backticks are relative to the folder of the README or to the repository, or are headers as they are included; they may hold an
asterisk. A constant in backticks, `kMaxLines`, is in some source.
"""

import re
import sys

from sources import ROOT, cpp_files, library_of

MAX_LINES = 40
MAX_LINES_OF_WING = 80
PAGES = ("docs/design/newcomer.md",)

_QUOTED = re.compile(r"`([\w.*/-]+)`")
# A word with a slash is a path where it ends as one does, or begins as the paths of a library or of the repository do.
_PATH = re.compile(r"(?!/).*/(?:.*\.(?:hpp|cpp|py|ts|md|json|txt))?$|(?:src|include|tests|libs|docs|plugins)/")
_CONSTANT = re.compile(r"k[A-Z]\w*")


def constants(root):
    """All that are named in sources, with those that are only used."""
    return {name for path in cpp_files(root) for name in re.findall(r"\bk[A-Z]\w*", path.read_text())}


def folders(root):
    """{folder: the libraries that its README names, or nothing}: wings, plugins, and libraries that have a README."""
    found = {}
    for library in {library_of(path.relative_to(root)) for path in cpp_files(root)} - {None}:
        if library.parts[0] == "libs":
            found.setdefault(root / library.parent, set()).add(library.name)
        if library.parts[0] == "plugins" or (root / library / "README.md").is_file():
            found[root / library] = set()
    return found


def violations_in(folder, libraries, root, known):
    readme = folder / "README.md"
    place = readme.relative_to(root)
    if not readme.is_file():
        yield f"{place}: is missing"
        return
    text = readme.read_text()
    lines = text.splitlines()
    most = MAX_LINES_OF_WING if libraries else MAX_LINES
    if len(lines) > most:
        yield f"{place}: {len(lines)} lines, at most {most}"
    for library in sorted(libraries - set(_QUOTED.findall(text))):
        yield f"{place}: says nothing of `{library}`"
    yield from absent_in(readme, root, known)


def absent_in(page, root, known):
    bases = [page.parent, root, *root.glob("libs/*/*/include")]
    place = page.relative_to(root)
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for path in _QUOTED.findall(line):
            if _CONSTANT.fullmatch(path) and path not in known:
                yield f"{place}:{number}: no source has `{path}`"
            if _PATH.match(path) and not any(next(base.glob(path), None) for base in bases):
                yield f"{place}:{number}: there is no `{path}`"


def check(root):
    found, known = folders(root), constants(root)
    pages = [root / page for page in PAGES if (root / page).is_file()]
    return [violation for folder in sorted(found) for violation in violations_in(folder, found[folder], root, known)] + [
        violation for page in pages for violation in absent_in(page, root, known)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"readmes: {len(folders(ROOT))} of wings, plugins and libraries, every path is there")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
