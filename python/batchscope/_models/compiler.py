"""What torch.compile does: compiling is a time of its own, and coming back to it in an iteration is noticed.

A model may compile by itself, too, so whatever is compiled in the process counts. Torch's compiler is never imported for it:
who has not, compiles nothing.
"""

import sys
import time

FRAME = "_compile.compile_inner"  # compilation_time_metrics: a time in seconds for each frame that was compiled
MOST_CALLS = 8  # until nothing is compiled any more


def _reported(name):
    """What the compiler keeps under that name; {} where it is not there, or keeps it elsewhere in its version."""
    return getattr(sys.modules.get("torch._dynamo.utils"), name, None) or {}


def compiled():
    """How many frames were compiled in this process, and how long that took."""
    times = _reported("compilation_time_metrics").get(FRAME, [])
    return len(times), sum(times)


def graph_breaks():
    return sum(_reported("counters").get("graph_break", {}).values())


class Compiler:
    """Counts from its making on."""

    def __init__(self):
        self.at_start = self.settled_at = self.timed_from = compiled()
        self.total_ns = 0

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
        """A model that was not settled compiles for the first time in its warm-up: only what follows is anew."""
        self.timed_from = compiled()
        if not self.total_ns:
            self.settled_at = self.timed_from

    def counts(self):
        """None where nothing was compiled."""
        now = compiled()
        if now == self.at_start:
            return None
        return {"total_ns": self.total_ns, "graphs": now[0] - self.at_start[0], "graph_breaks": graph_breaks(),
                "recompiled": now[0] - self.settled_at[0], "recompiled_timed": now[0] - self.timed_from[0],
                "recompiled_timed_ns": int(1e9 * (now[1] - self.timed_from[1]))}
