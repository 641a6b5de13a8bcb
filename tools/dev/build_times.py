#!/usr/bin/env python3
"""Where a build's time went: from ninja's log, and of the dearest sources from clang's -ftime-trace.

usage: build_times.py BUILD_FOLDER [HOW_MANY]   HOW_MANY sources are read again by clang (default 3; 0: none)

An object that the compiler's cache had counts with the time of that: CCACHE_RECACHE=1 ./dev build --times compiles anew.
"""

import collections
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

WORST = 25
KINDS = {"Source": "reading headers", "InstantiateFunction": "making functions from templates",
         "InstantiateClass": "making classes from templates", "OptFunction": "optimising"}


def durations(build):
    """{output: seconds} of what ninja last made of each file that is still there."""
    found = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        if output.endswith((".o", ".gch", ".pch")) and (build / output).exists():
            found[output] = (int(end) - int(start)) / 1000
    return found


def print_sums(title, sums, count):
    print(f"\n{title}")
    for name, seconds in collections.Counter(sums).most_common(count):
        print(f"{seconds:8.1f} s  {name}")


def own_times(events):
    """{detail: seconds} of nested events, each without those inside it."""
    sums, stack = collections.Counter(), []
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        while stack and stack[-1]["ts"] + stack[-1]["dur"] <= event["ts"]:
            stack.pop()
        event["name"] = re.sub(r"<.*|.*/include/", "", event.get("args", {}).get("detail", "?"))
        sums[event["name"]] += event["dur"] / 1e6
        if stack:
            sums[stack[-1]["name"]] -= event["dur"] / 1e6
        stack.append(event)
    return sums


def trace(build, output):
    """What clang does for the source of an object: the events of its -ftime-trace."""
    command = shlex.split(subprocess.run(["ninja", "-C", build, "-t", "commands", output], capture_output=True, text=True,
                                         check=True).stdout.splitlines()[-1])
    source = command[command.index("-c") + 1]
    flags = [word for word in command if re.match(r"-(I|D|O|std|f)", word)]
    flags += [word for at, word in enumerate(command) if "-isystem" in command[at - 1:at + 1]]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["clang++", *flags, "-w", "-ftime-trace", "-ftime-trace-granularity=100", "-c", source, "-o",
                        f"{folder}/unit.o"], check=True)
        return json.loads(pathlib.Path(folder, "unit.json").read_text())["traceEvents"]


def main():
    build, traced = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    times = durations(build)
    print(f"{sum(times.values()):.0f} s of compilers in {len(times)} objects of {build}")
    folders = collections.Counter()
    for output, seconds in times.items():
        folders["/".join(output.split("/CMakeFiles/")[0].split("/")[:3])] += seconds
    print_sums("by folder", folders, WORST)
    print_sums("by object", times, WORST)
    if not shutil.which("clang++"):
        print("\nclang++ is not installed: no look into the objects")
        return
    worst = [output for output, _ in collections.Counter(times).most_common() if output.endswith(".o")][:traced]
    for output in worst:
        events = trace(build, output)
        for kind, title in KINDS.items():
            print_sums(f"{output}: {title}", own_times([e for e in events if e["name"] == kind]), 8)


if __name__ == "__main__":
    main()
