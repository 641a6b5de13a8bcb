"""All that the extension module does, once, under the address sanitizer, which ends the process at what is wrong.

Without pytest and the libraries of models: what they do is not what is looked at here. Leaks are not: an interpreter keeps
what it has.
"""

import asyncio
import gc
import os
import tempfile
import threading

import batchscope as bs
from batchscope import _core
from batchscope._inside import host
from batchscope._models.factory import open_object


def loaded(factory):
    request = host.Request(model="factory")
    return host.Loaded(request, open_object(factory, request))


def loop():
    def factory(batch_size):
        def run():
            with bs.range("part"):
                return [batch_size]

        return run

    assert len(_core.time_iterations(loaded(factory), 2, 2000)) == 2000


def loop_that_raises():
    def factory(batch_size):
        def run():
            raise KeyError(batch_size)

        return run

    try:
        _core.time_iterations(loaded(factory), 1, 5)
    except RuntimeError as raised:
        assert "KeyError" in str(raised)


def ranges():
    kept = []
    with bs.Profiler() as profiler:
        threads = [threading.Thread(target=many_ranges) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        kept.append(bs.range("left open"))
        kept[0].__enter__()
    assert len(profiler.ranges()) == 401
    assert profiler.chrome_trace()
    del profiler
    gc.collect()
    kept[0].__exit__(None, None, None)  # its profiler is gone
    many_ranges()


def many_ranges():
    @bs.range("again")
    def again(n):
        return again(n - 1) if n else 0

    for _ in range(20):
        again(4)


def inputs():
    made = _core.make_inputs(["x:BxS:int64=0-9", "mask:BxS:int64=1"], 3, 8, 1)
    assert [len(each[3]) for each in made] == [3 * 8 * 8] * 2
    try:
        _core.make_inputs(["nonsense"], 1, None, 1)
    except ValueError:
        pass


def batcher():
    def run(requests, _instance):
        if len(requests) > 3:
            raise MemoryError
        if 13 in requests:
            raise KeyError(13)
        return [object() for _ in requests]

    async def ask(batcher):
        return await asyncio.gather(*(batcher.submit(i) for i in range(40)), return_exceptions=True)

    with bs.Batcher(run, max_batch=8, instances=2) as batcher_:
        assert len(asyncio.run(ask(batcher_))) == 40
        batcher_.submit(object()).cancel()
    assert batcher_.counters()["waiting"] == 0


def sampler():
    sampled = bs.BatchSampler([1 + i % 50 for i in range(1000)], max_tokens=300, world_size=2, rank=1)
    for batch in sampled:
        sampled.limit_to(100 + batch.number)
        assert sum(sampled.parts(batch)) == len(sampled.lengths_of()) == len(batch)
        sampled.trained(batch)
    sampled.load_state_dict(sampled.state_dict())
    for wrong in ([1, None], [1, float("nan")], [1, 2**70], []):
        try:
            bs.BatchSampler(wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)


def here():
    def run(batch_size):
        if batch_size == 3:
            raise MemoryError
        return sum(range(batch_size))

    texts = {"batch_sizes": "1-3", "blocks": "2", "iterations": "3", "warmup": "1"}
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/run.jsonl"
        assert _core.profile_here(lambda _: None, run, "work", path, False, texts) is None
        assert os.path.getsize(path) > 0
        kind, _ = _core.profile_here(lambda _: None, run, "work", path, False, {"budget": "soon"})
        assert kind == "usage"


def main():
    for check in (loop, loop_that_raises, ranges, inputs, batcher, sampler, here):
        check()
        gc.collect()
        print(f"{check.__name__}: clean", flush=True)


if __name__ == "__main__":
    main()
