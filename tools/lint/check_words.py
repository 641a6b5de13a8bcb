#!/usr/bin/env python3
"""Fails on words that a reader has to guess at: in names, in what the program prints, and in the guide.

--figures prints how the printed texts read: sentences, their length, passives, and "of it" and its like.
"""

import ast
import io
import re
import statistics
import sys
import tokenize
from pathlib import Path

from sources import ROOT, joined_literals, tracked, without_comments_and_strings

# Part of a name: what to write instead.
IN_NAMES = {
    "told": "reported", "untold": "unreported", "stands": "is_active, or what it is", "standing": "active",
    "standings": "tracker, or estimates", "stood": "was_active", "looks": "style, or appears", "vouch": "support",
    "vouched": "supported", "vouches": "supports", "said": "printed, or stated", "unsaid": "unstated",
    "whole": "full, or complete", "stretch": "episode, span or segment", "stretches": "episodes, spans or segments",
}
# In a sentence.
IN_TEXTS = {
    r"told": "reported; 'told from' is 'distinguished from'", r"stands|stood|standing": "is, or lasts",
    r"looks": "seems, or measures", r"vouch\w*": "too few samples to be reliable", r"said": "printed, or given",
    r"whole": "full, or entire", r"stretch\w*": "period", r"not told apart": "no significant difference",
}
_TEXT = re.compile(r"\b(" + "|".join(f"(?P<w{i}>{word})" for i, word in enumerate(IN_TEXTS)) + r")\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+")
_OF_IT = re.compile(r"\b(of|in|on|by|for) (it|them|those|that|these|which)\b", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(is|are|was|were|be|been|being) (\w+ed|taken|given|seen|known|made|found|shown|told|left|kept|held|done|"
                      r"written|drawn|run|read|lost|sent|put|chosen|proven|hidden|said)\b", re.IGNORECASE)
# Where a text is printed from.
PRINTED = ("libs/*.cpp", "libs/*.hpp", "plugins/*.cpp", "plugins/*.hpp", "python/*.cpp", "python/*.py")
NAMED = (*PRINTED, "web/*.ts", "tests/*.cpp", "tests/*.hpp", "tests/*.py", "tools/*.py", "benchmarks/*.cpp", "benchmarks/*.py")
READ = ("README.md", "docs/README.md", "docs/guide/*.md")


def is_shipped(path, root):
    return not {"tests", "tools"} & set(path.relative_to(root).parts)


def names_in(path, text):
    """(line, name) of what the code names."""
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string
        return
    for number, line in enumerate(without_comments_and_strings(text).splitlines(), 1):
        for match in _NAME.finditer(line):
            yield number, match.group(0)


def _strings_of_python(text):
    tree = ast.parse(text)
    in_formats = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in in_formats:
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)


def texts_in(path, text):
    """(line, text) of literals that are sentences, or part of one."""
    found = _strings_of_python(text) if path.suffix == ".py" else joined_literals(text)
    return ((line, each) for line, each in found if " " in each.strip())


def lines_of_prose(text):
    """(line, text) of Markdown without its code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if not fenced and not line.startswith(("```", "    ")):
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)


def instead_of(match):
    return next(use for index, use in enumerate(IN_TEXTS.values()) if match[f"w{index}"])


def check(root):
    found = []
    for path in tracked(root, *NAMED):
        for line, name in names_in(path, path.read_text()):
            found += [f"{path.relative_to(root)}:{line}: '{part}' in the name {name}: {IN_NAMES[part.lower()]}"
                      for part in _PART.findall(name) if part.lower() in IN_NAMES]
    printed = [(path, texts_in) for path in tracked(root, *PRINTED) if is_shipped(path, root)]
    for path, texts in printed + [(path, lambda _, text: lines_of_prose(text)) for path in tracked(root, *READ)]:
        for line, text in texts(path, path.read_text()):
            found += [f"{path.relative_to(root)}:{line}: '{match[0]}' in a text: {instead_of(match)}"
                      for match in _TEXT.finditer(text)]
    return found


def sentences_of(text):
    """Those of a printed text: what ends with a full stop, a colon or an empty line, with three words at least."""
    plain = re.sub(r"\s*\n(?!\s*\n|\s*[-*|#])\s*", " ", text)
    return [each for part in re.split(r"(?<=[.:;?!])\s+|\n+", plain) if len(words_of(each := part.strip())) >= 3]


def words_of(sentence):
    return re.findall(r"[A-Za-z][A-Za-z'-]+", sentence)


def figures(root):
    """Of all texts that the program prints: the literals of its sources, and what tests hold of its screens."""
    texts = [path.read_text() for path in tracked(root, "libs/*/tests/approved/*.txt", "tests/fixtures/runs/screens/*.txt")]
    printed = [text for path in tracked(root, *PRINTED) if is_shipped(path, root) for _, text in texts_in(path, path.read_text())]
    sentences = [each for text in texts + printed for each in sentences_of(text)]
    lengths = [len(words_of(each)) for each in sentences]
    return {"sentences": len(sentences), "median words": statistics.median(lengths), "longest": max(lengths),
            "passives in 100": round(100 * sum(len(_PASSIVE.findall(each)) for each in sentences) / len(sentences), 1),
            "'of it' in 100": round(100 * sum(len(_OF_IT.findall(each)) for each in sentences) / len(sentences), 1)}


def main():
    if "--figures" in sys.argv:
        print(", ".join(f"{name} {value}" for name, value in figures(ROOT).items()))
        return
    found = check(ROOT)
    print(*found, sep="\n")
    print(f"words: {len(found)} that a reader has to guess at")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
