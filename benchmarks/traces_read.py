#!/usr/bin/env python3
"""What batchscope reports about every trace in some folders, as a page in Markdown.

usage: traces_read.py BATCHSCOPE FOLDER... [-o FILE.md]
"""

from traced_files import PARTS, answer_to, busy_of, devices_of, escaped, files_in, licence_of, share, short_name, traces_of, write_page

HEAD = """# What batchscope reports about real traces

`./dev traces FOLDER...` makes this page from the output of `batchscope trace FILE --format json`. Each row sums all devices and
ranks of a file: wall time, the share of it in which a device was busy, and the shares in which it was idle, by cause. The last
column counts launches whose work was not recorded. An empty cell means none. Archives are unpacked first. Below the table is the
first line of the output for each file, then its findings with severity and possible gain.

| file | licence | wall | steps | busy | idle for data | sync | launch | host | device | unknown | launches without work |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def idle_cells(devices):
    wall = sum(device["wall_ns"] for device in devices)
    sums = [sum(device["idle"].get(f"{part}_ns", 0) for device in devices) for part in PARTS]
    return [share(100 * ns / wall) if ns and wall else "" for ns in sums]


def wall_cell(devices):
    if not devices:
        return ""
    wall = max(device["wall_ns"] for device in devices) / 1e6
    return f"{wall:.0f} ms" if wall >= 99.5 else f"{wall:.3g} ms"


def steps_cell(traces):
    longest = max(traces, key=lambda trace: len(trace.get("steps", [])))
    steps, source = len(longest.get("steps", [])), longest.get("step_source")
    return "" if not steps else str(steps) if source == "recorded" else f"{steps} {source}"


def lost_cell(traces):
    lost = sum(trace.get("launches", {}).get("without_work", 0) for trace in traces)
    every = sum(trace.get("launches", {}).get("all", 0) for trace in traces)
    return f"{lost} of {every}" if lost else ""


def row(path, answer):
    devices, traces = devices_of(answer), traces_of(answer)
    busy = busy_of(devices)
    ranks = f", {len(traces)} ranks" if len(traces) > 1 else ""
    cells = [short_name(path) + ranks, licence_of(path), wall_cell(devices), steps_cell(traces),
             "none recorded" if busy is None else share(busy), *(idle_cells(devices) or [""] * len(PARTS)), lost_cell(traces)]
    return f"| {' | '.join(cells)} |"


def finding(found):
    gain = found.get("gain")
    of_time = gain and gain["unit"] == "ratio"
    to_gain = f", gain {share(100 * gain['low'])} to {share(100 * gain['high'])}" if of_time else ""
    return f"`{found['id']}` ({found['severity']}{to_gain})"


def printed(path, answer):
    findings = "; ".join(map(finding, answer.get("findings", [])))
    return f"- **{short_name(path)}**: {escaped(answer['message'])}" + (f" {findings}." if findings else "")


def lines_of(program, folders):
    answers = [(path, answer_to(program, path)) for path in files_in(folders)]
    return [HEAD, *(row(*each) for each in answers), "", *(printed(*each) for each in answers)]


if __name__ == "__main__":
    write_page(__doc__, lines_of)
