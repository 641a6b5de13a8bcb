"""Iterations of their own under torch.profiler, as the fields of schema::Diagnosis."""

import time

import torch

ITERATIONS = 3
MOST_OPERATORS = 200


def operation(event):
    return {"name": event.key, "kind": "operator", "calls": event.count,
            "total_ns": int(1000 * event.cpu_time_total), "self_ns": int(1000 * event.self_cpu_time_total)}


def traced(prepared, device):
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device.type == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities) as profiler:
        begun = time.perf_counter_ns()
        for _ in range(ITERATIONS):
            prepared.run()
            if prepared.wait is not None:
                prepared.wait()
        took = time.perf_counter_ns() - begun
    operators = [operation(each) for each in profiler.key_averages()]
    operators.sort(key=lambda each: -each["self_ns"])
    return {"tracer": "torch.profiler", "traced_iterations": ITERATIONS, "traced_ns": took,
            "operations": operators[:MOST_OPERATORS],
            "absent": {"primitives": "the log of the kernel library is not read in Python"}}
