"""Waits for a file to hold so many lines, told by the kernel instead of by the clock, and sends a signal then."""

import ctypes
import os
import select

_IN_MODIFY, _IN_CREATE = 0x2, 0x100


class Watch:
    """Must be made before the process starts, so that nothing it writes goes unseen."""

    def __init__(self, folder, interruption):
        self.path, self.interruption = folder / interruption.file, interruption
        folder.mkdir(parents=True, exist_ok=True)
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if self.descriptor < 0 or libc.inotify_add_watch(self.descriptor, os.fsencode(folder), _IN_MODIFY | _IN_CREATE) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def _lines(self):
        try:
            return self.path.read_bytes().count(b"\n")
        except FileNotFoundError:
            return 0

    def wait_and_send(self, process, seconds):
        """Whether the signal was sent before the process had ended."""
        ended = os.pidfd_open(process.pid)
        poll = select.poll()
        poll.register(ended, select.POLLIN)
        poll.register(self.descriptor, select.POLLIN)
        try:
            while self._lines() < self.interruption.lines:
                ready = [descriptor for descriptor, _ in poll.poll(seconds * 1000)]
                if not ready or ended in ready:
                    return False
                os.read(self.descriptor, 1 << 16)
            process.send_signal(self.interruption.signal)
            return True
        finally:
            os.close(ended)
            os.close(self.descriptor)
