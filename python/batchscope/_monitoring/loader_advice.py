"""What to set where a training waits for its loader."""

import math
import os

LOW, MEDIUM, HIGH = 0.05, 0.15, 0.40  # of the time; as those of training.loading
HANDOVER_S = 0.002  # about what it takes to hand a batch over from a worker: 1 to 5 ms


def severity_of(share):
    """None: the loader keeps up."""
    return next((name for name, least in (("high", HIGH), ("medium", MEDIUM), ("low", LOW)) if share >= least), None)


def _cpus():
    return len(os.sched_getaffinity(0))


def fix_of(loader, totals):
    """The setting to change. Of W workers a batch comes every (wait + rest) of the loop, and costs one of them W times that."""
    workers = getattr(loader, "num_workers", None)
    if workers is None:
        return "load batches in other processes (DataLoader with num_workers), or make samples cheaper"
    wait = totals.parts["load"] / totals.counted
    if workers and not getattr(loader, "persistent_workers", False) and totals.start_wait > totals.parts["load"] / 2:
        return f"set persistent_workers=True: most of the wait is the start of {workers} worker{'s' if workers > 1 else ''} in each epoch"
    if wait < HANDOVER_S:
        return ("make samples cheaper, or batches larger: " + (
            "handing a batch over from a worker takes about as long as the wait" if workers else
            "a worker would not help, since handing a batch over takes 1 to 5 ms"))
    own, cpus = max(totals.seconds / totals.counted - wait, 1e-9), _cpus()
    needed = math.ceil(max(workers, 1) * (wait / own + (1 if workers else 0)))
    if min(needed, cpus) <= workers:
        return f"make samples cheaper: {workers} worker{'s' if workers > 1 else ''} already share {cpus} CPUs"
    return f"set num_workers={max(1, min(needed, cpus))} (now {workers}; {cpus} CPUs)"


def measuring_call(loader, totals):
    """The call that finds the best setting for steps as long as these; "" where the loader is none of torch's."""
    if getattr(loader, "num_workers", None) is None:
        return ""
    size = getattr(loader, "batch_size", None) or round(totals.samples / totals.counted) or "batch_size"
    own = (totals.seconds - totals.parts["load"]) / totals.counted
    return f"batchscope.torch.profile_loader(dataset, {size}, step={own:.2g})"
