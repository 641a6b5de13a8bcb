"""What a try did to files, and what it left behind."""

import os
import pathlib
import re

from . import judge
from .execute import FOLDERS
from .tries import as_bytes


def snapshot(folder):
    """Every file below the working folder, with its bytes; other things as None."""
    found, top = {}, os.fsencode(folder / "cwd")
    for where, _, files in os.walk(top):
        for name in files:
            path = os.path.join(where, name)
            regular = os.path.isfile(path) and not os.path.islink(path)
            found[os.path.relpath(path, top)] = pathlib.Path(os.fsdecode(path)).read_bytes() if regular else None
    return found


def _shown(name):
    return name.decode(errors="backslashreplace")[:80]


def _complete_lines(data):
    return data[: data.rfind(b"\n") + 1]


def _added(before, after):
    """The lines that are new. A torn line that was there before may be ended, and is none of them."""
    full = _complete_lines(before)
    if not after.startswith(full):
        return after
    torn, new = before[len(full):], after[len(full):]
    return new[len(torn) + 1:] if torn and new.startswith(torn + b"\n") else new


def _inputs(one, before, after):
    writes, extends = ({as_bytes(name) for name in names} for names in (one.writes, one.extends))
    for name, data in before.items():
        if name in writes or after.get(name, b"") == data and name in after:
            continue
        if name not in after:
            yield f"{_shown(name)} is gone"
        elif name not in extends:
            yield f"{_shown(name)} was changed"
        elif not after[name].startswith(_complete_lines(data)):
            yield f"{_shown(name)} lost lines that were there"


def _as_written(one, name):
    """Of the verbs that write no run file, the name says nothing of the format."""
    no_run_file = one.arguments[:1] in (["analyze"], ["compare"], ["trend"], ["report"], ["plan"])
    return b"" if name.endswith(b".jsonl") and no_run_file else name


def changes(one, folder, before):
    """Violations of what happened to files."""
    after = snapshot(folder)
    yield from _inputs(one, before, after)
    if b"pwned" in after:
        yield "a command of the input was executed"
    for name, data in after.items():
        if data is not None and (name not in before or before[name] != data):
            yield from judge.written(_as_written(one, name), _added(before.get(name) or b"", data))


def around(folder, killed):
    """Violations of what is beside the working folder. What is killed cannot tidy up."""
    for name in sorted(os.listdir(folder)):
        if name not in FOLDERS and not re.match(r"(command|stdout|stderr)\d", name):
            yield f"{name[:80]!r} was written outside the working folder"
    left = os.listdir(folder / "tmp")
    if left and not killed:
        yield f"a temporary file is left behind: {re.sub(r'[A-Za-z0-9]{6}$', 'XXXXXX', left[0])}"


def cgroups():
    """The groups that batchscope made and nobody is in."""
    found = set()
    for where, folders, _ in os.walk("/sys/fs/cgroup"):
        found |= {os.path.join(where, name) for name in folders if re.fullmatch(r"batchscope-\d+-.*", name)}
    return {path for path in found if not _owner_lives(path)}


def _owner_lives(path):
    return os.path.exists(f"/proc/{re.search(r'batchscope-([0-9]+)-', path).group(1)}")
