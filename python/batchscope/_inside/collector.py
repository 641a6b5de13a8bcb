"""The garbage collector while a visit is timed: what it costs, and how it is set."""

import gc
import time

from batchscope._explain import Refused

SETTINGS = ("on", "freeze", "off")


class Collector:
    """Counts collections and their time from begin() on."""

    def __init__(self):
        self.count = self.total_ns = self.longest_ns = self.started_ns = 0
        gc.callbacks.append(self.notice)

    def notice(self, phase, _info):
        if phase == "start":
            self.started_ns = time.perf_counter_ns()
            return
        took = time.perf_counter_ns() - self.started_ns
        self.count += 1
        self.total_ns += took
        self.longest_ns = max(self.longest_ns, took)

    def begin(self):
        self.count = self.total_ns = self.longest_ns = 0

    def counts(self):
        return {"count": self.count, "total_ns": self.total_ns, "longest_ns": self.longest_ns}


def apply(setting):
    """ "on", "freeze", "off", or None for how the model leaves it. A process may serve visits with different settings."""
    if setting is None:
        return
    if setting not in SETTINGS:
        raise Refused("usage", f"'{setting}' is not a setting of the garbage collector", "--gc", "use on, freeze or off")
    gc.unfreeze()
    gc.enable()
    if setting == "on":
        return
    # Also where nothing is collected by itself: a model may collect, and what is frozen is not looked at then.
    gc.collect()
    gc.freeze()
    if setting == "off":
        gc.disable()
