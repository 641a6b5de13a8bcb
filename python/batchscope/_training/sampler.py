"""Batches of samples of similar length, right behind loaders that look ahead; the order is made in C++."""

import sys
import warnings

from batchscope import _core
from batchscope._errors import shown

_UNCOUNTED = ("the state lacks a position: call sampler.trained() after each step (TrainingGuard does), or "
              "set_epoch() to begin an epoch")
_STATE = ("seed", "epoch", "position", "ahead", "limit", "max_tokens", "samples", "lengths", "plan", "steps", "world_size", "rank")


class Batch(list):
    """Indices of samples, ascending in length; `number`: of its step in its `epoch`."""

    __slots__ = ("epoch", "number")

    def __init__(self, indices, epoch, number):
        super().__init__(indices)
        self.epoch, self.number = epoch, number

    def __reduce__(self):
        return Batch, (list(self), self.epoch, self.number)


class _Batches:
    """What one loader iterates over, from when it asks for the first batch: a DataLoader with workers makes two of them, and
    uses one. It has the state that torchdata's StatefulDataLoader asks for."""

    def __init__(self, sampler):
        self._sampler, self._core = sampler, None

    def __iter__(self):
        return self

    def _begun(self):
        if self._core is None:
            self._core = self._sampler._start()
        return self._core

    def __next__(self):
        core = self._begun()
        found = core.next()
        if found is None:
            raise StopIteration
        number, indices = found
        return Batch(indices, core.epoch, number)

    def state_dict(self):
        core = self._begun()
        return {"epoch": core.epoch, "position": core.position}

    def load_state_dict(self, state):
        self._core = self._sampler._start_at(state)


def _int(name, value, least=1):
    if isinstance(value, float) and value != value or int(value) != value or value < least:
        raise ValueError(f"{name} has to be an integer of at least {least}, not {value}")
    return int(value)


def _distributed():
    """torch.distributed, where a group of processes is set up."""
    distributed = sys.modules.get("torch.distributed")
    return distributed if distributed and distributed.is_available() and distributed.is_initialized() else None


def _ranks(world_size, rank):
    """(ranks, this rank or -1 for all), from torch.distributed where they are not given."""
    if world_size is None and (rank is None or rank == "all"):
        distributed = _distributed()
        world_size = distributed.get_world_size() if distributed else 1
        rank = rank if rank == "all" or not distributed else distributed.get_rank()
    if world_size is None or (rank is None and world_size != 1):
        raise ValueError("give both world_size and rank, or neither")
    world_size = _int("world_size", world_size)
    rank = -1 if rank == "all" else _int("rank", rank or 0, least=0)
    if rank >= world_size:
        raise ValueError(f"rank has to be between 0 and {world_size - 1}, not {rank}")
    return world_size, rank


class BatchSampler:
    """Batches of indices of samples of similar length: for DataLoader(batch_sampler=...) with any workers, accelerate, the HF
    Trainer, or a loop of your own.

        sampler = bs.BatchSampler(lengths, max_tokens=8192)
        for batch in DataLoader(dataset, batch_sampler=sampler, num_workers=4):
            train(batch)
            sampler.trained()

    lengths: tokens of each sample; one number: so many samples that are alike
    max_tokens: of a batch, padded (samples times the longest); 4096, or with `run` the most that were measured
    max_batch: samples of a batch
    run: a run file, or a Run: batch sizes that it shows to be good, by their measured times
    window: samples are batched with others of their class of lengths, out of at most so many classes; more pad less, fewer mix better
    world_size, rank: those of torch.distributed, where it is set up; rank="all": the batches of all ranks in turn, for accelerate

    The order depends on seed, epoch and position alone. `epoch` and `position` count what was trained, not what a loader has
    asked for, so that `trained()` has to be called after each step; TrainingGuard does. Every epoch has the same number of
    steps, len(sampler), on every rank, and each sample once: the last batches are cut finer. An iteration goes on with the
    epoch where it is, or with the next one; where nobody ever calls `trained()`, each iteration is another epoch. No batch
    comes twice: one that runs out of memory is split in hand. `limit` is the most padded tokens that are known to fit.
    """

    def __init__(self, lengths, *, max_tokens=None, max_batch=None, run=None, seed=1, window=64, world_size=None, rank=None):
        lengths = lengths.tolist() if hasattr(lengths, "tolist") else lengths
        if isinstance(lengths, (str, bytes, dict)) or not (isinstance(lengths, int) or hasattr(lengths, "__iter__")):
            raise ValueError(f"lengths has to be the tokens of each sample, or the number of samples, not {shown(lengths)}")
        if isinstance(lengths, int):
            lengths = [1] * _int("the number of samples", lengths)
        self.world_size, self._rank = _ranks(world_size, rank)
        self.rank = "all" if self._rank < 0 else self._rank
        self._core = _core.BatchSampler(
            list(lengths), *(None if value is None else _int(name, value) for name, value in
                             (("max_tokens", max_tokens), ("max_batch", max_batch))),
            None if run is None else str(getattr(run, "path", run)), _int("seed", seed, least=0), _int("window", window),
            self.world_size, self._rank)
        self._is_unknown = False
        if over := self._core.over_budget():
            warnings.warn(f"{self.world_size} ranks cannot share the longest samples in equal steps: {over} batches of the last step "
                          f"have one sample more than the limit allows", RuntimeWarning, stacklevel=2)

    def __len__(self):
        return self._core.steps() * (self.world_size if self._rank < 0 else 1)

    def __iter__(self):
        return _Batches(self)

    @property
    def epoch(self):
        return self._core.epoch()

    @property
    def position(self):
        """Steps of the epoch that were trained, all before the first that was not."""
        return self._core.position()

    def set_epoch(self, epoch):
        """Another epoch starts at its beginning; the same one stays where it is."""
        self._is_unknown = False
        self._core.set_epoch(_int("epoch", epoch, least=0))

    def trained(self, batch=None):
        """Counts a step as trained, or as one that is to be left out: the next in order, or that of a batch or its number."""
        if isinstance(batch, Batch) and batch.epoch != self.epoch:
            raise RuntimeError(f"the batch belongs to epoch {batch.epoch}, but this is epoch {self.epoch}")
        self._core.trained(getattr(batch, "number", batch))

    def state_dict(self):
        """The position of the training, in plain numbers and texts.

        It is the same on every rank, unless steps were trained out of order (`ahead`). A position of None cannot be gone on
        from: batches were handed out, and nobody counted."""
        return self._core.state()

    def load_state_dict(self, state):
        """Goes on where the state was saved; before a loader iterates.

        ValueError: it is of another data set, or of the middle of an epoch that was cut otherwise."""
        missing = [name for name in _STATE if name not in state] if isinstance(state, dict) else list(_STATE)
        if missing or state.get("version") != 1:
            raise ValueError(f"this is not a readable BatchSampler state; wrong or missing: {', '.join(missing) or 'its version'}")
        self._core.load(state)
        self._is_unknown = state["position"] is None

    def _start(self):
        if self._is_unknown:
            raise RuntimeError(_UNCOUNTED)
        return self._core.start()

    def _start_at(self, state):
        """A loader's own state: it knows how much of what it was handed it gave away."""
        self._is_unknown = False
        self._core.load({**self._core.state(), "epoch": state["epoch"], "position": state["position"], "ahead": []})
        return self._core.start()

    @property
    def limit(self):
        """The most padded tokens that fit into memory, as far as is known: what a batch is to be split by."""
        return self._core.limit()

    def limit_to(self, max_tokens, *, recut=False):
        """Sets `limit`; None: nothing is known.

        The steps of this epoch stay as they are. recut: later epochs are cut under it, which changes len(sampler). All ranks
        have to set the same."""
        self._core.limit_to(None if max_tokens is None else _int("max_tokens", max_tokens), recut)

    def _step(self, number):
        if self._rank < 0:
            raise RuntimeError("with rank='all', the sampler does not know this rank's batch")
        number = self.position if number is None else getattr(number, "number", number)
        if not 0 <= number < len(self):
            raise RuntimeError(f"no step {number}: the epoch has {len(self)} steps")
        return number

    def lengths_of(self, number=None):
        """Tokens of the samples of a step of this epoch, in the order of its batch; None: of the next that is not trained."""
        return self._core.lengths_of(self._step(number))

    def parts(self, number=None):
        """How many samples make up each of the fewest parts of a step's batch that fit `limit`, as even as possible."""
        return self._core.parts_of(self._step(number))

    def fingerprint(self):
        """A number that is the same on all ranks, if they agree on lengths, cut, seed, epoch, position and limit."""
        return self._core.fingerprint()

    def check_ranks(self, group=None):
        """RuntimeError on every rank of the group, where not all agree. All of them have to call it."""
        distributed = _distributed()
        if distributed is None:
            return
        prints = [None] * distributed.get_world_size(group)
        distributed.all_gather_object(prints, self.fingerprint(), group=group)
        if odd := [rank for rank, each in enumerate(prints) if each != prints[0]]:
            raise RuntimeError(f"the samplers of ranks {', '.join(map(str, odd))} differ from rank 0 in lengths, cut, seed, epoch, "
                               f"position or limit: create them from the same data set, and load the same state")

    def _dealt_already(self):
        raise RuntimeError("this sampler already distributes batches over ranks: turn off the second distribution (accelerate: rank='all' "
                           "and even_batches=False; Lightning: use_distributed_sampler=False)")

    @property
    def batch_size(self):
        """None: batches differ. Asked for by what would deal batches out to ranks once more."""
        return self._dealt_already() if self.world_size > 1 and self._rank >= 0 else None

    def out_of_memory(self, *_):
        raise RuntimeError("the sampler repeats no batch: split the current one (batchscope.torch.TrainingGuard does), and call "
                           "sampler.limit_to(padded tokens that fit)")

    @property
    def token_limit(self):
        raise RuntimeError("the token budget is fixed: set sampler.limit_to(padded tokens that fit) instead")
