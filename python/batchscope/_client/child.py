"""The measuring program as a child: what it says is shown, Ctrl-C ends it, and it does not outlive this process."""

import codecs
import functools
import os
import select
import shutil
import signal
import subprocess
import threading
from contextlib import contextmanager

from batchscope._client import progress
from batchscope._client.program import environment, find_program

INTERRUPTED = 130
_TAIL = 1 << 16


@functools.lru_cache(maxsize=1)
def _tether():
    """What lets the kernel end the child with this process, also when that is killed: it stops as by Ctrl-C then.

    A function run between fork and exec would do it, too, and is not safe where there are threads.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    words = (setpriv, "--pdeathsig", "TERM", "--")
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else ()


class Interruption:
    """Whether Ctrl-C came while the child ran."""

    def __init__(self):
        self.came, self.pending, self.child = False, False, None

    def pass_on(self, number, frame):
        # One signal each: at a second the program leaves without having written its end, so a user has to want that.
        self.came = True
        if self.child is None:
            self.pending = True
        else:
            self.child.send_signal(signal.SIGINT)

    def of(self, child):
        self.child = child
        if self.pending:
            child.send_signal(signal.SIGINT)


@contextmanager
def _passing_on(interruption):
    """Ctrl-C goes to the child for the time being; only the main thread can have that."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, interruption.pass_on)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _start(words, writing, printed):
    # A session of its own: the terminal's Ctrl-C would reach it as well, and a second signal is the impatient one.
    return subprocess.Popen([*_tether(), find_program(), *words], env=environment(), stdin=subprocess.DEVNULL,
                            stdout=printed or subprocess.DEVNULL, stderr=writing, start_new_session=True)


def _chunk(reading):
    try:
        return os.read(reading, _TAIL)
    except OSError:
        return b""  # how a pseudo-terminal says that nobody writes any more


def _chunks(reading, child):
    """What the child says, until it has ended: what it leaves behind may hold its end of the pipe for ever."""
    ended = os.pidfd_open(child.pid)
    try:
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        poll.register(ended, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in poll.poll()}
            chunk = _chunk(reading) if reading in ready else b""
            if not chunk and (reading in ready or ended in ready):
                return
            yield chunk
    finally:
        os.close(ended)


class Listener:
    """Decodes what the child says, shows it, and remembers the end of it."""

    def __init__(self, shown):
        self.shown, self.printed, self.rest = shown, "", ""
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def feed(self, chunk):
        text = self.decode(chunk)
        self.printed = (self.printed + text)[-_TAIL:]
        if isinstance(self.shown, progress.Terminal):
            self.shown.feed(text)
            return
        lines, newline, self.rest = (self.rest + text).rpartition("\n")
        if newline:
            self.shown.feed(lines + newline)

    def end(self):
        if self.rest:
            self.shown.feed(self.rest)
        self.shown.end()


def _listen(reading, child, listener):
    try:
        for chunk in _chunks(reading, child):
            listener.feed(chunk)
    finally:
        os.close(reading)
        listener.end()


def _run(words, interruption, listener, printed):
    reading, writing = progress.open_channel(listener.shown)
    try:
        child = _start(words, writing, printed)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    interruption.of(child)
    with child:
        try:
            _listen(reading, child, listener)
        except BaseException:
            child.terminate()  # an error of the display, or of another thread's making
            raise
        return child.wait()


def run(words, shown, printed=None):
    """Runs the program, its results going into the file `printed`. Returns (exit code, what it printed, interrupted)."""
    interruption, listener = Interruption(), Listener(shown)
    with _passing_on(interruption):
        code = _run(words, interruption, listener, printed)
    return code, listener.printed, interruption.came or code == INTERRUPTED
