#!/usr/bin/env python3
"""Fails when a file names a type, a constant, a function or a field of a header that it does not see: neither itself nor
by what it includes. And when a header could be read twice.

CI compiles sources many at a time, where the includes of one serve the next. To compile each alone (the preset `ci`) takes
two processors a quarter of an hour; to read the text takes seconds, and finds nine of ten of what the compiler finds. A
file declares what begins at the first column, where clang-format puts it.

usage: check_includes.py [FILE...]   default: all
"""

import collections
import pathlib
import re
import sys

from sources import ROOT, cpp_files, include_graph, library_of, reached, without_comments_and_strings

DIRECTIVE = re.compile(r"^\s*#.*$", re.M)
NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]+) \{", re.M)
TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: :[^;{]*|)\s*\{", re.M)
ALIAS = re.compile(r"^(?:using (\w+) =|concept (\w+) =)", re.M)
CONSTANT = re.compile(r"^(?:inline |extern )?const(?:expr)? [^;=({]*\b(k\w+)\b", re.M)
FUNCTION = re.compile(r"^(?=\w)(?!using|namespace|struct|class|enum|template|return|typedef)"
                      r"(?:[\w:<>,&*\[\] ]+[ &*>])?(\w+)\([^;{]*?[;{]", re.M)
FORWARD = re.compile(r"^(?:struct|class) (\w+);", re.M)
FIELD = re.compile(r"^ +[\w:<>,&* ]+[ >&*](\w+)(?: = [^;]+|\{[^;]*\})?;", re.M)
# What else gives a name a meaning: a type or a parameter of a template; a variable or a function.
GIVEN = (r"\b(?:struct|class|enum|union|using|concept|typename|namespace)\s+{0}\b(?!;)|"
         r"\b(?!return\b|else\b|throw\b|case\b|new\b)[\w>\]&*]+[ &*]+{0}\s*[({{=;,)]")
MOST_MEANINGS = 4  # what more files declare is found by its arguments: to_string, in_words
STANDARD = {"first", "second"}  # fields of the standard library's own types


class File:
    """`space`: the last part of its namespace."""

    def __init__(self, path):
        raw = path.read_text()
        self.path, self.raw = path, raw
        self.text = DIRECTIVE.sub("", without_comments_and_strings(raw))
        self.words = set(re.findall(r"\b[A-Za-z_]\w*\b", self.text))
        spaces = NAMESPACE.findall(self.text)
        self.space = spaces[-1].split("::")[-1] if spaces else ""

    def declared(self):
        names = {name for kind in (TYPE, CONSTANT, FUNCTION) for name in kind.findall(self.text)}
        return names | {name for pair in ALIAS.findall(self.text) for name in pair if name}

    def fields_of(self, name):
        """Of a type that it defines; empty: it does not."""
        body = re.search(rf"^(?:struct|class) {name}\b[^;]*?\{{\n(.*?)^\}};", self.text, re.M | re.S)
        return set(FIELD.findall(body.group(1))) if body else set()

    def gives(self, name):
        return name in self.words and re.search(GIVEN.format(name), self.text) is not None

    def names(self, name, space):
        """Whether it names what a file of that namespace declares: with the namespace, or without any in the same."""
        is_function = name[0].islower() and not re.match(r"k[A-Z]", name)
        plain = rf"(?<![\w.:>]){name}" + (r"\(" if is_function else r"\b(?!\s*:[^:])")
        return bool(space and re.search(rf"\b{space}::{name}\b", self.text)
                    or self.space == space and re.search(plain, self.text))


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = {path: File(path) for path in cpp_files(root)}
        self.includes = include_graph({path: file.raw for path, file in self.files.items()})
        self.declaring = collections.defaultdict(set)
        for path, file in self.files.items():
            if "tests" not in path.parts:  # sources, too: what one has to itself another must not lean on
                for name in file.declared():
                    self.declaring[name].add(path)
        self.seen = {}

    def seen_by(self, path):
        """The files that a compiler reads for it, itself among them."""
        if path not in self.seen:
            self.seen[path] = reached(self.includes, path)
        return self.seen[path]

    def unseen(self, path):
        """{name: the files that declare it}: what the file names and does not see."""
        file, seen, found = self.files[path], self.seen_by(path), {}
        for name in file.words & self.declaring.keys():
            if self.declaring[name] & seen:
                continue
            meant = {each for each in self.declaring[name]
                     if self.may_include(path, each) and file.names(name, self.files[each].space)}
            if 0 < len(meant) <= MOST_MEANINGS and not any(self.files[each].gives(name) for each in seen):
                found[name] = meant
        for name in {name for each in seen for name in FORWARD.findall(self.files[each].text)}:
            found |= self.used_undefined(path, name)
        return found

    def used_undefined(self, path, name):
        """{field: the headers that define the type}: of one that is seen as a name alone, whatever a variable is called."""
        seen = self.seen_by(path)
        if self.declaring[name] & seen:
            return {}
        of_others = set().union(*(self.files[each].words for each in seen if each != path))
        return {field: {header} for header in self.declaring[name] for field in self.files[header].fields_of(name)
                if field not in of_others | STANDARD
                and re.search(rf"(?:\.|->){field}\b(?!\()", self.files[path].text)}

    def may_include(self, user, header):
        """What is not public is of its own library alone."""
        return "include" in header.parts or library_of(user.relative_to(self.root)) == library_of(header.relative_to(self.root))


def check(root, named=()):
    tree, found = Tree(root), []
    for path, file in tree.files.items():
        shown = str(path.relative_to(root))
        if not {"src", "include"} & set(path.parts) or (named and shown not in named):
            continue
        if path.suffix == ".hpp" and "#pragma once" not in file.raw:
            found.append(f"{shown} has no '#pragma once'")
        for name, where in sorted(tree.unseen(path).items()):
            found.append(f"{shown} names '{name}', but includes nothing that shows "
                         + " or ".join(sorted(str(each.relative_to(root)) for each in where)))
    return found


def main():
    found = check(ROOT, [str(pathlib.Path(name)) for name in sys.argv[1:]])
    print("\n".join(found) or "includes: every file sees what it names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
