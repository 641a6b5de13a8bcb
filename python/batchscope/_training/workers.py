"""Workers of a data loader that outlive a signal to the process group, and end with the trainer."""

import contextlib
import multiprocessing
import os
import signal
import time
from multiprocessing import resource_tracker

_SECONDS_TO_LEAVE = 1.0


class Obedient:
    """A worker_init_fn, called before the user's own: from here on only the trainer ends the worker."""

    def __init__(self, numbers, then):
        self.trainer, self.numbers, self.then = os.getpid(), numbers, then

    def __call__(self, worker_id):
        from batchscope import _core

        _core.obey_only(self.trainer, [int(number) for number in self.numbers])
        if self.then is not None:
            self.then(worker_id)


def _starts_by_fork(loader):
    return (loader.multiprocessing_context or multiprocessing).get_start_method() == "fork"


@contextlib.contextmanager
def _blocked(numbers, by_fork):
    """Processes that are started meanwhile have these signals blocked, until Obedient handles them."""
    if not by_fork:
        # Started by the first process that is spawned; what starts it unblocks SIGINT and SIGTERM, so it comes first.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1} & set(numbers))
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before - set(numbers))


def start(loader, numbers):
    """iter(loader), with workers that outlive those signals."""
    if not numbers or not getattr(loader, "num_workers", 0) or not hasattr(loader, "worker_init_fn"):
        return iter(loader)
    if not isinstance(loader.worker_init_fn, Obedient):
        loader.worker_init_fn = Obedient(tuple(numbers), loader.worker_init_fn)
    with _blocked(numbers, _starts_by_fork(loader)):
        return iter(loader)


def end(iterator):
    """Ends the workers of a loader's iterator, those within a long sample too."""
    workers = getattr(iterator, "_workers", ())
    with contextlib.suppress(Exception):
        iterator._workers_done_event.set()
        for queue in iterator._index_queues:
            queue.put(None)
    deadline = time.monotonic() + _SECONDS_TO_LEAVE
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
        if worker.is_alive():
            worker.terminate()
    with contextlib.suppress(Exception):
        iterator._shutdown_workers()
