"""What to set where a training waits for its loader."""

import math
import os

LOW, MEDIUM, HIGH = 0.05, 0.15, 0.40  # of the time; as those of training.loading


def severity_of(share):
    """None: the loader keeps up."""
    return next((name for name, least in (("high", HIGH), ("medium", MEDIUM), ("low", LOW)) if share >= least), None)


def _cpus():
    return len(os.sched_getaffinity(0))


def fix_of(loader, totals):
    """The setting to change, made of what was seen: with W workers a batch comes every (wait + rest) / 1 of the loop."""
    workers = getattr(loader, "num_workers", None)
    if workers is None:
        return "load batches in other processes (DataLoader with num_workers), or make samples cheaper"
    if workers and not getattr(loader, "persistent_workers", False) and totals.start_wait > totals.parts["load"] / 2:
        return f"set persistent_workers=True: most of the wait is the start of {workers} workers in each epoch"
    own = max(totals.seconds - totals.parts["load"], 1e-9)
    needed = math.ceil(max(workers, 1) * (totals.parts["load"] / own + (1 if workers else 0)))
    cpus = _cpus()
    if workers >= cpus or (workers and min(needed, cpus) <= workers):
        return f"make samples cheaper: {workers} workers already share {cpus} CPUs"
    return f"set num_workers={max(1, min(needed, cpus))} (now {workers}; {cpus} CPUs)"


def measuring_call(loader, totals):
    """The call that finds the best setting for steps as long as these; "" where the loader is none of torch's."""
    if getattr(loader, "num_workers", None) is None:
        return ""
    size = getattr(loader, "batch_size", None) or round(totals.samples / totals.counted) or "batch_size"
    own = (totals.seconds - totals.parts["load"]) / totals.counted
    return f"batchscope.torch.profile_loader(dataset, {size}, step={own:.2g})"
