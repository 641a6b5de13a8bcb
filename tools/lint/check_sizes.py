#!/usr/bin/env python3
"""Fails when a source, a header or a function is longer than the house allows, or a folder fuller.

Prints the figures. Lengths are lines as an editor counts them; a function runs from the line of its opening brace to that
of its closing brace. Lambdas and local classes count as part of the function around them; a lambda outside of one, in an
initializer or a row of a table, is a function too.
"""

import collections
import re
import statistics
import sys

from sources import HEADERS, ROOT, SOURCES, cpp_files, without_comments_and_strings

MAX_SOURCE, MEDIAN_SOURCE = 400, 110
MAX_HEADER, MEDIAN_HEADER = 250, 80
MAX_FUNCTION, MEDIAN_FUNCTION, P90_FUNCTION = 60, 6, 20
MAX_IN_FOLDER = 25

_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern\s*\"[^\"]*\")\b[^()]*$|\bextern\s*\"[^\"]*\"\s*$")
# Not `int list[]{`, nor `operator[](`, nor `[[nodiscard]]`.
_LAMBDA = re.compile(
    r"""(?<![\w)\]\[])\[[^\[\]]*\]\s*                         # captures
        (?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?            # parameters
        (?:(?:mutable|constexpr|noexcept)\s*)*
        (?:->\s*[\w:<>,\s&*]+?\s*)?(?P<brace>\{)""",
    re.VERBOSE,
)
_PREPROCESSOR = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def _opens_function(head):
    """Whether a brace after `head`, at namespace or class scope, opens a function's body."""
    head = re.sub(r"^\s*(public|private|protected)\s*:", "", head).strip()
    if "(" not in head:
        return False
    # `template <class T> struct X : Base<decltype(f())>` is a scope; `struct tm f(...)` is a function.
    before_parameters = head[: head.index("(")]
    keyword = re.search(r"\b(class|struct|union|enum|namespace)\b", re.sub(r"<[^<>]*>", "", before_parameters))
    if keyword and ")" in head and not re.search(r"[\w>&*]\s+[\w:~]+\s*$", before_parameters[keyword.end():]):
        return False
    # `int x = f(` ... `{`: an initializer, not a body; but `operator=(` and default arguments are.
    return not re.search(r"(?<![=!<>])=\s*(?![=0])", re.sub(r"\boperator\s*\S+?\s*\(|\([^()]*\)", "", head))


def _line_of(text, position):
    return text.count("\n", 0, position) + 1


def end_of(code, brace):
    """The position of the brace that closes the one at `brace`."""
    depth = 0
    for match in re.finditer(r"[{}]", code[brace:]):
        depth += 1 if match.group(0) == "{" else -1
        if depth == 0:
            return brace + match.start()
    return len(code)


def _lambdas_outside(code, bodies):
    """Those that lie in no function's body and in no other lambda, as bodies_in()."""
    found, end = [], 0
    for match in _LAMBDA.finditer(code):
        brace = match.start("brace")
        if brace < end or any(start <= brace < stop for _, start, stop in bodies):
            continue
        end = end_of(code, brace)
        found.append(("lambda", brace, end))
    return found


def without_preprocessor(text):
    """The code alone: comments, the content of literals and directives blanked."""
    return _PREPROCESSOR.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), without_comments_and_strings(text))


def functions_in(text):
    """(name, first line, number of lines) of every function body."""
    code = without_preprocessor(text)
    bodies = bodies_in(code)
    found = []
    for name, start, end in sorted(bodies + _lambdas_outside(code, bodies), key=lambda body: body[1]):
        first = _line_of(code, start)
        found.append((name, first, _line_of(code, end) - first + 1))
    return found


def bodies_in(code):
    """(name, position of the opening brace, of the closing one) of every function of code without_preprocessor()."""
    found, head_start, depth, opened, parentheses = [], 0, 0, None, 0
    for match in re.finditer(r"[{};()]", code):
        mark, position = match.group(0), match.start()
        if mark in "()":
            parentheses += 1 if mark == "(" else -1
        elif opened is not None:
            depth += {"{": 1, "}": -1, ";": 0}[mark]
            if depth == 0:
                found.append((*opened, position))
                opened, head_start, parentheses = None, position + 1, 0
        elif mark == "{" and parentheses == 0:
            head = code[head_start:position]
            # `: member_{value}, other_(x) {`: the brace of a member's initializer closes again at once.
            if _opens_function(head) and not re.search(r"\)\s*(noexcept\s*)?:(?!:)[^{}]*[\w>]\s*$", head):
                opened, depth = (_name(head), position), 1
            elif not _opens_function(head):
                head_start = position + 1
        elif mark == "}" and parentheses == 0:
            if not re.search(r"\)\s*(noexcept\s*)?:(?!:)", code[head_start:position]):
                head_start = position + 1
        elif mark == ";" and parentheses == 0:
            head_start = position + 1
    return found


def _name(head):
    match = re.search(r"([\w:~]+|operator\s*\S+)\s*\(", head)
    return match.group(1) if match else "lambda"


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def measure(paths, root):
    """Lines of each file, and of each function as (lines, place)."""
    lines, functions = {}, []
    for path in paths:
        text = path.read_text()
        place = path.relative_to(root)
        lines[place] = text.count("\n")
        functions += [(length, f"{place}:{line}: {name}") for name, line, length in functions_in(text)]
    return lines, functions


def too_long(lines, functions, max_file):
    violations = [f"{path}: {count} lines, at most {max_file}" for path, count in lines.items() if count > max_file]
    return violations + [
        f"{place}: {length} lines in one function, at most {MAX_FUNCTION}"
        for length, place in functions if length > MAX_FUNCTION]


def too_full(paths, root):
    """Folders with more sources and headers of their own than are allowed, tests and tools in Python too."""
    others = {path for folder in ("tests", "tools") for path in (root / folder).rglob("*")
              if path.suffix in (*SOURCES, *HEADERS, ".py")}
    counts = collections.Counter(str(path.parent.relative_to(root)) for path in {*paths, *others})
    return [f"{folder}: {count} sources and headers in one folder, at most {MAX_IN_FOLDER}"
            for folder, count in sorted(counts.items()) if count > MAX_IN_FOLDER]


def check(root):
    """(violations, figures): the figures of the tests are printed apart and only their maxima are binding."""
    sources = cpp_files(root, SOURCES)
    groups = {
        "sources": ([path for path in sources if "tests" not in path.parts], MAX_SOURCE, MEDIAN_SOURCE),
        "tests": ([path for path in sources if "tests" in path.parts], MAX_SOURCE, None),
        "headers": (cpp_files(root, HEADERS), MAX_HEADER, MEDIAN_HEADER),
    }
    violations, figures, code_functions = [], [], []
    for name, (paths, max_file, max_median) in groups.items():
        lines, functions = measure(paths, root)
        violations += too_long(lines, functions, max_file)
        median = statistics.median(lines.values()) if lines else 0
        figures.append(f"{name}: {len(lines)} files, median {median:g}, p90 {percentile(lines.values(), 0.9)}, "
                       f"longest {max(lines.values(), default=0)}")
        if max_median and median > max_median:
            violations.append(f"{name}: median {median:g} lines, at most {max_median}")
        if name != "tests":
            code_functions += [length for length, _ in functions]
    figures.append(f"functions: {len(code_functions)}, median {percentile(code_functions, 0.5)}, "
                   f"p90 {percentile(code_functions, 0.9)}, longest {max(code_functions, default=0)} "
                   f"(at most {MEDIAN_FUNCTION}, {P90_FUNCTION}, {MAX_FUNCTION})")
    if percentile(code_functions, 0.5) > MEDIAN_FUNCTION:
        violations.append(f"functions: median {percentile(code_functions, 0.5)} lines, at most {MEDIAN_FUNCTION}")
    if percentile(code_functions, 0.9) > P90_FUNCTION:
        violations.append(f"functions: p90 {percentile(code_functions, 0.9)} lines, at most {P90_FUNCTION}")
    paths = cpp_files(root)
    return violations + too_full(paths, root), figures


def main():
    violations, figures = check(ROOT)
    print("\n".join(figures + violations))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
