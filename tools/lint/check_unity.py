#!/usr/bin/env python3
"""Fails where a constant or a type of an unnamed namespace would mean something else to another source of its library.

Sources of a library are compiled many at a time (CMAKE_UNITY_BUILD). Two definitions of one name stop the compiler, and so
do calls that fit two functions. But a constant or a type in the unnamed namespace of one source hides that of a header from
the sources after it, and no compiler says so.
"""

import collections
import re
import sys

from sources import ROOT

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_TEXT = re.compile(r'R"\w*\(.*?\)\w*"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
# At the beginning of a line, as clang-format leaves what is declared in a namespace.
_TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)|^using (\w+)(?= =)", re.M)
_CONSTANTS = re.compile(r"^(?:inline |static |extern )*(?:constexpr|const)[^;(]*?\bk[A-Z][^;]*;", re.M)
# The first that is named, and what is given a value beside it; what a value is made of is none.
_CONSTANT = re.compile(r"^[^{=]*?\b(k[A-Z]\w*)|\b(k[A-Z]\w*)(?= =)")
_UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.M | re.S)


def bare(text):
    return _TEXT.sub('""', _COMMENT.sub("", text))


def declared(text):
    types = {name for match in _TYPE.finditer(text) for name in match.groups() if name}
    statements = (match.group(0) for match in _CONSTANTS.finditer(text))
    return types | {name for statement in statements for names in _CONSTANT.findall(statement) for name in names if name}


def hidden_names(folder):
    """(source, name, header, user): name, in the unnamed namespace of the source, hides the header's from the user."""
    sources = {path: bare(path.read_text()) for path in sorted(folder.rglob("*.cpp")) if "tests" not in path.parts}
    headers = {path: bare(path.read_text()) for path in sorted(folder.rglob("*.hpp")) if "tests" not in path.parts}
    owners = collections.defaultdict(list)
    for path, text in headers.items():
        for name in declared(text):
            owners[name].append(path)
    for path, text in sources.items():
        unnamed = _UNNAMED.findall(_TEXT.sub('""', path.read_text()))
        for name in sorted(set().union(*(declared(bare(part)) for part in unnamed))):
            for header in owners.get(name, []):
                users = [other for other, body in sources.items()
                         if other != path and re.search(rf"(?<![.>:\w]){name}\b", body)]
                if users:
                    yield path, name, header, users[0]


def check(root):
    folders = [*sorted((root / "libs").glob("*/*")), *sorted((root / "plugins").iterdir())]
    return [f"{source.relative_to(root)}: '{name}' hides that of {header.relative_to(root)} from "
            f"{user.relative_to(root)} where they are compiled as one; give it a name of its own"
            for folder in folders if folder.is_dir() for source, name, header, user in hidden_names(folder)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or "unity: no name of a source hides one of a header")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
