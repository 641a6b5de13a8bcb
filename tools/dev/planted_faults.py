#!/usr/bin/env python3
"""Plants one fault after another in the sources and asks the step of CI that should find it. Every fault is taken back.

usage: planted_faults.py [NAME...]   needs build/release, build/asan, build/tsan and build/ci as CI leaves them

It changes files in place, so the tree must be clean. What was built last holds a fault: build again. The exit code is the
number of faults that nothing found.
"""

import dataclasses
import functools
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = os.environ.get("JOBS", "2")


@dataclasses.dataclass(frozen=True)
class Fault:
    """In `file`, `right` becomes `wrong`; `step` fails of it: lint CHECK [FOLDER], PRESET LIBRARY, or e2e FILE."""

    name: str
    file: str
    right: str
    wrong: str
    step: str


FAULTS = [
    Fault("wrong-median", "libs/foundation/stats/src/descriptive.cpp", "(*middle - below) / 2.0", "(*middle - below) / 3.0",
          "release stats"),
    Fault("wrong-variance", "libs/foundation/stats/src/descriptive.cpp", "(count_ - 1)", "(count_)", "release stats"),
    Fault("wrong-bound", "libs/studies/serving/src/split.cpp", "count <= max_batch &&", "count < max_batch &&", "release serving"),
    Fault("wrong-tie", "libs/studies/serving/src/split.cpp", "size > best.last", "size < best.last", "release serving"),
    Fault("wrong-line", "libs/records/csv/src/csv_rows.cpp", "    ++line;\n", "", "release csv"),
    Fault("last-line-lost", "libs/foundation/base/src/files/line_reader.cpp", "return std::optional(Line{buffer_, false});",
          "return std::optional<Line>();", "release base"),
    Fault("wrong-utf8", "libs/foundation/base/src/text/utf8.cpp", "i < bytes; ++i", "i + 1 < bytes; ++i", "release base"),
    Fault("damage-hidden", "libs/foundation/bytes/src/decompress.cpp", "if (ZSTD_isError(outcome) == 0) continue;", "continue;",
          "release trace"),
    Fault("read-past-end", "libs/foundation/base/src/text/utf8.cpp", "at + 8 <= text.size() && ", "", "asan base"),
    Fault("leak", "libs/records/csv/src/csv_rows.cpp", "  csv_free(&parser);\n", "", "asan csv"),
    Fault("used-after-free", "libs/foundation/bytes/src/decompress.cpp",
          "  const std::string_view left = stretch.left();\n  if (left.starts_with(",
          "  std::string_view left;\n  {\n    const std::string copy = std::string(stretch.left()) + std::string(64, ' ');\n"
          "    left = copy;\n  }\n  if (left.starts_with(",
          "asan trace"),
    Fault("overflow", "libs/foundation/base/src/text/lists.cpp", "    if (span.last - value < step) return {};\n",
          "    if (value + step > span.last) return {};\n", "asan base"),
    Fault("race-on-page", "libs/monitoring/exporter/src/server/page_cache.cpp",
          "  const std::lock_guard lock(mutex_);\n  metrics_.swap(text);", "  metrics_.swap(text);", "tsan exporter"),
    Fault("race-in-trace", "libs/traces/trace/src/kineto/parallel_reading.cpp",
          "    const std::lock_guard reading(reading_mutex_);\n", "", "tsan trace"),
    Fault("race-in-batcher", "libs/studies/serving/src/batcher_core.cpp", "counters() const {\n  const Lock lock(mutex_);\n",
          "counters() const {\n", "tsan serving"),
    Fault("missing-include", "libs/records/csv/src/csv_rows.cpp", '#include "csv_rows.hpp"\n',
          "#include <string_view>\n#include <vector>\n",
          "lint includes"),
    Fault("header-leans-on-another", "libs/foundation/bytes/include/batchscope/bytes/compress.hpp",
          '#include "batchscope/bytes/byte_source.hpp"\n', "",
          "lint includes"),
    Fault("forbidden-edge", "libs/foundation/base/src/text/utf8.cpp", "#include <cstring>\n",
          '#include <cstring>\n\n#include "batchscope/schema/run_config.hpp"\n', "lint graph"),
    Fault("hidden-constant", "libs/studies/planning/src/arrivals.cpp", "namespace {\n",
          "namespace {\n\nconstexpr int64_t kLargestPlannedBatch = 2;\n",
          "lint unity"),
    Fault("used-after-move", "libs/records/csv/src/csv_dialect.cpp", "  table.rows = std::move(rows);\n",
          "  table.rows = std::move(rows);\n  table.rows.resize(rows.size());\n", "lint tidy libs/records/csv"),
    Fault("wrong-exit-code", "libs/foundation/commandline/src/command.cpp", "      return kInput;", "      break;",
          "e2e tests/e2e/program/test_errors.py"),
]


def commands_of(step):
    kind, *rest = step.split()
    if kind == "lint" and rest[0] == "tidy":
        return [["python3", "tools/lint/check_tidy.py", "build/ci", *rest[1:]]]
    if kind == "lint":
        return [["./dev", "lint", *rest]]
    if kind == "e2e":
        return [["cmake", "--build", "build/release", "-j", JOBS, "--target", "program"],
                [".venv/bin/python", "-m", "pytest", "-q", "-x", *rest]]
    return [["cmake", "--build", f"build/{kind}", "-j", JOBS, "--target", f"{rest[0]}_tests"],
            ["ctest", "--preset", kind, "-R", f"^{rest[0]}$"]]


def is_found(step):
    """Whether the last command of the step fails. The others build: a fault that does not compile is none, nor found."""
    *before, last = commands_of(step)
    if any(subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode for command in before):
        print("does not compile: ", end="")
        return False
    return subprocess.run(last, cwd=ROOT, check=False, capture_output=True).returncode != 0


@functools.cache
def fails_anyway(step):
    """Whether the step fails on the sources as they are."""
    return is_found(step)


def plant(fault):
    """(whether it was found, seconds)"""
    path, start = ROOT / fault.file, time.monotonic()
    text = path.read_text()
    if fault.right not in text:
        sys.exit(f"{fault.name}: {fault.file} has no {fault.right!r} any more; write the fault anew")
    if fails_anyway(fault.step):
        sys.exit(f"{fault.step} fails without a fault, too: mend that first")
    try:
        path.write_text(text.replace(fault.right, fault.wrong, 1))
        return is_found(fault.step), time.monotonic() - start
    finally:
        path.write_text(text)


def main():
    if subprocess.run(["git", "diff", "--quiet"], cwd=ROOT, check=False).returncode != 0:
        sys.exit("planted_faults: there are changes in the tree; commit or put them aside first")
    wanted = [fault for fault in FAULTS if fault.name in sys.argv[1:] or len(sys.argv) == 1]
    missed = 0
    for fault in wanted:
        found, seconds = plant(fault)
        missed += not found
        print(f"{'found' if found else 'NOT FOUND':9} {fault.name:24} by {fault.step}, {seconds:.0f} s", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} planted faults were found")
    return missed


if __name__ == "__main__":
    sys.exit(main())
