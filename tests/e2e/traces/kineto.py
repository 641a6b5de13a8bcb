"""Small traces as torch.profiler writes them, with steps whose truth is known."""

import gzip
import json

LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


class Kineto:
    """Events of one process with one device; times in microseconds."""

    def __init__(self, rank=None, dtype="c10::BFloat16", device="Test GPU", capability=(8, 0), **settings):
        self.events = []
        self.device_name = device
        self.capability = capability
        self.settings = settings  # members of the file beside its events
        self.dtype = dtype
        self.correlation = 0
        self.rank = rank

    def host(self, category, name, start, duration, tid=10, **arguments):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 10, "tid": tid, "ts": start,
                            "dur": duration, "args": arguments})

    def device(self, category, name, start, duration, stream=7, **arguments):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 0, "tid": stream, "ts": start,
                            "dur": duration, "args": {"device": 0, "stream": stream, **arguments}})

    def kernel(self, name, launched, start, duration, **arguments):
        """Launched by a call of 5 us within an operator of 10 us."""
        self.correlation += 1
        self.host("cpu_op", "aten::mm", launched - 2, 10, **{"Input type": [self.dtype, self.dtype]})
        self.host("cuda_runtime", "cudaLaunchKernel", launched, 5, correlation=self.correlation)
        self.device("kernel", name, start, duration, correlation=self.correlation, **arguments)

    def document(self):
        full = {"schemaVersion": 1, **self.settings, "traceEvents": self.events,
                 "deviceProperties": [{"id": 0, "name": self.device_name, "totalGlobalMem": 10**9,
                                       "computeMajor": self.capability[0], "computeMinor": self.capability[1],
                                       "numSms": 100}]}
        if self.rank is not None:
            full["distributedInfo"] = {"rank": self.rank, "world_size": 2}
        return full

    def write(self, path):
        text = json.dumps(self.document())
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
        return path


def loader_bound(steps=6, loading=600, computing=400, rank=None):
    """Each step loads, then launches four kernels that take the rest of it."""
    trace = Kineto(rank)
    length = loading + computing + 40
    for step in range(steps):
        begin = step * length
        trace.host("user_annotation", f"ProfilerStep#{step}", begin, length)
        trace.host("user_annotation", LOADER, begin, loading)
        for i in range(4):
            launched = begin + loading + 5 + i * 10
            start = begin + loading + 15 + i * computing / 4
            trace.kernel("gemm", launched, start, computing / 4, grid=[200, 1, 1], block=[128, 1, 1])
    return trace


def healthy(steps=6):
    """The host is a step ahead."""
    trace = Kineto()
    for step in range(steps):
        trace.host("user_annotation", f"ProfilerStep#{step}", step * 1000, 1000)
        for i in range(4):
            trace.kernel("gemm", step * 1000 + 20 * i, 500 + step * 1000 + i * 250, 250)
    return trace
