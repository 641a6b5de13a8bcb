#!/usr/bin/env python3
"""Fails when a header of a library or a plugin declares what nobody uses, or only tests do: a function, a constant, a type,
a field or an enumerator.

A name is used where it stands anywhere but in its own declarations and definitions; what a function or a type says of
itself is no use of it. So nothing is found that shares its name with something in use, be it a member of another type or a
local variable: the check may miss what is dead, and hardly ever accuses what is not.
"""

import collections
import re
import sys

from check_sizes import bodies_in, end_of, without_preprocessor
from sources import HEADERS, ROOT, cpp_files, without_comments_and_strings

# What stays although nothing here uses it, and why.
KEPT = {
    "batchscope_create_engine": "an entry point of every plugin, found by its name",
    "batchscope_plugin_abi": "an entry point of every plugin, found by its name",
    "scope": "part of a struct of NVML, whose layout it makes",
    "compute_instance": "part of structs of NVML, whose layout it makes",
    "long_name": "part of a struct of NVML, whose layout it makes",
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


# `struct X {`, `class X final : public Y {`, `enum class X : int {`, `struct X;`; not a template's parameter.
_TYPE = re.compile(r"(?<![<,])(?<![<,]\s)\b(?P<kind>enum\s+class|enum|struct|class|union)\s+(?P<name>[A-Z]\w*)\b(?P<rest>[^;{}()=]*)(?P<brace>\{)?")
# A line of a struct: `std::optional<int> n = 0;`, `double a = 0, b = 0;`, `std::vector<int> v{};`.
_FIELD = re.compile(r"^[ \t]+(?!return\b|using\b|friend\b|static\b|typedef\b|else\b|delete\b|throw\b|goto\b)"
                    r"(?:const\s+)?[\w:]+(?:<[^;={}()]*>)?[\s*&]+(?P<names>[a-z]\w*[^;()]*);", re.MULTILINE)
_ENUMERATOR = re.compile(r"(?:^|,)\s*([a-zA-Z_]\w*)")


def types_in(code):
    """(kind, name, where the name is, where its body begins and ends or None) of every type, be it only declared."""
    for match in _TYPE.finditer(code):
        brace = match.start("brace")
        yield (match.group("kind").split()[0], match.group("name"), match.start("name"),
               (brace, end_of(code, brace)) if brace >= 0 else None)


def fields_of(body):
    """(name, position) of what a type's body holds, bodies of its functions left out."""
    for start, end in ((start, end) for _, start, end in bodies_in(body)):
        body = body[:start] + re.sub(r"[^\n]", " ", body[start:end + 1]) + body[end + 1:]
    for match in _FIELD.finditer(body):
        plain = re.sub(r"\{[^{}]*\}|<[^<>]*>|=\s*[^,]*", lambda m: " " * len(m.group(0)), match.group("names"))
        for name in re.finditer(r"(?:^|,)[\s*&]*([a-z]\w*)\s*(?=,|$|\[)", plain):
            yield name.group(1), match.start("names") + name.start(1)


def enumerators_of(body):
    plain = re.sub(r"=[^,}]*", lambda m: " " * len(m.group(0)), body)
    for match in _ENUMERATOR.finditer(plain):
        yield match.group(1), match.start(1)


class Census:
    """How often each name stands in the code, and how often only to declare it or within what it names."""

    def __init__(self):
        self.mentions, self.own, self.places = collections.Counter(), collections.Counter(), {}

    def add(self, code, place, is_header):
        words = [(match.group(0), match.start()) for match in re.finditer(r"\b[A-Za-z_]\w*", code)]
        self.mentions.update(name for name, _ in words)
        own = {}
        for name, position, is_complete in self.declared(code):
            own.setdefault(name, set()).add(position)
            if is_header and is_complete:
                self.places.setdefault(name, f"{place}:{code.count(chr(10), 0, position) + 1}")
        spans = [(name.split("::")[-1], start, end) for name, start, end in bodies_in(without_preprocessor(code))]
        spans += [(name, *body) for _, name, _, body in types_in(code) if body]
        for name, start, end in spans:
            own.setdefault(name, set()).update(
                start + match.start() for match in re.finditer(rf"\b{re.escape(name)}\b", code[start:end]))
        self.own.update({name: len(positions) for name, positions in own.items()})

    @staticmethod
    def declared(code):
        for match in _DECLARATION.finditer(code):
            if match.group("type") not in _KEYWORDS and match.group("name") not in _KEYWORDS:
                yield match.group("name"), match.start("name"), True
        for kind, name, position, body in types_in(code):
            yield name, position, body is not None  # `struct X;` alone may be somebody else's
            if not body:
                continue
            start = body[0] + 1
            inside = (enumerators_of if kind == "enum" else fields_of)(code[start:body[1]])
            yield from ((field, start + at, True) for field, at in inside)

    def dead(self):
        return {name: place for name, place in self.places.items() if self.mentions[name] == self.own[name]}


def sources_in_use(root):
    """All C++ but that of tests; the truth table and the consumer's project are programs like others."""
    return [path for path in cpp_files(root) if "tests" not in path.relative_to(root).parts[:-1]
            or path.relative_to(root).parts[0] == "tests"]


def check(root, kept=KEPT):
    census = Census()
    for path in sources_in_use(root):
        place = path.relative_to(root)
        census.add(without_comments_and_strings(path.read_text()), place,
                   place.parts[0] in ("libs", "plugins") and path.suffix in HEADERS)
    dead = census.dead()
    violations = [f"{place}: {name}: nothing but tests uses it; remove it, or add it to KEPT with the reason"
                  for name, place in dead.items() if name not in kept]
    violations += [f"KEPT: {name}: in use, or gone; take it off the list" for name in kept if name not in dead]
    return sorted(violations), len(census.places)


def main():
    violations, count = check(ROOT)
    print("\n".join(violations) or f"uncalled: {count} names of headers, {len(KEPT)} kept without a use")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
