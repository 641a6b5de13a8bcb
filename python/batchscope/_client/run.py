"""Runs: files of measurements, and what the verbs that read them return."""

from __future__ import annotations

import json
import os

from batchscope._client.analysis import Analysis
from batchscope._client.arguments import words_for
from batchscope._client.program import call
from batchscope._errors import InputError, no_json

_RESULTS = (0, 4, 5, 6)  # gates that were asked for end in these; none is an error


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        raise no_json(text) from None


def last_line(path, most=1 << 20):
    """The last complete line of a run file as an object; {} where that is torn."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - most))
            return json.loads(file.read().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return {}


class Run:
    """A run file. One that no output was named for is temporary: it goes when this object does."""

    def __init__(self, path, folder=None):
        self.path = os.path.abspath(path)
        # What a temporary file, and pickles of models, live in.
        self._folder = folder
        self._analyzed = (None, None)

    @property
    def partial(self) -> bool:
        """Whether it was interrupted or killed: resume=True goes on with it."""
        end = last_line(self.path)
        return end.get("type") != "end" or end.get("reason") == "interrupted"

    def analyze(self, *against: Run | str, **flags) -> Analysis:
        """What `batchscope analyze` says; keywords are its flags (latency_budget=0.2, fail_on="high").

        Other runs are compared with this one. A gate that fails is a result: see `exit_code` and `gates` of what
        comes back.
        """
        state = self._state()
        if not flags and not against and self._analyzed[0] == state:
            return self._analyzed[1]
        paths = [self.path, *(os.fspath(each) for each in against)]
        # Before the paths: a flag whose value is optional would take one.
        done = call(["analyze", *words_for("analyze", flags), "--format", "json", "-q", "--", *paths],
                    accepted=_RESULTS)
        analysis = Analysis(parsed(done.printed), done.code)
        if not flags and not against:
            self._analyzed = (state, analysis)
        return analysis

    def _state(self):
        try:
            found = os.stat(self.path)
        except OSError as raised:
            raise InputError(f"{self.path}: cannot read the file: {raised.strerror} (check the path)") from None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def report(self, output: str | os.PathLike, **flags) -> str:
        """Writes all of it on one page, FILE.html or FILE.md; returns the page's path. Keywords are report's flags."""
        call(["report", self.path, *words_for("report", {"output": output, **flags})])
        return os.path.abspath(output)

    def keep(self, path: str | os.PathLike, overwrite: bool = False) -> Run:
        """A copy of the file at `path`, for a run that is only temporary."""
        import shutil

        from batchscope._errors import UsageError

        if os.path.exists(path) and not overwrite:
            raise UsageError(f"{os.fspath(path)}: the file exists already (choose another, or pass overwrite=True)")
        return Run(shutil.copyfile(self.path, path))

    def __fspath__(self):
        return self.path

    def __str__(self):
        return str(self.analyze())

    def __repr__(self):
        return f"<batchscope.Run {self.path}{', interrupted' if self.partial else ''}>"

    def _repr_html_(self):
        return self.analyze()._repr_html_()
