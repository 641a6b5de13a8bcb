#!/usr/bin/env python3
"""Compiles alone every public header and every source of a library, without code being made.

Whoever includes a header needs no other include before it. And CI builds sources several at a time, where the includes
of one serve the next: only here it shows that one leans on another. For the sources, standard headers are
precompiled, which halves the time and hides only a missing standard header; clang-tidy reads them without.

usage: check_alone.py [FILE...]   default: all
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from sources import ROOT

PRECOMPILED = ("algorithm", "array", "chrono", "cmath", "cstdint", "filesystem", "functional", "map", "memory",
               "optional", "span", "string", "string_view", "utility", "variant", "vector")

# What CMake defines.
DEFINED = ('-DBATCHSCOPE_VERSION=""', '-DBATCHSCOPE_USUAL_ENGINE=""')

# Sources that need headers from elsewhere: of a third party, in whose place a build without it has another source, or such
# as a build makes. They are compiled where those are.
OPTIONAL = {
    "libs/nvtx/src/nvtx_tool.cpp": ".venv/lib/python*/site-packages/nvidia/cu13/include",
    "libs/exporter/src/tensorboard/event_file.cpp": "build/*/libs/exporter/event",
}


def headers_of(source, root):
    """The folders that a source needs beside the libraries' own; None: one of them is missing here."""
    needed = OPTIONAL.get(str(source.relative_to(root)))
    return [] if needed is None else sorted(root.glob(needed)) or None


def public_headers(root):
    return sorted((root / "libs").glob("*/include/**/*.hpp"))


def library_sources(root):
    sources = sorted((root / "libs").glob("*/src/**/*.cpp"))
    return [source for source in sources if headers_of(source, root) is not None]


class Compiler:
    """Reads code and says what is wrong with it. clang, which is twice as fast at that, where there is one."""

    def __init__(self, root, folder):
        self.root = root
        name = os.environ.get("CXX") or ("clang++" if shutil.which("clang++") else "g++")
        # A warning is the matter of builds; an unused function of a header is none.
        self.command = [name, "-std=c++20", "-fsyntax-only", "-w", "-x", "c++", *DEFINED,
                        *(f"-I{libs}" for libs in sorted((root / "libs").glob("*/include")))]
        self.precompiled = []
        if "clang" in name:
            header = pathlib.Path(folder) / "precompiled.pch"
            text = "".join(f"#include <{header}>\n" for header in PRECOMPILED)
            subprocess.run([name, "-std=c++20", "-x", "c++-header", "-", "-o", header], input=text, text=True, check=True)
            self.precompiled = ["-include-pch", header]

    def said_of(self, path, *arguments, text=""):
        """None, or why the file does not compile alone."""
        done = subprocess.run([*self.command, *arguments], input=text, capture_output=True, text=True, check=False)
        return None if done.returncode == 0 else f"{path.relative_to(self.root)} does not compile alone:\n{done.stderr}"

    def header(self, path):
        """Included twice, so that a missing include guard shows too."""
        return self.said_of(path, "-", text=f'#include "{path}"\n#include "{path}"\n')

    def source(self, path):
        own = self.root.joinpath(*path.relative_to(self.root).parts[:3])  # libs/NAME/src
        others = [f"-I{folder}" for folder in headers_of(path, self.root)]
        return self.said_of(path, *self.precompiled, f"-I{own}", *others, path)


def check(root, named=()):
    """What does not compile alone: of all, or of the files that are named."""
    headers, sources = ([path for path in paths if not named or str(path.relative_to(root)) in named]
                        for paths in (public_headers(root), library_sources(root)))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        compiler = Compiler(root, folder)
        results = [*pool.map(compiler.header, headers), *pool.map(compiler.source, sources)]
        return [result for result in results if result]


def main():
    violations = check(ROOT, sys.argv[1:])
    print("\n".join(violations) or
          f"alone: {len(public_headers(ROOT))} public headers and {len(library_sources(ROOT))} sources, each compiles alone")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
