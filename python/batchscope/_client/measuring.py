"""One measuring call of the program: models carried, progress shown, the run file kept or temporary."""

import os
from dataclasses import dataclass

from batchscope._client import carry, child, isolation, progress
from batchscope._client.arguments import words_for
from batchscope._client.folder import Folder
from batchscope._client.program import call
from batchscope._client.run import Run
from batchscope._errors import UsageError, error_after
from batchscope._models.adapters import PREFIXES


@dataclass
class Job:
    """`verb` as the user calls it, `command` of the program that does it."""

    verb: str
    command: str
    models: list
    keywords: dict
    output: object = None
    progress: bool = True
    before: tuple = ()  # words in front: what the verb is narrowed to
    output_flag: str = "-o"
    accepted: tuple = (0,)
    labels: tuple = ()  # one for each model, where their names are alike

    def __post_init__(self):
        self.folder = Folder()
        self.path = os.path.abspath(self.output) if self.output is not None else None

    def words(self):
        """Without the output. Raises UsageError."""
        words = [self.command, *self.before]
        begun = carry.pickles_of(self.path) if self.path and self.keywords.get("resume") else {}
        labels = self.labels if self.labels and carry.share_a_name(self.models) else [""] * len(self.models)
        for model, label in zip(self.models, labels):
            words += ["-m", carry.name_for_program(model, self.folder.path, label, begun)]
        quiet = [] if self.progress else ["-q"]
        return words + words_for(self.command, self.keywords, self.verb) + quiet

    def output_path(self):
        if self.path is None:
            self.path = self.folder.file(f"{self.verb}.jsonl")
        return self.path


def preview(job):
    """What --dry-run says of it, as an object."""
    from batchscope._client.outcomes import Preview
    from batchscope._client.run import parsed

    try:
        return Preview.of(parsed(call([*job.words(), "--format", "json"]).printed))
    finally:
        job.folder.remove()


def _interrupted(job, run):
    if run is None:
        return KeyboardInterrupt("interrupted before the first measurement; there is no run file")
    job.folder.keep()
    path = run.path
    stop = KeyboardInterrupt(f"interrupted; everything measured so far is in {path}: bs.load({path!r}) reads it, "
                             f"bs.{job.verb}(resume=True, output={path!r}) continues it")
    stop.run = run
    return stop


def measure(job, printed=None):
    """The Run that the program wrote, and its exit code. Raises Error, and KeyboardInterrupt after Ctrl-C."""
    try:
        return _measured(job, printed)
    except BaseException as raised:
        # Whoever shows the error holds on to the job, too.
        if getattr(raised, "run", None) is None:
            job.folder.remove()
        raise


def _measured(job, printed):
    words = job.words()
    path, shown = job.output_path(), progress.screen()
    code, stderr, interrupted = child.run([*words, job.output_flag, path], shown, printed)
    run = Run(path, job.folder) if os.path.exists(path) else None
    if interrupted:
        raise _interrupted(job, run)
    if code not in job.accepted:
        error = error_after(code, stderr)
        # A file that was there before this call is not of this call.
        error.run = run if code != 2 else None
        raise error
    return run, code


def is_for_this_process(job):
    """Whether isolation="none" means this process, where the models are: the program has its own engines for files."""
    adapted = [each for each in job.models if isinstance(each, str) and each.startswith(PREFIXES)]
    if adapted:
        raise UsageError(f'{job.verb}(): {adapted[0]} needs fresh processes (omit isolation="none", or pass the object)')
    return any(carry.is_object(each) for each in job.models)


def measure_here(job):
    """The same in this very process, for isolation="none" of objects."""
    try:
        models = [carry.object_of(each) for each in job.models]
        isolation.profile(models, job.output_path(), job.keywords)
    except BaseException as raised:
        if not os.path.exists(job.output_path()):
            job.folder.remove()
        elif isinstance(raised, KeyboardInterrupt):
            job.folder.keep()
            raised.run = Run(job.path)
        raise
    return Run(job.path, job.folder)
