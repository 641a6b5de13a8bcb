#!/usr/bin/env python3
"""Runs clang-tidy over the sources that a compilation database names, one library at a time.

Most of a run of clang-tidy goes into the standard library's headers. So the sources of one folder are included into one
file and checked together, which takes a tenth of the time. Those that clash there with one before them (a name in two
unnamed namespaces) are put into a second file, and so on.

usage: check_tidy.py BUILD_FOLDER [LIBRARY...]   libs/WING/NAME or plugins/NAME; default: all
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from sources import ROOT, cpp_files, include_graph, reached

# An error with the files that it was included from; what it clashes with is named in a note.
ERROR = re.compile(r"^((?:In file included from .*\n)*/[^:\n]+):\d+:\d+: (?:fatal )?error:", re.MULTILINE)
SOURCE = re.compile(r"/[^:\n]+\.cpp\b")
DIAGNOSTIC = re.compile(r"^/.*: (?:warning|error): .*\[.*\]$", re.MULTILINE)


def sources_by_folder(build, root):
    """{folder: (sources, compiler flags)} for what lies below a src folder of the repository."""
    folders = collections.defaultdict(lambda: ([], []))
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        folder = next((parent for parent in source.parents if parent.name == "src"), None)
        if folder and folder.is_relative_to(root):
            files, flags = folders[folder]
            files.append(source)
            flags[:] = flags_of(entry["command"], source)
    return {folder: (sorted(set(files)), flags) for folder, (files, flags) in folders.items()}


def flags_of(command, source):
    """The command's options without launcher, compiler, input and output."""
    words = shlex.split(command)
    first = next(i for i, word in enumerate(words) if word.startswith("-") and not word.startswith("-E"))
    kept, skip = [], False
    for word in words[first:]:
        if skip or word in ("-o", "-c", "-MD", "-MT", "-MF"):
            skip = not skip and word in ("-o", "-MT", "-MF")
        elif word != str(source):
            kept.append(word)
    return kept


def write_unity(files, path):
    path.write_text("".join(f'#include "{file}"\n' for file in files))
    return path


def clashing(files, unity, flags):
    """Those of `files` that do not compile where the others are included before them."""
    command = ["clang++", *flags, "-w", "-fsyntax-only", "-ferror-limit=0", str(write_unity(files, unity))]
    stderr = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    named = {pathlib.Path(name) for where in ERROR.findall(stderr) for name in SOURCE.findall(where)}
    return [file for file in files if file in named]


def groups(files, unity, flags):
    """The files in groups of which each compiles as one."""
    found = []
    while files:
        clash = clashing(files, unity, flags) if len(files) > 1 else []
        if len(clash) == len(files):  # not one another's fault
            return found + [[file] for file in files]
        found.append([file for file in files if file not in clash])
        files = clash
    return found


def tidy(path, flags, root):
    """What clang-tidy found, one line each."""
    command = ["clang-tidy", "-quiet", f"--config-file={root}/.clang-tidy", f"--header-filter=^{root}/(libs|plugins)/",
               str(path), "--", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(set(DIAGNOSTIC.findall(done.stdout + done.stderr)))
    return found or ([f"{path}: clang-tidy failed: {done.stderr}"] if done.returncode != 0 else [])


class Clean:
    """The folders in which nothing was found, by all that a finding depends on."""

    def __init__(self, marks, root):
        self.marks, self.root = marks, root
        self.texts = {path: path.read_text() for path in cpp_files(root)} if marks else {}
        self.edges = include_graph(self.texts)
        self.tools = "".join(map(self._printed, (["clang-tidy", "--version"], ["dpkg-query", "-W", "*-dev", "libc6*"])))
        given = [root / ".clang-tidy", *sorted(root.glob("requirements/*.txt")), *sorted(root.glob("libs/*/*/proto/*"))]
        self.given = "".join(path.read_text() for path in given)

    def mark(self, files, flags):
        """The file that is there where these sources are clean."""
        if not self.marks:
            return None
        read = sorted({path for file in files for path in reached(self.edges, file)})
        words = [self.tools, self.given, *(word.replace(str(self.root), "") for word in flags)]
        for path in read:
            words += [str(path.relative_to(self.root)), self.texts.get(path) or path.read_text()]
        return self.marks / hashlib.sha256("\0".join(words).encode()).hexdigest()

    @staticmethod
    def _printed(command):
        try:
            return subprocess.run(command, capture_output=True, text=True, check=False).stdout
        except FileNotFoundError:
            return ""


def check_folder(unity, files, flags, root, clean):
    """What is found in the sources of a folder, and in how many runs."""
    mark = clean.mark(files, flags)
    if mark and mark.exists():
        return [], 0
    found, runs = [], 0
    for group in groups(files, unity, flags):
        reported = tidy(write_unity(group, unity) if len(group) > 1 else group[0], flags, root)
        runs += 1
        if len(group) > 1 and any("[clang-diagnostic-error" in line for line in reported):
            reported = [line for file in group for line in tidy(file, flags, root)]
            runs += len(group)
        found += reported
    if mark and not found:
        mark.touch()
    return found, runs


def check(build, root, libraries=(), marks=None):
    work = build / "tidy"
    work.mkdir(exist_ok=True)
    clean = Clean(marks, root)
    # The largest first, so that no processor waits for another at the end.
    folders = sorted(((folder, what) for folder, what in sources_by_folder(build, root).items()
                      if not libraries or str(folder.parent.relative_to(root)) in libraries),
                     key=lambda item: -len(item[1][0]))
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        jobs = [pool.submit(check_folder, work / f"{folder.parent.name}.cpp", files, flags, root,
                            clean)
                for folder, (files, flags) in folders]
        results = [job.result() for job in jobs]
    return sorted({line for found, _ in results for line in found}), sum(runs for _, runs in results)


def main():
    marks = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "batchscope/tidy"
    marks.mkdir(parents=True, exist_ok=True)
    found, runs = check(pathlib.Path(sys.argv[1]).resolve(), ROOT, sys.argv[2:], marks)
    print("\n".join(found) or f"tidy: no finding in {runs} runs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
