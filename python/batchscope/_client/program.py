"""Where the program is, and what it is given to run in."""

import functools
import os
import signal
import site
import subprocess
import sys
from dataclasses import dataclass

from batchscope._errors import MeasurementError, UsageError, error_after

VARIABLE = "BATCHSCOPE_PROGRAM"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _runs(path):
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _is_native(path):
    # The console script of this package has the same name; it would find itself and start for ever.
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def _on_path():
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, "batchscope")
        if folder and _runs(path) and os.access(path, os.R_OK) and _is_native(path):
            return path
    return None


def find_program():
    """The path of the program. Raises UsageError where BATCHSCOPE_PROGRAM names none, MeasurementError without any."""
    named = os.environ.get(VARIABLE)
    if named:
        if not _runs(named):
            raise UsageError(f"{VARIABLE}: {named} is not an executable program (set it to the file batchscope, or "
                             f"unset it)")
        return os.path.abspath(named)
    packed = os.path.join(_PACKAGE, "bin", "batchscope")
    found = packed if _runs(packed) else _on_path()
    if found is None:
        raise MeasurementError(f"the program batchscope is not installed (searched {os.path.dirname(packed)} and PATH; "
                               f"run pip install ., or set {VARIABLE} to your build, such as "
                               f"build/release/bin/batchscope)")
    return found


def _own_folders():
    """What any fresh interpreter has on its path; it must not come before the standard library there."""
    standard = os.path.dirname(os.path.abspath(os.__file__))
    return {standard, os.path.join(standard, "lib-dynload"), *site.getsitepackages(), site.getusersitepackages()}


def importable(entries):
    """PYTHONPATH with which a fresh interpreter imports what this one can."""
    own = _own_folders()
    here = [os.path.abspath(entry) for entry in entries if os.path.exists(entry or ".")]
    typed = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    # Where the package itself lies is needed by all that is started.
    everything = [*here, *typed, os.path.dirname(_PACKAGE)]
    return os.pathsep.join(dict.fromkeys(entry for entry in everything if entry not in own))


def environment(entries=None):
    """Of the program: the user's own, this interpreter for models in Python, and what it can import."""
    path = importable(sys.path if entries is None else entries)
    return {**os.environ, "BATCHSCOPE_PYTHON": sys.executable, **({"PYTHONPATH": path} if path else {})}


@dataclass
class Done:
    """A call of the program that has ended."""

    code: int
    printed: str
    stderr: str


def call(words, accepted=(0,), given=""):
    """Runs the program to its end, without progress; it reads what is given. Raises Error for an exit code that is not
    among the accepted."""
    done = subprocess.run([find_program(), *words], env=environment(), input=given, capture_output=True,
                          encoding="utf-8", errors="replace", check=False)
    if done.returncode not in accepted:
        raise error_after(done.returncode, done.stderr)
    return Done(done.returncode, done.stdout, done.stderr)


@functools.lru_cache(maxsize=8)
def version_of(program):
    """As the program says it: "0.1.0"."""
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]


def main():
    """Becomes the program, with the arguments of this process: exit code and signals are the program's own."""
    try:
        program = find_program()
    except (UsageError, MeasurementError) as raised:
        print(f"error: {raised}", file=sys.stderr)
        raise SystemExit(2 if isinstance(raised, UsageError) else 1) from None
    # Python ignores these two, and what it becomes would go on to.
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)
    # The first entry is the folder of the script, which nobody asked for.
    surroundings = environment(sys.path[1:])
    surroundings["BATCHSCOPE_PYTHON"] = os.environ.get("BATCHSCOPE_PYTHON") or sys.executable
    os.execve(program, [program, *sys.argv[1:]], surroundings)
