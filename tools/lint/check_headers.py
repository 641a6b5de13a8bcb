#!/usr/bin/env python3
"""Compiles every public header alone: whoever includes one needs no other include before it."""

import concurrent.futures
import os
import subprocess
import sys

from sources import ROOT


def public_headers(root):
    return sorted((root / "libs").glob("*/include/**/*.hpp"))


def compile_alone(header, root):
    """None, or what the compiler said. Included twice, so that a missing include guard shows too."""
    includes = [f"-I{folder}" for folder in sorted((root / "libs").glob("*/include"))]
    source = f'#include "{header}"\n#include "{header}"\n'
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", *includes, "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{header.relative_to(root)} does not compile alone:\n{done.stderr}"


def check(root):
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        results = pool.map(lambda header: compile_alone(header, root), public_headers(root))
        return [result for result in results if result]


def main():
    violations = check(ROOT)
    print("\n".join(violations) or f"headers: {len(public_headers(ROOT))} public headers, each compiles alone")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
