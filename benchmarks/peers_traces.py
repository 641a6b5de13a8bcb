#!/usr/bin/env python3
"""Holds what batchscope says of traces of torch.profiler against gpu-idle and torch-tb-profiler, and all three against the truth.

usage: peers_traces.py BATCHSCOPE FOLDER... [-o FILE.md]

Of each file that `CAUSES` knows: the share of the time in which the device was busy, and the cause of its idle time that is
said first. The share is counted here from the file's events alone. Run by a Python that has the packages of
requirements/peers-traces.txt.
"""

import collections
import contextlib
import gzip
import json
import logging
import pathlib
import sqlite3
import tempfile
from importlib import metadata
from typing import NamedTuple

from traced_files import answer_to, busy_of, devices_of, files_in, share, short_name, unpacked, write_page

TOLERANCE = 1  # percentage points


class Truth(NamedTuple):
    causes: tuple  # each of them is right
    why: str
    may_be_silent: bool = False  # about the share of a device that is no GPU


NO_CAUSE = ("nothing", "no known cause", "larger batch")
CAUSES = {
    "hta_a100_sync_rank0": Truth(("device",), "what ends 687 of 793 ms of idle time was launched before it began: holes in CUDA graphs"),
    "hta_backward_thread": Truth(NO_CAUSE, "one kernel of 0.045 ms in a step of 413 ms: no cause was recorded"),
    "hta_cpu_only": Truth(("nothing", "communication"), "no device was recorded; gloo's all-reduces fill the step"),
    "hta_mtia_inference_rank0": Truth(("nothing",), "an accelerator that is no GPU, busy", True),
    "kineto_resnet50_workers0": Truth(("data",), "167 to 287 of 274 to 393 ms of idle time lie under the DataLoader"),
    "kineto_resnet50_workers4": Truth(("launch", "host", *NO_CAUSE), "the same job with 4 workers: 9 ms under the DataLoader"),
    "nsysai_h100_2gpu_1s": Truth(("copies",), "copies of 1842 ms beside kernels of 45 ms"),
    "param_dlrm_8ranks": Truth(("communication",), "NCCL takes 14 to 83 % of the kernels' time: ranks wait for ranks"),
    "param_resnet_2080ti": Truth(("data",), "the DataLoader takes 8.2 of 14.5 s"),
    "tracelens_h100_bert_small": Truth(("launch", "larger batch"), "60 kernels of 5 us, one launched after another"),
    "tracelens_h100_owlv2": Truth(("data",), "491 of 512 ms of idle time lie under the DataLoader; 359 ms of waiting for the device do not count"),
    "tracelens_h100_qwen": Truth(("nothing",), "busy, though most kernels are short"),
    "tracelens_h100_timesformer": Truth(("host",), "217 of 382 ms in the host's preprocessing, before the first kernel"),
    "tracelens_vllm_hipgraph": Truth(("nothing",), "busy, though two thirds of the kernels are short"),
    "a100_graphs_one_step": Truth(("device", "lost"), "the graph that ends a gap was launched 66 ms before it; of two of three steps the work was cut out"),
    "cpu_after": Truth(("data",), "no device was recorded; most of a step is in the DataLoader"),
    "cpu_before": Truth(("data",), "no device was recorded; most of a step is in the DataLoader"),
    "pair_after": Truth(("nothing",), "made: the loader is hidden"),
    "pair_after_last_step_long": Truth(("nothing", "host"), "made: as pair_after, with one long step"),
    "pair_before": Truth(("data",), "made: 30 of 150 ms of a step in the loader"),
    "sglang_decode_window": Truth(("device", *NO_CAUSE), "the kernel that ends the gap was launched at its begin and waited on the device"),
    "x_graph_unrecorded": Truth(("lost",), "the work of its graphs was not recorded"),
}

# The share counted here: of the union of the device's activities in the time from the first step to the end of the last or
# of the last activity, without steps from the first to the last activity. One end is with kernels alone: torch-tb-profiler and
# gpu-idle count those.
KERNELS = {"kernel", "Kernel", "Communication", "mtia_ccp_events"}
COPIES = {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"}


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def covered(spans):
    total, reached = 0, float("-inf")
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def opened(path):
    return gzip.open(path, "rt") if path.suffix == ".gz" else path.open()


def events_of(path):
    with opened(path) as text:
        document = json.load(text, strict=False)
    every = document if isinstance(document, list) else document["traceEvents"]
    return [event for event in every if event.get("ph") == "X"]


def span_of(event):
    return event["ts"], event["ts"] + event["dur"]


def counted_of_kineto(path):
    """(wall, busy with kernels, busy with all) of each device, us."""
    events = events_of(path)
    steps = [span_of(event) for event in events
             if event["name"].startswith("ProfilerStep#") and event["cat"] != "gpu_user_annotation"]
    devices = collections.defaultdict(list)
    for event in events:
        if event.get("cat") in KERNELS | COPIES:
            devices[event.get("args", {}).get("device", event["pid"])].append((*span_of(event), event["cat"] in KERNELS))
    for spans in devices.values():
        start = min(begin for begin, *_ in steps or spans)
        wall = max(end for _, end, *_ in [*steps, *spans]) - start
        within = [(max(start, begin), end, kernel) for begin, end, kernel in spans if end > start]
        yield wall, covered(span[:2] for span in within if span[2]), covered(span[:2] for span in within)


def counted_of_nsys(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        tables = {row[0] for row in base.execute("SELECT name FROM sqlite_master")}
        spans = collections.defaultdict(list)
        for table in ("KERNEL", "MEMCPY", "MEMSET"):
            name = f"CUPTI_ACTIVITY_KIND_{table}"
            for device, start, end in base.execute(f"SELECT deviceId, start, end FROM {name}") if name in tables else ():
                spans[device].append((start, end))
    for of_device in spans.values():
        busy = covered(of_device)
        yield max(end for _, end in of_device) - min(start for start, _ in of_device), busy, busy


def counted(files):
    """[lowest, highest] share, %, the mean of devices; None where none was recorded."""
    devices = [each for path in files
               for each in (counted_of_nsys(path) if path.suffix == ".sqlite" else counted_of_kineto(path))]
    return [mean(100 * device[i] / device[0] for device in devices) for i in (1, 2)] if devices else None


# What a tool says of a file: the share in which the device was busy, % or None, and the first cause.
class Printed(NamedTuple):
    busy: float | None
    cause: str
    silent: str = ""  # why there is no answer


BATCHSCOPE = {"trace.data-loading": "data", "trace.synchronisation": "waits", "trace.launch-bound": "launch",
              "trace.small-batch": "launch", "trace.host-work": "host", "trace.device-held": "device", "trace.lost-work": "lost",
              "trace.pageable-copies": "copies", "trace.exposed-copies": "copies", "trace.stragglers": "communication",
              "trace.exposed-communication": "communication", "trace.host-loading": "data",
              "trace.host-communication": "communication", "trace.host-operator": "host", "trace.host-gaps": "host"}
GPU_IDLE = {"dataloader": "data", "smallbatch": "launch", "h2d_copy": "copies", "unattributed": "no known cause"}
TORCH_TB = {"time cost on input data loading": "data", "time cost on communication": "communication",
            "low utilization": "larger batch"}


def batchscope(program, path, _files):
    answer = answer_to(program, path)
    if "findings" not in answer:
        return Printed(None, "", answer["message"].split("\n")[0])
    # The reason that the first line gives, or else the first finding that is more than information.
    findings = [each for each in answer["findings"] if each["id"] in BATCHSCOPE and each["severity"] != "info"]
    findings.sort(key=lambda each: each["message"] not in answer["message"])
    return Printed(mean(busy_of([device]) for device in devices_of(answer)), next((BATCHSCOPE[each["id"]] for each in findings), "nothing"))


def gpu_idle(_program, _path, files):
    import analyzer  # the module of the package gpu-idle
    with tempfile.TemporaryDirectory() as scratch:
        # It reads no .gz.
        plain = pathlib.Path(scratch) / "trace.json"
        for path in files:
            with opened(path) as text:
                plain.write_text(text.read())
            answer = analyzer.analyze(plain)
            yield answer["measurements"]["busy_pct"], [GPU_IDLE[found["cause"]] for found in answer["findings"]]


def torch_tb(_program, _path, files):
    from torch_tb_profiler.profiler.data import RunProfileData  # what its page in TensorBoard shows
    for path in files:
        data = RunProfileData.parse("worker", None, str(path), None)
        busy = [100 * each for each in data.gpu_metrics_parser.gpu_utilization if each is not None]
        yield (max(busy) if busy else None,
               [cause for text in data.recommendations for words, cause in TORCH_TB.items() if words in text])


def of_ranks(tool):
    """Of a tool that reads one file at a time: the mean share, and the cause that most files have."""
    def printed(program, path, files):
        try:
            answers = list(tool(program, path, files))
        except Exception as error:  # whatever a tool stops with is its answer
            return Printed(None, "", reason(error))
        causes = collections.Counter(causes[0] if causes else "nothing" for _, causes in answers)
        return Printed(mean(busy for busy, _ in answers if busy is not None), causes.most_common(1)[0][0])
    return printed


def reason(error):
    return "no ProfilerStep" if "ProfilerStep" in str(error) else f"{type(error).__name__}"


TOOLS = {"batchscope": batchscope, "gpu-idle": of_ranks(gpu_idle), "torch-tb-profiler": of_ranks(torch_tb)}


def share_is_right(busy, truth, limits):
    if busy is None:
        return limits is None or truth.may_be_silent
    low, high = limits or (0, 0)
    return low - TOLERANCE <= busy <= high + TOLERANCE


class Verdict(NamedTuple):
    printed: Printed
    share: bool
    cause: bool

    def right(self):
        return self.share and self.cause

    def words(self):
        if self.printed.silent:
            return f"no answer ({self.printed.silent})"
        wrong = [] if self.share else ["wrong share"]
        wrong += [] if self.cause else ["no cause" if self.printed.cause in NO_CAUSE else "wrong cause"]
        busy = "no share" if self.printed.busy is None else share(self.printed.busy)
        return f"{busy}, {self.printed.cause}: {', '.join(wrong) or 'right'}"


def verdict(printed, truth, limits):
    if printed.silent:
        return Verdict(printed, False, False)
    return Verdict(printed, share_is_right(printed.busy, truth, limits), printed.cause in truth.causes)


def of_file(program, path):
    """(the row's first cells, {tool: verdict})"""
    truth = CAUSES[short_name(path)]
    with unpacked(path) as readable:
        files = sorted(readable.iterdir()) if readable.is_dir() else [readable]
        limits = counted(files)
        verdicts = {name: verdict(tool(program, path, files), truth, limits) for name, tool in TOOLS.items()}
    busy = "none" if limits is None else " to ".join(dict.fromkeys(map(share, limits)))
    return f"{short_name(path)} | {busy} | {truth.causes[0]}: {truth.why}", verdicts


def total(rows):
    def of(name):
        right, shares, causes = (sum(getter(verdicts[name]) for _, verdicts in rows)
                                 for getter in (Verdict.right, lambda each: each.share, lambda each: each.cause))
        return f"{right} right; shares {shares}, causes {causes}"
    return f"| all {len(rows)} | | | {' | '.join(map(of, TOOLS))} |"


def version(name):
    return f"{name} {metadata.version(name)}"


def head():
    return f"""## What is said of traces

Made by `./dev peers traces FOLDER...` with {version("gpu-idle")} and {version("torch-tb-profiler")}, each on every file
whose truth is known: the share of the time in which the device was busy, and the cause that is named first. The
share is counted from the file's events alone, from the first step to the end of the last (without steps, from the first to
the last activity of the device), with kernels alone and with copies; {TOLERANCE} point more or less is right. The causes that
are right stand in `CAUSES` of benchmarks/peers_traces.py; where none can be told, a tool that says so is right, and where
kernels are short, one that advises a larger batch, which torch-tb-profiler does below a share of 50 %. Without a device in
the file, no share is right, and 0 %. gpu-idle is given the unpacked file; of ranks, which the two read one by one, the mean
share and the commonest cause count. An answer is right where both are. The two read no exports of Nsight Systems.

| file | busy | cause | {" | ".join(TOOLS)} |
|---|---|---|{"---|" * len(TOOLS)}"""


def lines_of(program, folders):
    lines = [head()]
    for folder in folders:
        rows = [of_file(program, path) for path in files_in([folder]) if short_name(path) in CAUSES]
        lines += [f"| {first} | " + " | ".join(verdicts[name].words() for name in TOOLS) + " |" for first, verdicts in rows]
        lines.append(total(rows))
    return lines


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    write_page(__doc__, lines_of)
