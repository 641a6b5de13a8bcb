"""One after the other: what measures at the same time on a machine measures the other's work, too."""

import fcntl
import os
from contextlib import contextmanager


def lock_path():
    """Of this user on this machine, whatever project asks."""
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if folder and os.path.isdir(folder):
        return os.path.join(folder, "batchscope.lock")
    return f"/tmp/batchscope-{os.getuid()}.lock"


@contextmanager
def held(path, waits=True):
    """Holds a lock on a file, which the kernel takes back from a process that dies; yields whether it is held.

    Raises OSError where the file cannot be made.
    """
    # No link of somebody else's is followed in a folder for all.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield _locked(descriptor, waits)
    finally:
        os.close(descriptor)


def _locked(descriptor, waits):
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


@contextmanager
def turn():
    """Waits until no other test measures."""
    with held(lock_path()):
        yield
