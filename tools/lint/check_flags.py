#!/usr/bin/env python3
"""Fails when a library other than cli, or a plugin, says a flag in a text, and when a subject has no flag.

Libraries mention a base::Subject; `cli` spells it as a flag, other programs as they like.
"""

import re
import sys

from sources import ROOT, cpp_files, literals

# Flags of other programs, that texts may say.
FOREIGN = {
    "docker": {"--cap-add", "--cpus", "--gpus"},
    "numactl": {"--cpunodebind", "--membind"},
    "ps": {"--sort"},
    "somebody's trainer": {"--batch-size"},
    "systemd-run": {"--scope", "--user"},
    "text-embeddings-router": {"--auto-truncate", "--dtype", "--max-batch-requests", "--max-batch-tokens",
                               "--max-client-batch-size", "--model-id", "--port", "--prometheus-port",
                               "--tokenization-workers"},
}

# Where flags are still said; this list gets shorter, never longer.
OPEN = (
    "libs/findings",  # the catalogue, which the reference of findings is made from
    "libs/planning",
    "libs/report",  # commands for a shell, and what is left out of a list
    "libs/schema",  # the flags of an axis
)

SUBJECTS = "libs/base/include/batchscope/base/subject.hpp"
_FLAG = re.compile(r"--[a-z][a-z0-9-]*")
# What cli spells otherwise than after the name: --env and -m.
_SHORT = {"environment", "models"}


def own_flags(text):
    """(line, flag) of the flags in string literals that are no other program's."""
    foreign = set().union(*FOREIGN.values())
    return [(line, flag) for line, literal in literals(text) for flag in _FLAG.findall(literal) if flag not in foreign]


def part_of(path):
    return "/".join(path.parts[:2])


def violations_below_cli(root, open_parts):
    said = set()
    for file in cpp_files(root):
        path = file.relative_to(root)
        if path.parts[0] not in ("libs", "plugins") or path.parts[1] == "cli" or "tests" in path.parts:
            continue
        for line, flag in own_flags(file.read_text()):
            said.add(part_of(path))
            if part_of(path) not in open_parts:
                yield f"{path}:{line}: {flag}: mention the Subject; cli spells it"
    for part in open_parts:
        if part not in said:
            yield f"OPEN: {part}: says no flag any more; take it off the list"


def subjects(root):
    file = root / SUBJECTS
    return re.findall(r'^ +"(\w+)",$', file.read_text(), re.MULTILINE) if file.is_file() else []


def violations_of_subjects(root):
    said = {flag for file in cpp_files(root) if file.relative_to(root).parts[:2] == ("libs", "cli")
            for _, flag in own_flags(file.read_text())}
    for name in subjects(root):
        if name not in _SHORT and "--" + name.replace("_", "-") not in said:
            yield f"{SUBJECTS}: {name}: cli has no flag of that name"


def check(root, open_parts=OPEN):
    return [*violations_below_cli(root, open_parts), *violations_of_subjects(root)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"flags: {len(subjects(ROOT))} subjects; flags are still said in {len(OPEN)} places")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
