"""What the steps of a training took, all together."""

from batchscope._monitoring.step_clock import PARTS


class Totals:
    """Sums over steps. The first is left out where there are others: workers, compilers and caches start in it."""

    def __init__(self):
        self.steps, self.parts, self.samples = 0, dict.fromkeys(PARTS, 0.0), 0
        self.starts, self.start_wait = 0, 0.0  # of epochs: how many, and the waits for their first batches

    def add(self, parts, samples, is_start):
        if self.steps == 1:
            self.parts, self.samples, self.starts, self.start_wait = dict.fromkeys(PARTS, 0.0), 0, 0, 0.0
        self.steps += 1
        for part, seconds in parts.items():
            self.parts[part] += max(0.0, seconds)
        self.samples += samples or 0
        if is_start:
            self.starts += 1
            self.start_wait += parts["load"]

    @property
    def counted(self):
        """Steps that the sums are of."""
        return max(1, self.steps - 1)

    @property
    def seconds(self):
        return sum(self.parts.values())

    @property
    def has_loader(self):
        return self.parts["load"] > 0

    def share(self, part):
        return self.parts[part] / self.seconds if self.seconds > 0 else 0.0
