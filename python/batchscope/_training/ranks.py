"""What the ranks of a training agree on in a step: whether it can be made, who has to stop, and the gradients of all."""

import contextlib

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from batchscope._errors import MeasurementError, UsageError

_BUCKET_BYTES = 1 << 25


def inner_module(model):
    """The model within DistributedDataParallel and torch.compile."""
    while True:
        model, outer = getattr(model, "_orig_mod", model), model
        if isinstance(model, DistributedDataParallel):
            model = model.module
        if model is outer:
            return model


def _ddp_of(model):
    while hasattr(model, "_orig_mod"):
        model = model._orig_mod
    return model if isinstance(model, DistributedDataParallel) else None


def _refuse_sharded(model):
    from torch.distributed.fsdp import FSDPModule, FullyShardedDataParallel
    from torch.distributed.tensor import DTensor

    if any(isinstance(each, (FullyShardedDataParallel, FSDPModule)) for each in model.modules()) or any(
            isinstance(each, DTensor) for each in model.parameters()):
        raise UsageError("TrainingGuard does not support FSDP or sharded parameters: ranks exchange them within a step, so a step that ran "
                         "out of memory on one rank cannot run again. Use DistributedDataParallel, or torch.distributed.checkpoint and "
                         "your scheduler's signals")


def ranks_of(model):
    """Alone, or Ranks where torch.distributed has several. UsageError: FSDP; several ranks without DistributedDataParallel."""
    distributed = dist.is_available() and dist.is_initialized()
    if not distributed:
        return Alone()
    _refuse_sharded(model)
    if dist.get_world_size() == 1:
        return Alone()
    ddp = _ddp_of(model)
    if ddp is None:
        raise UsageError(f"torch.distributed has {dist.get_world_size()} ranks, but the model is not wrapped in "
                         "DistributedDataParallel: pass the wrapped model to TrainingGuard")
    return Ranks(ddp)


class Alone:
    """One process."""

    rank, size = 0, 1

    def local(self):
        return contextlib.nullcontext()

    def agree(self, items, stop, failure, limit, parameters):
        if failure is not None:
            raise failure
        return items, stop, limit

    def reduce(self, parameters, items, total):
        pass

    def gather(self, mine):
        return [mine]

    def check_together(self, failure):
        if failure is not None:
            raise failure

    def check_same(self, what, mine):
        pass


class Ranks:
    """Several processes under DistributedDataParallel, each of which makes its micro-batches without exchanging gradients.

    Flags go through a group of the backend gloo, on the host, so that no step waits for the device."""

    def __init__(self, ddp):
        self._ddp, self.rank, self.size = ddp, dist.get_rank(), dist.get_world_size()
        self._group = dist.new_group(backend="gloo")
        # Buffers would be exchanged within forward, which one rank may not reach; they are after the step.
        self._sends_buffers, ddp.require_forward_param_sync = bool(ddp.broadcast_buffers), False
        self._used, self._flat = [], {}
        sizes = {}
        for each in ddp.module.parameters():
            if each.requires_grad:
                key = each.dtype, each.device
                sizes[key] = min(sizes.get(key, 0) + each.numel(), _BUCKET_BYTES // each.element_size())
        # Now, because a rank that ran out of memory for them later would leave the others waiting.
        for (dtype, device), size in sizes.items():
            self._flat[dtype, device] = torch.empty(size, dtype=dtype, device=device)

    def local(self):
        return self._ddp.no_sync()

    def agree(self, items, stop, failure, limit, parameters):
        """(items of all ranks, whether any has to stop, the lowest limit); raises on every rank where one has failed.

        Which parameters have gradients anywhere is kept for reduce()."""
        found = self._exchange([items, stop, failure is not None, limit, *(each.grad is not None for each in parameters)])
        if failure is not None:
            raise failure
        failed = [str(rank) for rank, failed in enumerate(found[:, 2].tolist()) if failed]
        if failed:
            raise MeasurementError(f"the step failed on rank {', '.join(failed)} (see its output), so rank {self.rank} stops, "
                                   "too")
        self._used = found[:, 4:].any(0).tolist()
        return float(found[:, 0].sum()), bool(found[:, 1].any()), float(found[:, 3].min())

    def _exchange(self, numbers):
        """Those of every rank, a row each."""
        mine = torch.tensor([float(each) for each in numbers], dtype=torch.float64)
        found = [torch.empty_like(mine) for _ in range(self.size)]
        dist.all_gather(found, mine, group=self._group)
        return torch.stack(found)

    def reduce(self, parameters, items, total):
        """Makes of each rank's gradients, of a loss that was divided by its own items, those of all items."""
        waiting, sizes = {}, dict.fromkeys(self._flat, 0)
        for each, is_used in zip(parameters, self._used):
            if not is_used:
                continue
            if each.grad is None:
                each.grad = torch.zeros_like(each)
            key, size = (each.grad.dtype, each.grad.device), each.numel()
            if sizes[key] + size > self._flat[key].numel():
                self._reduce(key, waiting.pop(key, []), items / total)
                sizes[key] = 0
            if size > self._flat[key].numel():
                self._reduce_large(each.grad, items / total)
                continue
            waiting.setdefault(key, []).append(each.grad)
            sizes[key] += size
        for key, grads in waiting.items():
            self._reduce(key, grads, items / total)
        if self._sends_buffers:
            self._send_buffers()

    def _reduce(self, key, grads, weight):
        if not grads:
            return
        sizes = [each.numel() for each in grads]
        flat = self._flat[key][:sum(sizes)]
        parts = [part.view_as(each) for part, each in zip(flat.split(sizes), grads)]
        torch._foreach_copy_(parts, grads)
        dist.all_reduce(flat.mul_(weight))
        torch._foreach_copy_(grads, parts)

    def _reduce_large(self, grad, weight):
        flat = grad.mul_(weight).contiguous()
        dist.all_reduce(flat)
        if flat is not grad:
            grad.copy_(flat)

    def _send_buffers(self):
        """Rank 0's, as DistributedDataParallel does."""
        kinds = {}
        for each in self._ddp.module.buffers():
            kinds.setdefault((each.dtype, each.device), []).append(each)
        for buffers in kinds.values():
            flat = torch.cat([each.detach().flatten() for each in buffers])
            dist.broadcast(flat, 0)
            with torch.no_grad():
                for each, part in zip(buffers, flat.split([each.numel() for each in buffers])):
                    each.copy_(part.view_as(each))

    def gather(self, mine):
        """What each rank has, on rank 0; None on the others."""
        found = [None] * self.size if self.rank == 0 else None
        dist.gather_object(mine, found, group=self._group)
        return found

    def check_together(self, failure):
        """Raises on every rank where one has failed."""
        self.agree(0, False, failure, 0, ())

    def check_same(self, what, mine):
        """MeasurementError on every rank where they do not all have the same."""
        found = [None] * self.size
        dist.all_gather_object(found, mine, group=self._group)
        if any(each != mine for each in found):
            raise MeasurementError(f"the ranks disagree on {what}: " + "; ".join(
                f"rank {rank} has {each}" for rank, each in enumerate(found)))
