#!/usr/bin/env python3
"""Runs clang-tidy over the sources that a compilation database names, one library at a time.

Most of a run of clang-tidy goes into the standard library's headers. So the sources of one folder are included into one
file and checked together, which takes a tenth of the time; those that clash with another there (a name in two unnamed
namespaces) are checked alone.

usage: check_tidy.py BUILD_FOLDER
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from sources import ROOT

ERROR = re.compile(r"^(?:In file included from )?(/[^:\n]+\.cpp):\d+:(?:\d+: (?:fatal )?error:)?", re.MULTILINE)
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
    words = command.replace('\\"', '"').split()
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
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    named = {pathlib.Path(name) for name in ERROR.findall(said)}
    return [file for file in files if file in named]


def batches(files, unity, flags):
    """The files to check alone, and those that stand together in `unity`."""
    alone = []
    while files:
        clash = clashing(files, unity, flags)
        if not clash:
            break
        alone += clash
        files = [file for file in files if file not in clash]
    return alone, files


def tidy(path, flags, root):
    """What clang-tidy found, one line each."""
    command = ["clang-tidy", "-quiet", f"--config-file={root}/.clang-tidy", f"--header-filter=^{root}/(libs|plugins)/",
               str(path), "--", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(set(DIAGNOSTIC.findall(done.stdout + done.stderr)))
    return found or ([f"{path}: clang-tidy failed: {done.stderr}"] if done.returncode != 0 else [])


def check(build, root):
    work = build / "tidy"
    work.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        jobs = []
        for folder, (files, flags) in sources_by_folder(build, root).items():
            unity = work / (folder.parent.name + ".cpp")
            alone, together = batches(files, unity, flags)
            jobs += [pool.submit(tidy, file, flags, root) for file in alone]
            if together:
                jobs.append(pool.submit(tidy, unity, flags, root))
        return sorted({line for job in jobs for line in job.result()}), len(jobs)


def main():
    found, runs = check(pathlib.Path(sys.argv[1]).resolve(), ROOT)
    print("\n".join(found) or f"tidy: no finding in {runs} runs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
