"""bs.Batcher."""

import asyncio
import gc
import threading
import time
import weakref
from concurrent.futures import CancelledError

import pytest

import native  # noqa: F401 - skips without the extension module

import batchscope as bs
from batchscope import Refused


def doubled(requests, _instance):
    return [2 * each for each in requests]


def gated():
    """What runs a batch, the event that it has begun one, and the one that lets it end."""
    begun, go = threading.Event(), threading.Event()

    def run(requests, _instance):
        begun.set()
        go.wait(30)
        return requests

    return run, begun, go


def test_every_request_gets_its_own_answer():
    with bs.Batcher(doubled, max_batch=4) as batcher:
        answers = [batcher.submit(i) for i in range(50)]
        assert [each.result(timeout=30) for each in answers] == [2 * i for i in range(50)]
    counts = batcher.counters()
    assert counts["responses"] == 50
    assert max(counts["batch_sizes"]) <= 4


def test_requests_that_wait_share_a_batch():
    run, begun, go = gated()
    with bs.Batcher(run, max_batch=8) as batcher:
        first = batcher.submit(0)
        assert begun.wait(30)
        others = [batcher.submit(i) for i in range(1, 6)]
        go.set()
        assert [each.result(30) for each in [first, *others]] == list(range(6))
    # A run counts once it has ended, which is after its answers.
    assert batcher.counters()["batch_sizes"] == {1: 1, 5: 1}


def test_an_answer_can_be_awaited():
    async def work(batcher):
        return await asyncio.gather(*(ask(batcher, i) for i in range(10)))

    async def ask(batcher, i):
        return await batcher.submit(i, cost=3)

    with bs.Batcher(doubled, max_batch=4) as batcher:
        assert asyncio.run(work(batcher)) == [2 * i for i in range(10)]


def test_what_run_raises_is_the_answer():
    class Broken(Exception):
        pass

    broken = Broken("broken")

    def run(requests, _instance):
        if requests == [1]:
            raise broken
        return requests

    with bs.Batcher(run) as batcher:
        with pytest.raises(Broken) as raised:
            batcher.submit(1).result(30)
        assert raised.value is broken
        assert batcher.submit(2).result(30) == 2


def test_too_few_answers_are_a_failure_of_the_batch():
    with bs.Batcher(lambda requests, _instance: []) as batcher:
        with pytest.raises(bs.Refused) as raised:
            batcher.submit(1).result(30)
    assert raised.value.reason == "failed"


def test_what_is_cancelled_is_cancelled():
    run, begun, go = gated()
    with bs.Batcher(run, max_batch=1) as batcher:
        first = batcher.submit(0)
        assert begun.wait(30)
        second = batcher.submit(1)
        assert second.cancel() and second.cancelled()
        with pytest.raises(CancelledError):
            second.result(30)
        go.set()
        assert first.result(30) == 0 and not first.cancel()


def test_a_batcher_that_nobody_has_is_collected():
    class Service:
        def __init__(self):
            self.batcher = bs.Batcher(self.run)

        def run(self, requests, _instance):
            return requests

    service = Service()
    assert service.batcher.submit(1).result(30) == 1
    gone = weakref.ref(service)
    del service
    # Its thread has the batch for a moment longer than the answer.
    until = time.monotonic() + 30
    while gone() is not None and time.monotonic() < until:
        gc.collect()
    assert gone() is None


@pytest.mark.parametrize("ends", ["sys.exit(0)", "", "batcher.shut_down()"])
def test_an_interpreter_ends_whatever_a_batcher_does(script, ends):
    process = script(f"""
        import sys, time
        import batchscope as bs

        def run(requests, instance):
            time.sleep(0.01)
            return requests

        batcher = bs.Batcher(run, max_batch=2)
        answers = [batcher.submit(i) for i in range(40)]
        answers[0].result()
        {ends}
    """)
    _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (0, "")


def test_a_batch_that_is_too_large_is_halved():
    begun, go = threading.Event(), threading.Event()

    def run(requests, _instance):
        begun.set()
        go.wait(30)
        if len(requests) > 2:
            raise MemoryError
        return requests

    with bs.Batcher(run, max_batch=8) as batcher:
        answers = [batcher.submit(0)]
        assert begun.wait(30)
        answers += [batcher.submit(i) for i in range(1, 9)]
        go.set()
        assert [each.result(30) for each in answers] == list(range(9))
        assert batcher.counters()["out_of_memory"] == 0


OF_LIBRARIES = ["CUDA out of memory. Tried to allocate", "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 1 bytes",
                "Failed to allocate memory for requested buffer of size 1", "CUBLAS_STATUS_ALLOC_FAILED",
                "OOM when allocating tensor with shape[64,1024,1024] and type float",
                "UR error: UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"]
NO_PROOF = "NewRT: memory alloc rejected"


def answers_of(run, count=16):
    """What becomes of so many requests that come together: responses, and the exceptions of the others."""
    with bs.Batcher(run, max_batch=count, max_delay=30) as batcher:
        answers = [batcher.submit(i) for i in range(count)]
        return [each.exception(30) or each.result(30) for each in answers]


@pytest.mark.parametrize("words", [*OF_LIBRARIES, NO_PROOF])
def test_words_of_any_library_halve_the_batch(words):
    sizes = []

    def run(requests, _instance):
        sizes.append(len(requests))
        if len(requests) > 4:
            raise RuntimeError(words)
        return requests

    assert answers_of(run) == list(range(16))
    assert sizes[0] == 16 and sorted(sizes)[:4] == [4, 4, 4, 4]


def test_words_that_are_no_proof_are_raised_where_nothing_runs():
    sizes = []

    def run(requests, _instance):
        sizes.append(len(requests))
        raise RuntimeError(NO_PROOF)

    raised = answers_of(run)
    assert {str(each) for each in raised} == {NO_PROOF} and sizes == [16, 8, 4, 2, 1]


def test_a_failure_with_memory_in_its_words_halves_nothing():
    sizes = []

    def run(requests, _instance):
        sizes.append(len(requests))
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    assert len(answers_of(run)) == 16 and sizes == [16]


def test_a_full_queue_refuses():
    run, begun, go = gated()
    with bs.Batcher(run, max_batch=1, capacity=1, when_full="reject") as batcher:
        first = batcher.submit(0)
        assert begun.wait(30)
        second, third = batcher.submit(1), batcher.submit(2)
        with pytest.raises(Refused) as raised:
            third.result(30)
        assert raised.value.reason == "queue-full"
        go.set()
        assert (first.result(30), second.result(30)) == (0, 1)


def test_shutting_down_may_refuse_what_waits():
    run, begun, go = gated()
    batcher = bs.Batcher(run, max_batch=1)
    first = batcher.submit(0)
    assert begun.wait(30)
    second = batcher.submit(1)
    stopper = threading.Thread(target=batcher.shut_down, args=(False,))
    stopper.start()
    with pytest.raises(Refused) as raised:
        second.result(30)
    assert raised.value.reason == "shut-down"
    go.set()
    stopper.join()
    assert first.result(30) == 0


@pytest.mark.parametrize("wrong", [{"max_batch": 0}, {"max_batch": 2.5}, {"instances": 0}, {"when_full": "explode"},
                                   {"max_delay": -1}, {"max_delay": float("nan")}, {"max_cost": 0}])
def test_wrong_options_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        bs.Batcher(doubled, **wrong)
