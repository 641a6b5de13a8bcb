"""What torch.compile does: compiling is a time of its own, and coming back to it in an iteration is noticed."""

import time

import torch._dynamo.utils as dynamo

FRAME = "_compile.compile_inner"  # compilation_time_metrics: a time in seconds for each frame that was compiled
MOST_CALLS = 8  # until nothing is compiled any more


def compiled():
    """How many frames were compiled in this process, and how long that took."""
    times = dynamo.compilation_time_metrics.get(FRAME, [])
    return len(times), sum(times)


def graph_breaks():
    return sum(dynamo.counters["graph_break"].values())


class Compiler:
    """Counts from its making on."""

    def __init__(self):
        self.at_start = compiled()[0]
        self.total_ns = 0
        self.settled_at = self.timed_from = compiled()

    def settle(self, run):
        """Calls until a call compiles nothing, so that no iteration does; what never settles is found in the iterations."""
        begun = time.perf_counter_ns()
        for _ in range(MOST_CALLS):
            before = compiled()[0]
            run()
            if compiled()[0] == before:
                break
        self.total_ns += time.perf_counter_ns() - begun
        self.settled_at = self.timed_from = compiled()

    def begin_timing(self):
        self.timed_from = compiled()

    def counts(self):
        now = compiled()
        return {"total_ns": self.total_ns, "graphs": now[0] - self.at_start, "graph_breaks": graph_breaks(),
                "recompiled": now[0] - self.settled_at[0], "recompiled_timed": now[0] - self.timed_from[0],
                "recompiled_timed_ns": int(1e9 * (now[1] - self.timed_from[1]))}
