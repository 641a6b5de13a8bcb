"""Batches out of requests that come one by one; the work is done in C++."""

import asyncio
import atexit
import math
import threading
import weakref
from concurrent.futures import Future

from batchscope import _core
from batchscope._errors import Error


class Refused(Error):
    """A request that got no response; `reason` is "failed" (no response for each request), "out-of-memory", "deadline",
    "queue-full" or "shut-down"."""

    def __init__(self, reason, message):
        super().__init__(message or reason)
        self.reason = reason


class Answer(Future):
    """A future that can be awaited too. It cannot be cancelled once its batch is being run."""

    def __init__(self, batcher):
        super().__init__()
        self._batcher, self._id = batcher, 0

    def cancel(self):
        return bool(self._id) and self._batcher.cancel(self._id)

    def __await__(self):
        return asyncio.wrap_future(self).__await__()

    def _reported(self, response, failure):
        if failure is None:
            self.set_result(response)
        elif failure[0] == "cancelled":
            super().cancel()
            self.set_running_or_notify_cancel()
        else:
            # What a batch raised is told by the thread that ran it.
            raised = _raised.get(threading.get_ident()) if failure[0] == "failed" else None
            self.set_exception(raised or Refused(*failure))


# What the last batch of a thread raised. Python's own threading.local would not do: to it a thread of C++ is another one at
# every call.
_raised = {}
_open = weakref.WeakSet()


@atexit.register
def _shut_down_all():
    """Threads that run batches are not to meet an interpreter that ends; what still waits is refused."""
    for batcher in list(_open):
        batcher.shut_down(run_pending=False)


def _remembering(run):
    """The same, with what it raised kept for the answers of its batch."""

    def remembered(requests, instance):
        thread = threading.get_ident()
        _raised.pop(thread, None)
        try:
            return run(requests, instance)
        except Exception as raised:
            _raised[thread] = raised
            raise

    return remembered


def _check(name, value, least):
    if not (math.isfinite(value) and value >= least):
        raise ValueError(f"{name} has to be at least {least}, not {value}")


def _integer(name, value, least=1):
    if int(value) != value:
        raise ValueError(f"{name} has to be an integer, not {value}")
    _check(name, value, least)
    return int(value)


class Batcher:
    """Gathers requests of many threads or tasks into batches, runs them, and gives each its own answer.

        batcher = Batcher(lambda texts, instance: model.encode(texts), max_batch=16)
        vector = batcher.submit("a text").result()
        vector = await batcher.submit("a text", cost=42)

    run(requests, instance) takes a list and returns as many responses, in their order; it is called by `instances`
    threads. Where what it raises says that memory was out (see is_out_of_memory) the batch is halved and run again,
    and later ones are smaller for a while; where it only may say so, that holds once a smaller batch ran. Any other
    exception is raised by every answer of the batch.

    - max_batch: requests of a batch; max_delay: seconds that the oldest waits for a batch to fill (0: a free instance
      takes all that wait);
    - max_cost: the most of a batch, padded: requests times the highest `cost` among them (tokens);
    - capacity: requests that may wait; when_full: "block" (submit waits) or "reject".
    """

    def __init__(self, run, *, max_batch=8, max_delay=0.0, max_cost=None, instances=1, capacity=4096, when_full="block"):
        if when_full not in ("block", "reject"):
            raise ValueError(f"when_full has to be 'block' or 'reject', not '{when_full}'")
        _check("max_delay", max_delay, 0)
        self._core = _core.Batcher(
            _remembering(run), _integer("max_batch", max_batch), float(max_delay),
            None if max_cost is None else _integer("max_cost", max_cost), _integer("instances", instances),
            _integer("capacity", capacity), when_full == "reject")
        _open.add(self)

    def submit(self, request, *, cost=1, timeout=None):
        """The answer to come; timeout: seconds after which a request that still waits is refused."""
        cost = _integer("cost", cost, least=0)
        answer = Answer(self._core)
        answer._id = self._core.submit(request, answer._reported, cost, timeout)
        return answer

    def counters(self):
        """What became of requests and batches so far, as a dict."""
        return self._core.counters()

    def shut_down(self, run_pending=True):
        """Takes no more requests and returns when everything is answered."""
        self._core.shut_down(run_pending)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shut_down()
