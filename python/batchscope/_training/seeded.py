"""Samples that come out the same whoever makes them: any worker, any number of workers, before or after a kill."""

import hashlib
import random
import sys

import torch

from batchscope._training.random_state import all_state, set_all_state


def seed_of(seed, epoch, index):
    """64 bits of a sample."""
    return int.from_bytes(hashlib.blake2b(f"{seed},{epoch},{index}".encode(), digest_size=8).digest(), "little")


class SeededDataset(torch.utils.data.Dataset):
    """A map-style data set whose random augmentation depends on (seed, epoch, index of the sample) alone.

        loader = DataLoader(SeededDataset(images, seed=1), batch_sampler=sampler, num_workers=4)

    The generators of torch, NumPy and Python are seeded before each sample, in whichever process makes it; those of the trainer
    are put back. The epoch is that of the batch where bs.BatchSampler made it, else what set_epoch was given.
    """

    def __init__(self, dataset, seed=0):
        self.dataset, self.seed = dataset, seed
        self._epoch = torch.zeros((), dtype=torch.int64).share_memory_()  # seen by workers that run already

    def set_epoch(self, epoch):
        """Of samples from here on, from 0; TrainingGuard.batches() calls it."""
        self._epoch.fill_(epoch)

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, index):
        return self.__getitems__([index])[0]

    def __getitems__(self, indices):
        epoch = getattr(indices, "epoch", None)
        epoch = int(self._epoch) if epoch is None else epoch
        is_worker = torch.utils.data.get_worker_info() is not None
        before = None if is_worker else all_state()
        try:
            return [self._sample(epoch, index) for index in indices]
        finally:
            if before is not None:
                set_all_state(before)

    def _sample(self, epoch, index):
        seed = seed_of(self.seed, epoch, index)
        torch.default_generator.manual_seed(seed)
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed & 0xFFFFFFFF)
        return self.dataset[index]
