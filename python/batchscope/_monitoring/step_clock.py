"""Where the time of a training step goes."""

import threading
import time

from batchscope._core import range as marked

PARTS = ("load", "h2d", "forward", "backward", "optimizer", "other")


class StepClock:
    """Splits the time of a step into PARTS, each of which begins where the one before ends; all but the rest is a bs.range.

    Outside of steps, as in evaluation, no part is timed."""

    def __init__(self):
        self._ranges = {part: marked(part) for part in PARTS if part != "other"}
        self._spent, self._open, self._thread = dict.fromkeys(PARTS, 0.0), None, threading.get_ident()
        #: The part that is timed now; None outside of steps.
        self.part, self._since = "other", time.perf_counter()

    def begin(self, part):
        """A part of PARTS, or None: until the next part, time belongs to no step."""
        now = time.perf_counter()
        if self.part is not None:
            self._spent[self.part] += now - self._since
        if self._open is not None:
            self._open.__exit__(None, None, None)
        self._open, self.part, self._since = self._ranges.get(part), part, now
        if self._open is not None:
            self._open.__enter__()

    def switch(self, part):
        """begin() within a step of this thread; what is called outside of steps, too, changes nothing there."""
        if self.part is not None and threading.get_ident() == self._thread:
            self.begin(part)

    def leave_out(self, seconds):
        """These have just passed, and belong to no step."""
        self._since += seconds

    def take(self):
        """Seconds of each part since the last call."""
        self.begin(self.part)
        spent, self._spent = self._spent, dict.fromkeys(PARTS, 0.0)
        return spent
