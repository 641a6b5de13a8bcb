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

SUBJECTS = "libs/base/include/batchscope/base/subject.hpp"
_FLAG = re.compile(r"--[a-z][a-z0-9-]*|(?<=[( ])-[bmo](?= )")
# What cli spells otherwise than after the name: --env, -m and --no-normalize.
_OTHERWISE = {"environment", "models", "normalize"}


def own_flags(text):
    """(line, flag) of the flags in string literals that are no other program's."""
    foreign = set().union(*FOREIGN.values())
    return [(line, flag) for line, literal in literals(text) for flag in _FLAG.findall(literal) if flag not in foreign]


def violations_below_cli(root):
    for file in cpp_files(root):
        path = file.relative_to(root)
        if path.parts[0] not in ("libs", "plugins") or path.parts[1] == "cli" or "tests" in path.parts:
            continue
        for line, flag in own_flags(file.read_text()):
            yield f"{path}:{line}: {flag}: mention the Subject; cli spells it"


def subjects(root):
    file = root / SUBJECTS
    return re.findall(r'^ +"(\w+)",$', file.read_text(), re.MULTILINE) if file.is_file() else []


def violations_of_subjects(root):
    said = {flag for file in cpp_files(root) if file.relative_to(root).parts[:3] == ("libs", "cli", "src")
            for _, flag in own_flags(file.read_text())}
    for name in subjects(root):
        if name not in _OTHERWISE and "--" + name.replace("_", "-") not in said:
            yield f"{SUBJECTS}: {name}: cli has no flag of that name"


def check(root):
    return [*violations_below_cli(root), *violations_of_subjects(root)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"flags: {len(subjects(ROOT))} subjects, and no flag below cli")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
