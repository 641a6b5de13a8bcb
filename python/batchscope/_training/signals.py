"""Signals that ask a training to stop are heeded between two steps; what a worker's death raises is not raised within a step."""

import os
import signal
import threading
import warnings

STOP_CODE = 75
ASK_TO_STOP = ("SIGTERM", "SIGINT", "SIGUSR1")
_AT_ONCE = 3  # so many of SIGINT


class Stopped(BaseException):
    """Ends the wait for a batch; no Exception, so that no loader takes it for an error of a sample."""


class Signals:
    """The handlers of a guard while it is open.

    can_leave(): whether the process may end where it is, because nothing would be lost."""

    def __init__(self, names, can_leave):
        numbers = [signal.Signals[each] if isinstance(each, str) else signal.Signals(each) for each in names]
        self.asked, self.is_waiting, self.is_busy = None, False, False
        self._can_leave, self._interrupts, self._previous = can_leave, 0, {}
        self._late, self._on_child, self._torchs = None, None, None
        if numbers and threading.current_thread() is not threading.main_thread():
            warnings.warn("TrainingGuard was created outside the main thread, so signals will not stop the training",
                          RuntimeWarning, stacklevel=4)
            return
        for number in numbers:
            self._previous[number] = signal.signal(number, self._ask)

    @property
    def numbers(self):
        """Those that are handled."""
        return tuple(self._previous)

    def _ask(self, number, frame):
        self._interrupts += number == signal.SIGINT
        if self.asked is None:
            self.asked = signal.Signals(number).name
            # By the system, since this may come within a print.
            more = f"; {_AT_ONCE} of them end it at once" if number == signal.SIGINT else ""
            os.write(2, f"batchscope: {self.asked}: the training stops after this step, with a checkpoint{more}\n".encode())
            if self.is_waiting:
                raise Stopped(self.asked)
        elif number == signal.SIGINT and self._interrupts >= _AT_ONCE:
            signal.default_int_handler(number, frame)
        if not self.is_busy and self._can_leave():
            raise SystemExit(STOP_CODE)

    def begin(self):
        """A step, or writing, begins."""
        self.is_busy = True
        if self._previous:
            handler = signal.getsignal(signal.SIGCHLD)
            if handler is not self._on_child and callable(handler):
                self._defer(handler)

    def end(self):
        """It has ended; what came of a worker within it is raised now."""
        self.is_busy = False
        late, self._late = self._late, None
        if late is not None and self.asked is None:
            late()

    def _defer(self, handler):
        """torch raises in its handler where a worker has died, wherever the trainer is: in the middle of an optimizer step, too."""

        def on_child(number, frame):
            if self.is_busy or self.asked is not None:
                self._late = lambda: handler(number, None)
            else:
                handler(number, frame)

        self._on_child, self._torchs = on_child, handler
        signal.signal(signal.SIGCHLD, on_child)

    def close(self):
        """The handlers of before; those that were set over these since stay."""
        for number, previous in self._previous.items():
            if signal.getsignal(number) == self._ask:
                signal.signal(number, signal.SIG_DFL if previous is None else previous)
        if self._on_child is not None and signal.getsignal(signal.SIGCHLD) is self._on_child:
            signal.signal(signal.SIGCHLD, self._torchs)
        self._previous = {}
