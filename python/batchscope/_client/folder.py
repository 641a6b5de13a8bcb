"""A temporary folder that lives as long as the object it belongs to."""

import os
import shutil
import tempfile
import weakref


def _remove(path, made_by):
    # A process that was forked off has this object too, and it is not its folder.
    if os.getpid() == made_by:
        shutil.rmtree(path, ignore_errors=True)


class Folder:
    """Made when it is first asked for its path; removed with this object, or at exit, unless it is kept."""

    def __init__(self):
        self._path, self._remove = None, None

    def path(self):
        if self._path is None:
            self._path = tempfile.mkdtemp(prefix="batchscope-")
            self._remove = weakref.finalize(self, _remove, self._path, os.getpid())
        return self._path

    def file(self, name):
        return os.path.join(self.path(), name)

    def keep(self):
        if self._remove is not None:
            self._remove.detach()

    def remove(self):
        if self._remove is not None:
            self._remove()
