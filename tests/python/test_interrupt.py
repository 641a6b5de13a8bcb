"""Ctrl-C, and what becomes of the child where this process dies."""

import os
import re
import select
import signal
import sys
import threading

import pytest

import batchscope as bs

# Measures until a signal comes, and counts the signals; writes what it got at the end of its run file.
WAITS = """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    with open(output, "w") as run:
        print('{"type": "header"}', file=run)
    print(f"block 1/12 {os.getpid()} {os.getsid(0)}", file=sys.stderr, flush=True)
    got = signal.sigwait({signal.SIGINT, signal.SIGTERM})
    with open(output, "a") as run:
        more = len(signal.sigpending())
        print('{"type": "end", "reason": "interrupted", "signal": "%s", "more": %d}' % (got.name, more), file=run)
    print("warning: interrupted", file=sys.stderr)
    sys.exit(130)
"""

PROFILES = """
    import os, sys
    import batchscope as bs
    print(os.getsid(0), flush=True)
    try:
        bs.profile("anything", batch_sizes=1, output={output})
    except KeyboardInterrupt as stop:
        print(stop)
        print(stop.run.path, stop.run.partial)
        print(open(stop.run.path).read())
"""


LONG_S = 60  # far more than it takes, so that what never comes is a failure


def started(process):
    """Its first lines: the session of the caller, and process and session of the child once it measures."""
    caller = process.stdout.readline().strip()
    return caller, *next(line for line in process.stderr if line.startswith("block 1/12")).split()[-2:]


def test_ctrl_c_keeps_what_was_measured_and_says_where(fake, script, tmp_path):
    process = script(PROFILES.format(output="'run.jsonl'"), BATCHSCOPE_PROGRAM=fake("profile", WAITS))
    started(process)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate()
    path = str(tmp_path / "run.jsonl")
    assert printed.splitlines()[0] == (f"interrupted; everything measured so far is in {path}: bs.load({path!r}) reads "
                                    f"it, "
                                    f"bs.profile(resume=True, output={path!r}) continues it")
    assert printed.splitlines()[1] == f"{path} True"
    assert '"signal": "SIGINT", "more": 0' in printed


def test_the_terminals_ctrl_c_does_not_reach_the_child_as_well(fake, script):
    """A second signal would make it leave before its file is whole."""
    process = script(PROFILES.format(output="'run.jsonl'"), BATCHSCOPE_PROGRAM=fake("profile", WAITS))
    caller, _, child = started(process)
    assert caller != child
    process.send_signal(signal.SIGINT)
    process.communicate()


def test_a_temporary_file_is_kept_when_it_is_interrupted(fake, script):
    process = script(PROFILES.format(output="None"), BATCHSCOPE_PROGRAM=fake("profile", WAITS))
    started(process)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate()
    path = printed.splitlines()[1].split()[0]
    try:
        assert bs.Run(path).partial
    finally:
        os.unlink(path)
        os.rmdir(os.path.dirname(path))


def test_before_anything_was_measured_no_file_is_promised(fake, monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("profile", "sys.exit(130)"))
    with pytest.raises(KeyboardInterrupt, match="there is no run file"):
        bs.profile("anything", progress=False)


def test_an_own_handler_is_back_afterwards(fake, monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("profile", "os.kill(os.getppid(), signal.SIGINT); sys.exit(130)"))
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        bs.profile("anything", progress=False)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_child_does_not_outlive_a_process_that_is_killed(fake, script, tmp_path):
    process = script(PROFILES.format(output="'run.jsonl'"), BATCHSCOPE_PROGRAM=fake("profile", WAITS))
    _, child, _ = started(process)
    end = os.pidfd_open(int(child))
    process.kill()
    ended, _, _ = select.select([end], [], [], LONG_S)
    os.close(end)
    assert ended
    assert '"signal": "SIGTERM"' in (tmp_path / "run.jsonl").read_text()


def test_a_child_that_leaves_a_process_behind_is_not_waited_for(fake, monkeypatch, tmp_path):
    """What it started holds the other end of the pipe."""
    os.mkfifo(tmp_path / "hold")
    body = """
        if os.fork() == 0:
            open("hold").read()
            os._exit(0)
        print("error: done", file=sys.stderr)
        sys.exit(3)
    """
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("profile", body))
    let_go = threading.Timer(LONG_S, lambda: open(tmp_path / "hold", "w").close())
    let_go.start()
    with pytest.raises(bs.InputError, match="done"):
        bs.profile("anything")
    assert let_go.is_alive()
    let_go.cancel()
    with open(tmp_path / "hold", "w"):
        pass  # lets it go


def test_a_thread_leaves_signals_alone(fake, monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("profile", 'print("error: no", file=sys.stderr); sys.exit(1)'))
    raised = []

    def measure():
        with pytest.raises(bs.MeasurementError) as error:
            bs.profile("anything", progress=False)
        raised.append(str(error.value))

    worker = threading.Thread(target=measure)
    worker.start()
    worker.join()
    assert raised == ["no"]


@pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals as Linux has them")
def test_in_a_terminal_the_programs_own_lines_appear(fake, tmp_path):
    """All of it once through a real pseudo-terminal, with Ctrl-C typed there."""
    import pty

    path = tmp_path / "on_terminal.py"
    path.write_text("import batchscope as bs\ntry:\n    bs.profile('anything', output='run.jsonl')\n"
                    "except KeyboardInterrupt as stop:\n    print('stopped:', stop.run.partial)\n")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["BATCHSCOPE_PROGRAM"] = fake("profile", WAITS)
        os.execv(sys.executable, [sys.executable, str(path)])
    printed = b""
    while b"block 1/12" not in printed:
        printed += os.read(terminal, 1 << 16)
    os.write(terminal, b"\x03")
    while not re.search(rb"stopped: \w+\r\n", printed):
        printed += os.read(terminal, 1 << 16)
    os.close(terminal)
    os.waitpid(child, 0)
    assert b"stopped: True" in printed
    assert '"signal": "SIGINT", "more": 0' in (tmp_path / "run.jsonl").read_text()
