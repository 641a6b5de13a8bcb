"""Iterations of their own under torch.profiler: its trace as a file, and what is to be known besides as the fields of
schema::Diagnosis. The file is read, and operations are summed, by the extension module: as those of other engines are."""

import time

import torch

ITERATIONS = 3


def traced(prepared, device, recording):
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device.type == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities) as profiler:
        begun = time.perf_counter_ns()
        for iteration in range(ITERATIONS):
            with torch.profiler.record_function(f"ProfilerStep#{iteration}"):
                prepared.run()
                if prepared.wait is not None:
                    prepared.wait()
        took = time.perf_counter_ns() - begun
    profiler.export_chrome_trace(recording)
    return {"tracer": "torch.profiler", "traced_iterations": ITERATIONS, "traced_ns": took,
            "absent": {"primitives": "the log of the kernel library is not read in Python"}}
