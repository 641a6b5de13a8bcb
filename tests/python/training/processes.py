"""Trainings in processes of their own: forked by a server that has imported torch once."""

import multiprocessing.connection
import os
import pathlib
import select
import signal
import time

import ranked
import trained

FOLDER = os.path.dirname(os.path.abspath(__file__))
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["ranked", "trained"])


def _run(connection, die_at, signal_at, keywords):
    os.setsid()
    if die_at:
        trained.send_at(signal.SIGKILL, *die_at)
    if signal_at:
        trained.send_at(signal.SIGTERM, *signal_at)
    trained.train(**keywords, report=connection.send)


def _start(target, *arguments):
    """(process, what it sends)."""
    # For the server, which this starts if there is none.
    os.environ["PYTHONPATH"] = os.pathsep.join([FOLDER, os.environ.get("PYTHONPATH", "")])
    here, there = CONTEXT.Pipe()
    process = CONTEXT.Process(target=target, args=(there, *arguments))
    process.start()
    there.close()
    return process, here


def ranks(size, scene, folder):
    """What each rank of a scene of ranked.py found, or its exit code where it found nothing."""
    started = [_start(ranked.run, scene, rank, size, folder) for rank in range(size)]
    answers = []
    for process, here in started:
        try:
            answers.append(here.recv())
        except EOFError:
            process.join()
            answers.append(process.exitcode)
    for process, _ in started:
        process.join()
    return answers


class Training:
    """A process that trains; its steps are told as they begin."""

    def __init__(self, die_at=None, signal_at=None, **keywords):
        self.process, self._here = _start(_run, die_at, signal_at, keywords)

    def report(self):
        """The next text that it reports, or None where it has ended: workers that outlive it for a while hold the connection."""
        multiprocessing.connection.wait([self._here, self.process.sentinel])
        try:
            return self._here.recv() if self._here.poll() else None
        except EOFError:
            return None

    def signal_group(self, number):
        os.killpg(self.process.pid, number)

    def end(self):
        """(exit code, what it reported last)."""
        last = None
        while (text := self.report()) is not None:
            last = text
        self.process.join()
        return self.process.exitcode, last


def group_of(leader):
    """Descriptors of the processes of a group, its leader left out: workers, and what starts them."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields, pid = stat.read_text().rpartition(")")[2].split(), int(stat.parent.name)
            if int(fields[2]) == leader != pid:
                found.append(os.pidfd_open(pid))
        except (OSError, IndexError):
            continue  # it has ended
    return found


def left(descriptors, seconds):
    """How many of these processes have not ended after so long."""
    poll = select.poll()
    for each in descriptors:
        poll.register(each, select.POLLIN)
    deadline, waiting = time.monotonic() + seconds, set(descriptors)
    while waiting and (rest := deadline - time.monotonic()) > 0:
        for each, _ in poll.poll(rest * 1e3):
            poll.unregister(each)
            waiting.discard(each)
            os.close(each)
    return len(waiting)
