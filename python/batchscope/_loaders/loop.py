"""A loop over a DataLoader beside a step, iteration by iteration, and what is known of it in the end."""

import statistics
import time

import torch
from batchscope._core import range as named_range
from batchscope._explain import Refused
from batchscope._loaders import failures, plan as plans, processes
from batchscope._loaders.lengths import is_synthetic, parsed
from batchscope._loaders.steps import synthetic_step
from batchscope._loaders.timed import Endless, TimedCollate, TimedMap, TimedStream, each_tensor, moved
from torch.utils.data import BatchSampler, DataLoader, IterableDataset, RandomSampler, SequentialSampler, default_collate

OTHER_LENGTHS = (0.5, 2.0)  # of the step that was asked for, measured beside it
_SEGMENT_S = (0.2, 1.0)  # as long with each of them as was timed, within these
_FEWEST = 8  # batches of it
_HAND_OVERS = 3
_REST_OF_EPOCH_S = 1.5  # for the rest of the epoch at most
_PATIENCE_S = 0.02  # a batch that lies ready has been made for so long


def _ns(seconds):
    return max(0, round(seconds * 1e9))


def _length_of(dataset):
    try:
        return len(dataset)
    except TypeError:
        return None


def _quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Loop:
    def __init__(self, plan, request, batch_size):
        self.plan, self.request, self.batch_size = plan, request, batch_size
        self.settings, self.where = request.loader, request.loader["source"]
        self.workers = self.settings["workers"]
        self.ahead = self.workers * self.settings["prefetch"]
        # Before there are workers that it would be timed beside.
        self.is_synthetic = is_synthetic(plan.step)
        self.step = synthetic_step(*parsed(plan.step)) if self.is_synthetic else plans.step_of(plan)
        self.device = None if request.device == "cpu" or not self.is_synthetic else torch.device(request.device)
        self.iterator, self.rows, self.memory_begun, self.first_batch_s = None, [], [], 0.0
        self.loader = self._guarded(self._make)
        self._guarded(self._open)

    def _guarded(self, do):
        """Whatever goes wrong, no worker is left."""
        try:
            return do()
        except Exception as raised:
            ended = [each.exitcode for each in getattr(self.iterator, "_workers", []) if each.exitcode]
            self.close()
            raise failures.explained(raised, self.where, ended) from None

    def _make(self):
        keywords = plans.loader_keywords(self.plan, self.where)
        dataset = keywords.pop("dataset")
        streams = isinstance(dataset, IterableDataset)
        self.samples = _length_of(dataset)
        if self.samples == 0:
            raise Refused("input", "the data set is empty", self.where, "check the path of its samples")
        collate = keywords.pop("collate_fn", None) or default_collate
        keywords |= self._sampling(dataset, streams, keywords) | self._of_workers(keywords)
        return DataLoader(TimedStream(dataset) if streams else TimedMap(dataset), collate_fn=TimedCollate(collate, streams),
                          pin_memory=self.settings["pinned"], **keywords)

    def _sampling(self, dataset, streams, keywords):
        shuffle = keywords.pop("shuffle", True)
        keywords.pop("drop_last", None)
        batches = keywords.pop("batch_sampler", None)
        sampler = keywords.pop("sampler", None)
        if streams:
            return {"batch_size": self.batch_size}
        if batches is not None:
            return {"batch_sampler": Endless(batches)}
        if sampler is None:
            sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
        return {"batch_sampler": BatchSampler(Endless(sampler), self.batch_size, drop_last=False)}

    def _of_workers(self, keywords):
        if not self.workers:
            keywords.pop("persistent_workers", None)
            return {"num_workers": 0}
        return {"num_workers": self.workers, "prefetch_factor": self.settings["prefetch"],
                "multiprocessing_context": self.settings["start_method"] or None}

    def _open(self):
        begun = time.perf_counter()
        self.iterator = iter(self.loader)
        batch = self._next()
        self.first_batch_s = time.perf_counter() - begun
        self.batch_bytes = sum(each.nbytes for each in each_tensor(batch))
        self.memory_begun = self._memory()
        for _ in range(2 * self.ahead):  # what lay ready from the beginning is used up
            self._once(self.step)

    def _next(self):
        try:
            batch, row = next(self.iterator)
        except StopIteration:
            raise Refused("input", "the data set is empty", self.where, "check the path of its samples") from None
        self.rows.append(row)
        return batch

    def _once(self, step):
        with named_range("load"):
            batch = self._next()
        if self.device is not None:
            with named_range("h2d"):
                batch = moved(batch, self.device, self.settings["pinned"])
        with named_range("step"):
            step(batch)

    def iterate(self):
        if self.iterator is None:
            self._guarded(self._open)
        self._guarded(lambda: self._once(self.step))

    def _pids(self):
        return [each.pid for each in getattr(self.iterator, "_workers", [])]

    def _memory(self):
        return [memory for memory in map(processes.memory_of, self._pids()) if memory]

    def begin_timing(self):
        self.rows.clear()
        self.begun = time.perf_counter()
        self.cpu_before = {pid: processes.cpu_ns(pid) for pid in self._pids()}

    def facts(self):
        """schema::LoaderFacts; ends the loop."""
        try:
            return self._guarded(self._facts)
        finally:
            self.close()

    def _facts(self):
        self.segment_s = min(max(time.perf_counter() - self.begun, _SEGMENT_S[0]), _SEGMENT_S[1])
        facts = self._of_timed() | {
            "batch_bytes": self.batch_bytes, "first_batch_ns": _ns(self.first_batch_s), "memory_begun": self.memory_begun}
        if self.samples is not None:
            facts["samples"] = self.samples
        if self.is_synthetic:
            facts["step_ns"] = _ns(self.step.seconds)
            facts["other_steps"] = [self._beside(self.step.scaled(each)) for each in OTHER_LENGTHS]
        if self.workers:
            facts["handover_ns"] = self._hand_over(facts["fetch_ns"] + facts["collate_ns"])
            facts["epoch_share"] = self._rest_of_epoch()
            facts["memory_ended"] = self._memory()
        if self.device is not None and self.device.type == "cuda":
            facts["copies"] = self._copies()
        facts["new_epoch_ns"] = self._new_epoch()
        return facts

    def _of_timed(self):
        rows, batches = self.rows, max(1, len(self.rows))
        made = [row.fetch + row.collate for row in rows] or [0.0]
        if self.workers:
            cpu = sum(processes.cpu_ns(pid) - before for pid, before in self.cpu_before.items()) // batches
        else:
            cpu = _ns(sum(row.cpu for row in rows) / batches)
        return {"fetch_ns": _ns(sum(row.fetch for row in rows) / batches),
                "collate_ns": _ns(sum(row.collate for row in rows) / batches),
                "typical_ns": _ns(statistics.median(made)), "slow_ns": _ns(_quantile(made, 0.95)), "cpu_ns": max(0, cpu)}

    def _beside(self, step):
        """The mean iteration with a step of another length: schema::LoopTime."""
        for _ in range(2 * self.ahead):
            self._once(step)
        batches, waited, begun = 0, 0.0, time.perf_counter()
        fewest = max(_FEWEST, 3 * self.workers)
        while batches % max(1, self.workers) or batches < fewest or time.perf_counter() - begun < self.segment_s:
            before = time.perf_counter()
            batch = self._next()
            waited += time.perf_counter() - before
            if self.device is not None:
                batch = moved(batch, self.device, self.settings["pinned"])
            step(batch)
            batches += 1
        taken = time.perf_counter() - begun
        return {"step_ns": _ns(step.seconds), "iteration_ns": _ns(taken / batches), "wait_ns": _ns(waited / batches),
                "batches": batches}

    def _hand_over(self, made_in_ns):
        """next() while the batch has been ready for a while."""
        taken = []
        for _ in range(_HAND_OVERS):
            time.sleep(2e-9 * made_in_ns + _PATIENCE_S)
            before = time.perf_counter()
            self._next()
            taken.append(time.perf_counter() - before)
        return _ns(statistics.median(taken))

    def _rest_of_epoch(self):
        """Loads on until an epoch's samples came since the beginning; the share of it that did."""
        if self.samples is None:
            return 0.0
        wanted = -(-self.samples // self.batch_size)
        came, begun = 2 * self.ahead + len(self.rows), time.perf_counter()
        while came < wanted and time.perf_counter() - begun < _REST_OF_EPOCH_S:
            self._next()
            came += 1
        return min(1.0, came / wanted)

    def _copies(self):
        batch = self._next()
        tensors = [torch.empty_like(each, pin_memory=False).copy_(each) for each in each_tensor(batch)]
        pinned = [each.pin_memory() for each in tensors]

        def timed(do):
            taken = []
            for _ in range(5):
                torch.cuda.synchronize(self.device)
                begun = time.perf_counter()
                do()
                torch.cuda.synchronize(self.device)
                taken.append(time.perf_counter() - begun)
            return _ns(statistics.median(taken))

        return {"pin_ns": timed(lambda: [each.pin_memory() for each in tensors]),
                "pageable_ns": timed(lambda: [each.to(self.device) for each in tensors]),
                "pinned_ns": timed(lambda: [each.to(self.device, non_blocking=True) for each in pinned])}

    def _new_epoch(self):
        if self.workers and not self.loader.persistent_workers:
            self.iterator._shutdown_workers()
        begun = time.perf_counter()
        self.iterator = iter(self.loader)
        self._next()
        return _ns(time.perf_counter() - begun)

    def close(self):
        iterator, self.iterator = self.iterator, None
        if hasattr(iterator, "_shutdown_workers"):
            iterator._shutdown_workers()
