"""Traces that no profiler recorded, in the format of torch.profiler: as many steps, kernels and devices as wanted, under any
names. What a device did is known to the nanosecond.

A step begins with a wait for samples; then kernels follow each other, each launched right before it starts, with a pause
of the launching thread between them."""

import json

START_US = 1_700_000_000_000_000  # of the first step, as the time of day
LOADING_US = 400
LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
THREAD = 4711


def kernel_us(index):
    """How long a kernel runs, and how long the device then waits for the next."""
    return 3 + index % 7, 1 + index % 5 + (40 if index % 50 == 49 else 0)


def _event(category, name, thread, start, duration, **arguments):
    process = 0 if category in ("kernel", "gpu_memcpy") else THREAD
    return json.dumps({"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread, "ts": START_US + start,
                       "dur": duration, "args": arguments})


def _kernels(at, step, kernels, devices, name, first):
    """Lines of all kernels of a step with the calls that launched them, and when the last one ends. Written as text: there
    may be millions."""
    name = json.dumps(name)
    lines, end = [], at
    for index in range(kernels):
        duration, pause = kernel_us(index + step)
        correlation = first + index
        device = index % devices
        lines.append(
            f'{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":{THREAD},"tid":{THREAD},"ts":{START_US + at}.1,'
            f'"dur":0.7,"args":{{"correlation":{correlation}}}}},\n'
            f'{{"ph":"X","cat":"kernel","name":{name},"pid":{device},"tid":7,"ts":{START_US + at + 1},"dur":{duration},'
            f'"args":{{"device":{device},"stream":7,"correlation":{correlation},"grid":[64,1,1],"block":[256,1,1]}}}}')
        end = at + 1 + duration
        at = end + pause - 1
    return lines, end


def _memory(at, allocated, device):
    return json.dumps({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": THREAD, "tid": THREAD,
                       "ts": START_US + at, "args": {"Total Reserved": 9_000_000, "Total Allocated": allocated, "Bytes": 1_000_000,
                                                     "Addr": 1, "Device Id": device, "Device Type": 1}})


def write_trace(path, steps=4, kernels=30, devices=1, kernel="gemm_kernel", loader=LOADER, source="train.py(12): load",
                memory=False):
    """Writes it and returns how many activities it holds."""
    at, events = 0, 0
    with open(path, "w", encoding="utf-8") as file:
        properties = [{"id": device, "name": f"Made-Up {device}", "computeMajor": 9, "computeMinor": 0, "numSms": 132}
                      for device in range(devices)]
        file.write('{"schemaVersion": 1, "deviceProperties": %s, "traceEvents": [\n' % json.dumps(properties))
        for step in range(steps):
            lines, end = _kernels(at + LOADING_US, step, kernels, devices, kernel, step * kernels + 1)
            lines.append(_event("user_annotation", loader, THREAD, at + 1, LOADING_US - 2))
            lines.append(_event("python_function", source, THREAD, at + 2, LOADING_US - 4))
            lines.append(_event("user_annotation", f"ProfilerStep#{step}", THREAD, at, end - at + 5))
            if memory:
                lines += [_memory(at + LOADING_US + 10 * i, 1_000_000 * (1 + i % 5), 0) for i in range(10)]
            events += len(lines) + kernels
            file.write(",\n".join(lines) + (",\n" if step + 1 < steps else "\n"))
            at = end + 5
        file.write("]}\n")
    return events
