#!/usr/bin/env python3
"""Fails when docs/reference/messages.md is not what the sources say; --write makes it anew.

The page lists every text of two words or more that stands in the sources of the libraries and plugins, so that all that
the program can say can be read at once: errors, warnings, findings, advice, headings, help. Literals that the compiler
joins are one text. What stands for values is left as {}.
"""

import re
import sys

from sources import ROOT, cpp_files, joined_literals

PAGE = "docs/reference/messages.md"

_WORDS = re.compile(r"[A-Za-z]{2,}[,;:.)'\"]*\s+\(?['\"]?[A-Za-z]{2,}")
# Markup, style sheets and scripts are no sentences.
_MARKUP = re.compile(r"</|/>|^\s*<\w|[{;]\s*\n|[\w-]+:\s*[\w#.%-]+;|^\s*#include")

HEAD = """# Messages

Every sentence that the program can say, by the source that says it. `{}` stands for a value, which may be a clause of its
own. Texts that mention a setting spell it as a flag on the command line (`--seq-lens`) and by its name elsewhere. Made by
`tools/lint/check_messages.py --write`, which `./dev lint messages` holds it against.
"""


def spoken(literal):
    """The text of a literal where it is a sentence or a part of one; else nothing."""
    text = re.sub(r'\\(["\'\\])', r"\1", literal).replace("\\n", " ").replace("\\t", " ")
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    text = re.sub(r"\\(033|x1b|e)\[[0-9;]*m", "", text)
    text = re.sub(r"\{[^{}]*\}", "{}", text)
    text = " ".join(text.split())
    return text if _WORDS.search(text) and not _MARKUP.search(literal) else ""


def messages(root):
    """{path: [sentences in their order, each once]} of what the program is made of."""
    found = {}
    for file in cpp_files(root):
        path = file.relative_to(root)
        if path.parts[0] not in ("libs", "plugins") or "tests" in path.parts or "tools" in path.parts:
            continue
        texts = [spoken(literal) for _, literal in joined_literals(file.read_text())]
        texts = list(dict.fromkeys(text for text in texts if text))
        if texts:
            found[str(path)] = texts
    return found


def page(found):
    text = HEAD
    library = None
    for path, texts in sorted(found.items()):
        if path.split("/")[1] != library:
            library = path.split("/")[1]
            text += f"\n## {library}\n"
        text += f"\n`{path}`\n\n"
        text += "".join(f"- {sentence.replace('<', '&lt;').replace('|', chr(92) + '|')}\n" for sentence in texts)
    return text


def check(root):
    """Violations, and the number of sentences."""
    found = messages(root)
    file = root / PAGE
    told = file.read_text() if file.is_file() else ""
    count = sum(len(texts) for texts in found.values())
    if told == page(found):
        return [], count
    listed = set(told.splitlines())
    new = [line for line in page(found).splitlines() if line.startswith("- ") and line not in listed]
    return [f"{PAGE}: is not up to date: tools/lint/check_messages.py --write" + "".join(f"\n  {line}" for line in new[:5])], count


def main():
    if "--write" in sys.argv[1:]:
        (ROOT / PAGE).write_text(page(messages(ROOT)))
    violations, count = check(ROOT)
    print("\n".join(violations) or f"messages: {count} sentences, all in {PAGE}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
