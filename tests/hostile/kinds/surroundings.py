"""What a program usually takes for granted: descriptors, room on the disk, a terminal's variables, a folder to write to."""

import os
import shutil
import subprocess

from ..tries import Try
from . import readers

_PROFILE = ["profile", "-m", "synthetic:affine:2ms,1ms", "-b", "1,2,4", "--blocks", "4", "--iterations", "20", "--warmup", "2", "--seed", "1"]
_WORKERS = [["--isolation", "none"], ["--isolation", "block"], ["--memory-limit", "1GiB"]]


def _files(corpus):
    return {"run.jsonl": corpus.runs["plain"], "table.csv": corpus.tables["wide"], "times.txt": corpus.arrivals["times"]}


def _command(rng, output=None):
    """A command, and whether it starts workers; `output` is where it is told to write."""
    way = rng.random()
    if way < 0.35:
        return [*_PROFILE, *rng.choice(_WORKERS), "-o", output or "new.jsonl"]
    if way < 0.5:
        return ["import", "table.csv", "-o", output or "new.jsonl"]
    if way < 0.6:
        return ["report", "run.jsonl", "-o", output or rng.choice(["out.html", "out.md"])]
    arguments = rng.choice([readers.analyze, readers.plan])(rng, "run.jsonl")
    return [*arguments, *(["-o", output] if output and "-o" not in arguments else [])]


def _descriptors(rng, corpus):
    closed = rng.randrange(1, 8)
    after = " ".join(text for bit, text in ((1, "<&-"), (2, ">&-"), (4, "2>&-")) if closed & bit)
    return Try(f"closed descriptors: {after}", _command(rng), _files(corpus), after=after, printed_nowhere=bool(closed & 4))


def _open_files(rng, corpus):
    number = rng.choice([4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 32])
    return Try(f"at most {number} descriptors", _command(rng), _files(corpus), prelude=[f"ulimit -n {number}"])


def _file_size(rng, corpus):
    blocks = rng.choice([0, 1, 2, 4, 8, 12, 16])
    return Try(f"files of at most {512 * blocks} bytes", _command(rng), _files(corpus), prelude=[f"ulimit -f {blocks}"], printed_nowhere=True)


def _processes_memory(rng, corpus):
    limit = rng.choice(["ulimit -v 40000", "ulimit -v 100000", "ulimit -d 10000", "ulimit -s 128", "ulimit -t 1", "ulimit -l 0", "ulimit -c 0"])
    return Try(limit, _command(rng), _files(corpus), prelude=[limit], unlimited_memory=True)


def _may_mount():
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    probe = "mount -t tmpfs -o size=16k none /mnt"
    return subprocess.run(["unshare", "-m", "sh", "-c", probe], capture_output=True, check=False).returncode == 0


_MOUNTS = _may_mount()


def _disk(rng, corpus):
    """A disk of its own, which nothing else sees: full after a few kilobytes, or for reading only."""
    if not _MOUNTS:
        return _file_size(rng, corpus)
    size = rng.choice(["size=4k", "size=8k", "size=16k", "nr_inodes=2", "ro", "ro"])
    name = rng.choice(["disk/new.jsonl", "disk/new.jsonl", "disk/folder/new.jsonl"])
    one = Try(f"a disk with {size}", _command(rng, name), _files(corpus))
    # All in one shell of its own name space; the shell's standard output is opened before.
    one.around = f"unshare -m sh -c 'mkdir -p disk && mount -t tmpfs -o {size} none disk && exec \"$0\" \"$@\"'"
    return one


def _outputs(rng, corpus):
    after, what = rng.choice([(">/dev/full", "standard output is full"), (">/dev/full 2>/dev/full", "both outputs are full"), ("2>/dev/full", "standard error is full"),
                              ("</dev/zero", "standard input never ends"), ("<.", "standard input is a folder"), ("| head -c 10", "nobody reads on"),
                              ("2>&1 | true", "nobody reads at all")])
    printed_nowhere = "2>" in after
    if "|" in after:  # a shell gives the code of the last of a pipe: all that is judged is that it ends
        return Try(what, _command(rng), _files(corpus), after=after, closing=["true"], printed_nowhere=True)
    return Try(what, _command(rng), _files(corpus), after=after, printed_nowhere=printed_nowhere)


def _places(rng, corpus):
    place, prelude = rng.choice([("/dev/full", []), (".", []), ("folder", ["mkdir folder"]), ("loop", ["ln -s loop loop"]), ("absent/below/new.jsonl", []),
                                 ("run.jsonl/new.jsonl", []), ("dangling", ["ln -s absent dangling"]), ("", []), ("/dev/null", []), ("/", []),
                                 ("/proc/self/status", []), ("fifo", ["mkfifo fifo"]), ("run.jsonl", []), ("link", ["ln run.jsonl link"]),
                                 ("same.jsonl", ["ln -s run.jsonl same.jsonl"]), ("a" * 300, []), ("/".join(["d"] * 3000), [])])
    # A device takes --overwrite well; the files of others must not.
    more = ["--overwrite"] if rng.random() < 0.3 and place not in ("run.jsonl", "link", "same.jsonl", "dangling") else []
    return Try(f"output to {place[:30]!r}", [*_command(rng, place), *more], _files(corpus), prelude=prelude)


def _inputs(rng, corpus):
    place, prelude = rng.choice([("/dev/null", []), (".", []), ("loop", ["ln -s loop loop"]), ("fifo", ["mkfifo fifo"]), ("/dev/zero", []), ("", []),
                                 ("/proc/self/mem", []), ("-", []), ("absent", []), ("run.jsonl/x", []), ("/dev/stdin", []), ("/dev/full", [])])
    arguments = rng.choice([readers.analyze(rng, place), readers.plan(rng, place), readers.replay(rng, place), ["import", place, "-o", "new.jsonl"],
                            ["plan", "run.jsonl", "--arrivals", f"file:{place}"], ["profile", "--config", place, "--dry-run"],
                            [*_PROFILE, "--seq-lens", f"file:{place}", "--dry-run"]])
    return Try(f"input from {place!r}", arguments, _files(corpus), prelude=prelude)


def _variables(rng, corpus):
    variable = rng.choice(["TMPDIR=/dev/null", "TMPDIR=absent", "TMPDIR=", "HOME=", "HOME=absent", "PATH=", "PATH=/nowhere", "XDG_STATE_HOME=/dev/null", "LANG=xx",
                           "LC_ALL=de_DE.UTF-8", "TERM=", "COLUMNS=0", "COLUMNS=-1", "COLUMNS=99999999999", "NO_COLOR=1", "OMP_NUM_THREADS=many",
                           "CUDA_VISIBLE_DEVICES=nonsense", "BATCHSCOPE_MODELS=/dev/null", "BATCHSCOPE_PLUGIN_PATH=/dev/null", "BATCHSCOPE_PLUGIN_PATH=absent"])
    around = rng.choice([f"env {variable}", f"env {variable}", f"env -i {variable}", "env -i"])
    return Try(around, _command(rng), _files(corpus), around=around)


def make(rng, corpus):
    return rng.choice([_descriptors, _descriptors, _open_files, _file_size, _processes_memory, _disk, _disk, _outputs, _places, _places, _inputs, _variables])(
        rng, corpus)
