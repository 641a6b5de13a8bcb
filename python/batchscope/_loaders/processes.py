"""What the system says of worker processes: CPU time and memory."""

import os

# Batches that are handed over lie in files of shared memory, and are nobody's own.
_SHARED_BATCHES = ("/dev/shm/", "/torch_", "/memfd:")


def cpu_ns(pid):
    """Of all threads of a process; 0 where it is gone or the kernel does not count it."""
    total = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        pass
    return total


def memory_of(pid):
    """{"pss_bytes", "private_dirty_bytes"} without batches in shared memory; None where it cannot be read."""
    sums, counts = {"Pss:": 0, "Private_Dirty:": 0}, True
    try:
        with open(f"/proc/{pid}/smaps") as file:
            for line in file:
                words = line.split(None, 5)
                if not words[0].endswith(":"):
                    counts = not (len(words) > 5 and words[5].startswith(_SHARED_BATCHES))
                elif counts and words[0] in sums:
                    sums[words[0]] += int(words[1])
    except (OSError, ValueError):
        return None
    return {"pss_bytes": sums["Pss:"] * 1024, "private_dirty_bytes": sums["Private_Dirty:"] * 1024}
