"""Runs a try in a folder of its own, with a deadline, and leaves everything there to run it again."""

import ctypes
import os
import shlex
import signal
import subprocess

from . import moments
from .tries import Outcome, as_bytes

_PR_SET_CHILD_SUBREAPER = 36
FOLDERS = ("cwd", "tmp", "state", "home")


def adopt_orphans():
    """What a try leaves running becomes a child of this process, which thereby sees it."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _quoted(word):
    return b"'" + as_bytes(word).replace(b"'", b"'\\''") + b"'"


def script(program, one, folder, limits):
    """The shell script that repeats the try as it was."""
    lines = [b"#!/bin/sh", b"cd " + _quoted(folder / "cwd") + b" || exit 99", b"export TMPDIR=" + _quoted(folder / "tmp"),
             b"export XDG_STATE_HOME=" + _quoted(folder / "state") + b" HOME=" + _quoted(folder / "home")]
    if limits.get("memory_kb") and not one.unlimited_memory:
        lines.append(b"ulimit -v %d" % limits["memory_kb"])
    lines += [as_bytes(line) for line in one.prelude]
    # A shell that only waits would have to be told apart from what it runs.
    execute = b"" if one.closing else b"exec "
    command = b" ".join([as_bytes(one.around), _quoted(program), *map(_quoted, one.arguments)]).strip()
    lines.append(execute + command + b" " + as_bytes(one.after))
    if one.closing:
        lines += [b"code=$?", *map(as_bytes, one.closing), b"exit $code"]
    return b"\n".join(lines) + b"\n"


def lay_out(one, folder):
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, data in one.files.items():
        path = os.path.join(os.fsencode(folder / "cwd"), as_bytes(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


class _Expired(Exception):
    pass


def _expire(*_):
    raise _Expired


def _wait(process, seconds):
    """The exit code, or None once the seconds have passed."""
    signal.signal(signal.SIGALRM, _expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return process.wait()
    except _Expired:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def reap(seconds, others):
    """The processes left behind that are still there after so long; they are killed. `others` were there before."""
    signal.signal(signal.SIGALRM, _expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    left = {}
    try:
        while left := {pid: name for pid, name in children().items() if pid not in others}:
            os.waitpid(next(iter(left)), 0)
        return []
    except _Expired:
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        reap(5, others)
        return sorted(left.items())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def children():
    """Their names by process id."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    name, fields = file.read().rsplit(b")", 1)
            except OSError:
                continue
            if int(fields.split()[1]) == os.getpid():
                found[int(entry)] = name.split(b"(", 1)[1].decode(errors="replace")
    return found


def patience(seconds):
    """The deadline, longer where other work leaves a command only its share of the processors."""
    waiting = os.getloadavg()[0] / len(os.sched_getaffinity(0))
    return seconds * min(max(waiting, 1), 3)


def run(program, one, folder, limits, step=0):
    """(Outcome, processes left behind)"""
    seconds = patience(limits["seconds"])
    others = children()
    lay_out(one, folder)
    path = folder / f"command{step}.sh"
    path.write_bytes(script(program, one, folder, limits))
    names = folder / f"stdout{step}", folder / f"stderr{step}"
    sent = False
    with open(names[0], "wb") as out, open(names[1], "wb") as err:
        watch = moments.Watch(folder / "cwd", one.interruption) if one.interruption else None
        process = subprocess.Popen(["/bin/sh", path], stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        if watch:
            sent = watch.wait_and_send(process, seconds)
        code = _wait(process, seconds)
        if code is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    # A worker whose parent was killed notices by itself, but needs a moment.
    left = reap(5 if code is not None else 0.5, others)
    return Outcome(code, names[0].read_bytes(), names[1].read_bytes(), sent), left if code is not None else []


def spoken(program, one):
    """The command in one line, as a person would type it."""
    words = [str(program), *(as_bytes(word).decode("utf-8", "backslashreplace")[:200] for word in one.arguments)]
    return " ".join([*one.prelude, one.around, shlex.join(words), one.after]).strip()
