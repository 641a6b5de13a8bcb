"""One training at a time writes into a folder."""

import errno
import fcntl

from batchscope._errors import UsageError


class FolderLock:
    """Held until close(), or until the process ends in whatever way; workers that outlive it do not hold it."""

    def __init__(self, folder):
        self._file = open(folder / ".lock", "a")
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as raised:
            if raised.errno in (errno.EACCES, errno.EAGAIN):
                self._file.close()
                raise UsageError(f"another training uses the checkpoint folder {folder}: wait for its end, or choose another "
                                 "folder") from None
            # A file system without locks has none.

    def close(self):
        self._file.close()
