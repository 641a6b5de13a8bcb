#!/usr/bin/env python3
"""Fails when a library other than cli, commandline and commands, or a plugin, says a flag in a text or a comment, and when a
subject has no flag.

Libraries mention a base::Subject; `cli` spells it as a flag, other programs as they like.
"""

import re
import sys

from sources import ROOT, comments, cpp_files, literals

# Flags of other programs, where texts may say them.
FOREIGN = {
    "libs/advice/src/rules/kernel_rules.cpp": {"ncu": {"--kernel-name"}},
    "libs/advice/src/rules/recording_rules.cpp": {"nsys": {"--trace"}},
    "libs/causes/src/processor_rules.cpp": {"numactl": {"--cpunodebind", "--membind"}},
    "libs/compare/src/comparisons/accumulation.cpp": {"somebody's trainer": {"--batch-size"}},
    "libs/device/src/doctor/doctor_limits.cpp": {"docker": {"--cpus"}, "systemd-run": {"--scope", "--user"}},
    "libs/device/src/doctor/doctor_processor.cpp": {"ps": {"--sort"}},
    "libs/device/src/doctor/doctor_settings.cpp": {"docker": {"--cap-add"}},
    "libs/device/src/gpu/cuda_driver.cpp": {"docker": {"--gpus"}},
    "libs/nvml/src/library.cpp": {"docker": {"--gpus"}},
    "libs/findings/src/trace_kinds.cpp": {"nsys": {"--trace"}},
    "libs/trace/include/batchscope/trace/reader.hpp": {"nsys": {"--type"}},
    "libs/trace/src/nsys/read_nsys.cpp": {"nsys": {"--type"}},
    "libs/trace/src/nsys/sqlite/sqlite_file.cpp": {"nsys": {"--type"}},
    "libs/tune/include/batchscope/tune/export.hpp": {"docker": {"--env-file"}},
    "libs/tune/src/export/export_servers.cpp": {
        "text-embeddings-router": {"--auto-truncate", "--dtype", "--max-batch-requests", "--max-batch-tokens",
                                   "--max-client-batch-size", "--model-id", "--port", "--prometheus-port",
                                   "--tokenization-workers"}},
}

# Who parses flags says them.
OWN_FLAGS = {"cli", "commandline", "commands", "flags"}

SUBJECTS = "libs/base/include/batchscope/base/subject.hpp"
_FLAG = re.compile(r"--[a-z][a-z0-9-]*|(?<=[( ])-[bmo](?= )")
# What cli spells otherwise than after the name: --env, -m and --no-normalize.
_OTHERWISE = {"environment", "models", "normalize"}


def flags_in(texts):
    """(line, flag) of every flag in texts with their lines."""
    return [(line + text.count("\n", 0, match.start()), match.group(0))
            for line, text in texts for match in _FLAG.finditer(text)]


def stale_entries(root):
    """What FOREIGN allows and nothing says any more."""
    for path, programs in FOREIGN.items():
        file = root / path
        if not file.is_file():
            continue
        said = {flag for _, flag in flags_in(literals(file.read_text()) + comments(file.read_text()))}
        for flag in sorted(set().union(*programs.values()) - said):
            yield f"{path}: {flag}: is not said any more; take it out of FOREIGN"


def violations_below_cli(root):
    for file in cpp_files(root):
        path = file.relative_to(root)
        if path.parts[0] not in ("libs", "plugins") or path.parts[1] in OWN_FLAGS or "tests" in path.parts:
            continue
        text = file.read_text()
        foreign = set().union(*FOREIGN.get(str(path), {}).values())
        for line, flag in sorted(flags_in(literals(text) + comments(text))):
            if flag not in foreign:
                yield f"{path}:{line}: {flag}: mention the Subject; cli spells it"


def subjects(root):
    file = root / SUBJECTS
    return re.findall(r'^ +"(\w+)",$', file.read_text(), re.MULTILINE) if file.is_file() else []


def violations_of_subjects(root):
    said = {flag for file in cpp_files(root) if file.relative_to(root).parts[:3] in (("libs", "cli", "src"), ("libs", "flags", "src"))
            for _, flag in flags_in(literals(file.read_text()))}
    for name in subjects(root):
        if name not in _OTHERWISE and "--" + name.replace("_", "-") not in said:
            yield f"{SUBJECTS}: {name}: cli has no flag of that name"


def check(root):
    return [*violations_below_cli(root), *violations_of_subjects(root), *stale_entries(root)]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"flags: {len(subjects(ROOT))} subjects, and no flag below cli")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
