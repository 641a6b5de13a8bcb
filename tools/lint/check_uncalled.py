#!/usr/bin/env python3
"""Fails when a header of a library declares a function or a constant that nobody uses, or only tests do.

A name is used where it stands anywhere but in its own declarations and definitions. So nothing is found that shares its
name with something in use, be it a member of another type or a local variable: the check may miss what is dead, and
hardly ever accuses what is not.
"""

import collections
import re
import sys

from sources import ROOT, cpp_files, without_comments_and_strings

# What stays although nothing here uses it, and why.
KEPT = {
    "batchscope_create_engine": "an entry point of every plugin, found by its name",
    "batchscope_plugin_abi": "an entry point of every plugin, found by its name",
    "find_kind": "users of the library look up what the id of a finding means",
    "has_html": "users of the library ask for it before they ask for a page",
    "start_epoch": "the loop over training batches of docs/guide/batching.md",
    "kNotSupported": "part of NVML's interface; the driver that tests fake answers with it",
}

_KEYWORDS = {
    "alignas", "and", "case", "co_await", "co_return", "co_yield", "constexpr", "decltype", "delete", "do", "else", "for",
    "if", "new", "noexcept", "not", "operator", "or", "requires", "return", "sizeof", "static_assert", "switch", "throw",
    "while",
}
# A type, then a name: `int f(`, `Result<void> Log::open(`, `inline constexpr double kShare =`. A binary operator has
# blanks on both sides, the * or & of a type only behind it.
_DECLARATION = re.compile(
    r"""(?P<type>\w+|(?<=[\w>*&)\]])>|(?<=[\w>])[*&])\s+
        (?:\w+::)*
        (?P<name>[a-z_]\w*(?=\s*\()|k[A-Z]\w*(?=\s*(?:[{(\[]|=(?!=))))""",
    re.VERBOSE,
)


def declarations_in(code):
    """(name, line) of every function and constant that is declared or defined."""
    return [
        (match.group("name"), code.count("\n", 0, match.start("name")) + 1)
        for match in _DECLARATION.finditer(code)
        if match.group("type") not in _KEYWORDS and match.group("name") not in _KEYWORDS]


def sources_in_use(root):
    """All C++ but that of tests; the truth table and the consumer's project are programs like others."""
    paths = [path for path in cpp_files(root) if "tests" not in path.relative_to(root).parts]
    for folder in ("tests/truth", "tests/consumer"):
        paths += [path for path in (root / folder).rglob("*") if path.suffix in (".cpp", ".hpp")]
    return paths


def check(root, kept=KEPT):
    places, mentions, declarations = {}, collections.Counter(), collections.Counter()
    for path in sources_in_use(root):
        code = without_comments_and_strings(path.read_text())
        mentions.update(re.findall(r"\b[A-Za-z_]\w*", code))
        place = path.relative_to(root)
        for name, line in declarations_in(code):
            declarations[name] += 1
            if place.parts[0] == "libs" and path.suffix == ".hpp":
                places.setdefault(name, f"{place}:{line}")
    dead = {name: place for name, place in places.items() if mentions[name] == declarations[name]}
    violations = [f"{place}: {name}: nothing but tests uses it; remove it, or add it to KEPT with the reason"
                  for name, place in dead.items() if name not in kept]
    violations += [f"KEPT: {name}: in use, or gone; take it off the list" for name in kept if name not in dead]
    return sorted(violations), len(places)


def main():
    violations, count = check(ROOT)
    print("\n".join(violations) or f"uncalled: {count} functions and constants, {len(KEPT)} kept without a use")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
