"""The files that the checks read, and C++ source with what a reader skips taken out."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The truth table and the consumer's project are programs too.
CODE_FOLDERS = ("libs", "plugins", "python", "benchmarks", "fuzz", "examples", "tests/truth", "tests/trace_simulator",
                "tests/consumer")
SOURCES = (".cpp", ".cc", ".cxx", ".c")
HEADERS = (".hpp", ".h", ".hh", ".hxx", ".inc")


def tracked(root, *patterns):
    """Files known to git, and new ones that it does not ignore."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(root / name for name in set(names) if name and (root / name).is_file())


def library_of(place):
    """The folder of the library or plugin that a file is of, both relative to the root; None: of neither."""
    depth = {"libs": 3, "plugins": 2}.get(place.parts[0], len(place.parts))
    return pathlib.Path(*place.parts[:depth]) if len(place.parts) > depth else None


def cpp_files(root, suffixes=(*SOURCES, *HEADERS)):
    found = []
    for folder in CODE_FOLDERS:
        if (root / folder).is_dir():
            found += [path for path in (root / folder).rglob("*") if path.suffix in suffixes]
    return sorted(found)


_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def include_graph(texts):
    """{file: those of the files that it includes}, of {file: text}: public ones, those beside it, and in the folders above it."""
    public = {str(path).split("/include/", 1)[1]: path for path in texts if "/include/" in str(path)}

    def found(path, name):
        above = (place for folder in path.parents for place in (folder / name, folder / "src" / name))
        return next((place for place in (public.get(name), *above) if place in texts), None)

    return {path: {found(path, name) for name in _INCLUDE.findall(text)} - {None} for path, text in texts.items()}


def reached(edges, start):
    """Every node that a way leads to, the first among them."""
    seen, todo = set(), [start]
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo.extend(edges.get(at, ()))
    return seen


_SKIPPED = re.compile(
    r"""//[^\n]*                                  # line comment
      | /\*.*?\*/                                 # block comment
      | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"   # raw string
      | "(?:\\.|[^"\\\n])*"                       # string
      | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'       # character, but not a digit separator
    """,
    re.VERBOSE | re.DOTALL,
)


def _blank(match):
    text = match.group(0)
    kept = re.sub(r"[^\n]", " ", text)
    return kept if text.startswith("/") else '"' + kept[1:-1] + '"'


def without_comments_and_strings(text):
    """The same text with the same line numbers, comments and literals blanked."""
    return _SKIPPED.sub(_blank, text)


def joined_literals(text):
    """(line, content) of string literals, those that the compiler joins as one; neither quotes nor includes."""
    joined, end = [], None
    for match in _SKIPPED.finditer(text):
        kind = match.group(0)[0]
        if kind == "/":
            if end is not None and not text[end:match.start()].strip():
                end = match.end()  # a comment between two parts
            continue
        if kind not in '"R':
            end = None
            continue
        line_start = text.rfind("\n", 0, match.start()) + 1
        if text[line_start:match.start()].lstrip().startswith("#"):
            continue
        full = match.group(0)
        content = full[1:-1] if kind == '"' else full[full.index("(") + 1:full.rindex(")")]
        if end is not None and not text[end:match.start()].strip():
            joined[-1] = (joined[-1][0], joined[-1][1] + content)
        else:
            joined.append((text.count("\n", 0, match.start()) + 1, content))
        end = match.end()
    return joined
