"""bs.BatchSampler, behind loaders in virtual time and behind real ones."""

import collections
import itertools
import json
import pickle
import random

import pytest

import native  # noqa: F401 - skips without the extension module

import batchscope as bs
from batchscope._training import sampler as module

LENGTHS = [1 + (i * 37) % 100 for i in range(500)]


def lookahead(batches, ahead, shuffle=None):
    """What any loader does: asks for so many batches before it gives one away; `shuffle` (a Random) gives them out of order."""
    batches, held = iter(batches), collections.deque()
    for batch in batches:
        held.append(batch)
        if len(held) > ahead:
            if shuffle:
                held.rotate(shuffle.randrange(len(held)))
            yield held.popleft()
    yield from held


def one_rank_of(batches, world_size, rank):
    """accelerate's BatchSamplerShard, even_batches=False."""
    return itertools.islice(batches, rank, None, world_size)


class Job:
    """A training of several ranks in virtual time: what was trained, how often."""

    def __init__(self, draw):
        self.draw, self.world_size = draw, draw.randint(1, 4)
        self.lengths = [draw.randint(1, 60) for _ in range(draw.randint(self.world_size, 120))]
        self.options = {"max_tokens": draw.randint(60, 600), "max_batch": draw.randint(2, 30), "seed": draw.randrange(2**60),
                        "window": draw.randint(1, 70)}
        workers, prefetch = draw.randint(0, 4), draw.randint(1, 8)
        self.ahead = workers * prefetch + draw.randint(0, 1)
        self.shuffle = draw if workers > 1 and draw.random() < 0.3 else None
        self.is_dealt = draw.random() < 0.3 and not self.shuffle
        self.samplers = [self.sampler(rank) for rank in range(self.world_size)]

    def sampler(self, rank):
        return bs.BatchSampler(self.lengths, **self.options, world_size=self.world_size, rank="all" if self.is_dealt else rank)

    def begin(self):
        self.loaders = []
        for rank, sampler in enumerate(self.samplers):
            batches = iter(sampler)
            dealt = one_rank_of(batches, self.world_size, rank) if self.is_dealt else batches
            self.loaders.append(lookahead(dealt, self.ahead, self.shuffle))

    def resume(self):
        states = [json.loads(json.dumps(sampler.state_dict())) for sampler in self.samplers]
        assert self.shuffle or all(state == states[0] for state in states)
        self.samplers = [self.sampler(rank) for rank in range(self.world_size)]
        for sampler, state in zip(self.samplers, states):
            sampler.load_state_dict(state)
            if self.draw.random() < 0.5:
                sampler.set_epoch(0)
        self.begin()

    def fail(self, sampler, batch, limit):
        sampler.limit_to(limit)
        if not self.is_dealt:
            lengths, parts = sampler.lengths_of(batch), sampler.parts(batch)
            assert lengths == sorted(self.lengths[i] for i in batch) and sum(parts) == len(batch)

    def step(self, times):
        limit = self.draw.randint(1, 600) if self.draw.random() < 0.06 else None
        for sampler, loader in zip(self.samplers, self.loaders):
            batch = next(loader)
            times.update(batch)
            if limit:
                self.fail(sampler, batch, limit)
            sampler.trained(batch if self.shuffle else None)

    def epoch(self):
        times, steps = collections.Counter(), self.steps()
        self.begin()
        for left in reversed(range(steps)):
            self.step(times)
            event = self.draw.random()
            if left and event < 0.03:
                self.begin()  # a worker died
            elif left and event < 0.06:
                self.resume()
        assert all(next(loader, None) is None for loader in self.loaders)
        return times

    def steps(self):
        return len(self.samplers[0]) // (self.world_size if self.is_dealt else 1)


@pytest.mark.parametrize("seed", range(4))
def test_each_sample_is_trained_once_in_equal_steps_whatever_happens(seed):
    draw = random.Random(seed)
    for _ in range(125):
        job = Job(draw)
        for _ in range(4):
            assert job.epoch() == dict.fromkeys(range(len(job.lengths)), 1)


def test_an_iteration_is_another_epoch_where_nobody_counts():
    sampler = bs.BatchSampler(LENGTHS, max_tokens=400, seed=3)
    first, second = list(sampler), list(sampler)
    assert sorted(itertools.chain(*first)) == sorted(itertools.chain(*second)) == list(range(500))
    assert all(len(batch) * max(LENGTHS[i] for i in batch) <= 400 for batch in first)
    assert first != second and len(first) == len(second) == len(sampler)
    assert [batch.number for batch in second] == list(range(len(sampler))) and second[0].epoch == sampler.epoch == 1


def test_a_loop_that_counts_goes_on_where_it_stopped():
    sampler = bs.BatchSampler(LENGTHS, max_tokens=400)
    expected = list(bs.BatchSampler(LENGTHS, max_tokens=400))
    for batch, _ in zip(sampler, range(5)):
        sampler.trained()
    assert sampler.position == 5 and list(sampler) == expected[5:]
    for _ in expected[5:]:
        sampler.trained()
    assert list(sampler)[0].epoch == 1


def test_a_state_is_plain_and_goes_on():
    sampler = bs.BatchSampler(LENGTHS, max_tokens=400, seed=2**63)
    expected = list(sampler)
    sampler.set_epoch(0)
    batches = iter(sampler)
    for number in (0, 2):
        sampler.trained(next(batches) if number == 0 else number)
    state = json.loads(json.dumps(sampler.state_dict()))
    assert (state["epoch"], state["position"], state["ahead"]) == (0, 1, [2])
    resumed = bs.BatchSampler(LENGTHS, max_tokens=400)
    resumed.load_state_dict(state)
    assert list(resumed) == expected[1:2] + expected[3:]


def test_a_state_in_mid_epoch_that_nobody_counted_is_not_trained_from():
    sampler = bs.BatchSampler(LENGTHS, max_tokens=400)
    next(iter(sampler))
    resumed = bs.BatchSampler(LENGTHS, max_tokens=400)
    resumed.load_state_dict(sampler.state_dict())
    with pytest.raises(RuntimeError, match="trained"):
        next(iter(resumed))
    resumed.set_epoch(1)
    assert next(iter(resumed)).epoch == 1


def test_a_batch_of_another_epoch_is_not_counted():
    sampler = bs.BatchSampler(LENGTHS, max_tokens=400)
    old = next(iter(sampler))
    sampler.set_epoch(1)
    next(iter(sampler))
    with pytest.raises(RuntimeError, match="epoch 0"):
        sampler.trained(old)
    sampler.trained(0)
    with pytest.raises(RuntimeError, match="already counted"):
        sampler.trained(0)


def test_a_batch_keeps_its_number_on_its_way_to_a_worker():
    batch = list(bs.BatchSampler(LENGTHS))[3]
    for sent in (pickle.loads(pickle.dumps(batch, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)):
        assert (sent, sent.epoch, sent.number) == (batch, 0, 3)


def test_a_batch_over_the_limit_is_split_in_hand():
    sampler = bs.BatchSampler(64, max_batch=32)
    batches = iter(sampler)
    next(batches)
    assert sampler.limit is None and sampler.parts() == [32]
    sampler.limit_to(31)
    assert sampler.parts() == [16, 16] and sampler.lengths_of(1) == [1] * 32 and len(next(batches)) == 32
    assert len(sampler) == 2
    with pytest.raises(RuntimeError, match="no step 2"):
        sampler.parts(2)


@pytest.mark.parametrize("lengths, words", [
    ([], "empty"), (0, "number of samples"), (None, "lengths has to be .*not None"), ("text", "lengths has to be .*not 'text'"), (3.5, "lengths has to be .*not 3.5"), ([3, 0], "sample 1"),
    ([3, 2, -1], "sample 2 has length -1"), ([3, float("nan")], "sample 1 has length nan"), ([3, 2.5], "sample 1"),
    ([3, None], "sample 1 has length None"), ([3, "4"], "sample 1"), ([2**70], "sample 0"), ([3, 5000, 2], "sample 1")])
def test_wrong_lengths_are_refused_by_name(lengths, words):
    with pytest.raises(ValueError, match=words):
        bs.BatchSampler(lengths)


@pytest.mark.parametrize("wrong", [{"max_tokens": 0}, {"max_batch": 2.5}, {"window": 0}, {"seed": -1}, {"rank": 0, "world_size": 0},
                                   {"world_size": 2}, {"world_size": 2, "rank": 2}, {"rank": 1}, {"max_batch": float("nan")}])
def test_wrong_options_are_refused(wrong):
    with pytest.raises(ValueError, match=list(wrong)[-1]):
        bs.BatchSampler([1, 2, 3], **wrong)


def test_fewer_samples_than_ranks_are_refused_and_too_few_are_warned_of():
    with pytest.raises(ValueError, match="3 samples"):
        bs.BatchSampler(3, world_size=4, rank=0)
    with pytest.warns(RuntimeWarning, match="one sample more"):
        sampler = bs.BatchSampler(5, max_batch=1, world_size=2, rank=0)
    assert len(sampler) == 2 and max(map(len, sampler)) <= 2


def test_what_would_deal_batches_out_again_is_refused():
    """accelerate's BatchSamplerShard and Lightning ask for batch_size."""
    with pytest.raises(RuntimeError, match="rank='all'"):
        _ = bs.BatchSampler(8, world_size=2, rank=0).batch_size
    assert bs.BatchSampler(8, world_size=2, rank="all").batch_size is None and bs.BatchSampler(8).batch_size is None


@pytest.mark.parametrize("name", ["out_of_memory", "token_limit"])
def test_the_old_way_says_what_to_use(name):
    with pytest.raises(RuntimeError, match="limit"):
        getattr(bs.BatchSampler(8), name)()


@pytest.mark.parametrize("state, words", [({}, "seed"), (None, "seed"), ({"version": 2}, "seed"), ("text", "seed")])
def test_what_is_no_state_is_refused(state, words):
    with pytest.raises(ValueError, match=words):
        bs.BatchSampler(8).load_state_dict(state)


@pytest.mark.parametrize("changed, words", [
    ({"samples": 7}, "samples"), ({"lengths": "0" * 16}, "lengths"), ({"world_size": 2}, "ranks"), ({"plan": "0" * 16}, "max_batch"),
    ({"version": 2}, "version"), ({"position": 4}, "steps"), ({"position": "1"}, "type"), ({"lengths": "no digest"}, "type")])
def test_the_state_of_another_training_is_refused(changed, words):
    sampler = bs.BatchSampler(8, max_batch=2)
    next(iter(sampler))
    sampler.trained()
    with pytest.raises(ValueError, match=words):
        bs.BatchSampler(8, max_batch=2).load_state_dict({**sampler.state_dict(), **changed})


class Group:
    """torch.distributed of which this process is `rank`; the others have `prints`."""

    def __init__(self, prints=(0, 0)):
        self.prints = prints

    def get_world_size(self, _group=None):
        return len(self.prints)

    def get_rank(self):
        return 1

    def all_gather_object(self, gathered, own, group):
        gathered[:] = [own + each for each in self.prints]


def test_ranks_come_from_torch_distributed(monkeypatch):
    monkeypatch.setattr(module, "_distributed", Group)
    sampler = bs.BatchSampler(LENGTHS)
    assert (sampler.world_size, sampler.rank) == (2, 1)
    assert bs.BatchSampler(LENGTHS, rank="all").rank == "all" and bs.BatchSampler(LENGTHS, world_size=1).rank == 0
    sampler.check_ranks()


def test_ranks_that_disagree_are_named(monkeypatch):
    monkeypatch.setattr(module, "_distributed", lambda: Group((0, 0, 1)))
    with pytest.raises(RuntimeError, match="ranks 2 "):
        bs.BatchSampler(LENGTHS).check_ranks()
    one, other = bs.BatchSampler(8, world_size=2, rank=0), bs.BatchSampler(8, world_size=2, rank=1)
    assert one.fingerprint() == other.fingerprint() != bs.BatchSampler(8, world_size=2, rank=1, seed=2).fingerprint()


def test_sizes_come_from_a_run_file():
    bs.profile("synthetic:affine:2ms,10ms", batch_sizes=[1, 2, 4, 8], output="run.jsonl")
    sampler = bs.BatchSampler(83, run="run.jsonl")
    assert sorted(collections.Counter(map(len, sampler)).items()) == [(3, 1), (8, 10)]
    assert {len(batch) for batch in bs.BatchSampler(80, run=bs.Run("run.jsonl"), max_batch=5)} == {5}
    with pytest.raises(ValueError, match="missing"):
        bs.BatchSampler(83, run="missing.jsonl")
