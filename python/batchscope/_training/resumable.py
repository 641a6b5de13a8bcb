"""A DataLoader that Lightning can resume within an epoch."""

from torch.utils.data import DataLoader

from batchscope._errors import UsageError


class ResumableLoader(DataLoader):
    """A DataLoader over bs.BatchSampler whose position Lightning saves with its checkpoints.

        trainer.fit(module, ResumableLoader(dataset, batch_sampler=sampler, num_workers=4))

    A batch counts as trained when it is handed out, since Lightning saves after it. In other loops call sampler.trained().
    """

    def __init__(self, dataset, *, batch_sampler, **keywords):
        if not all(hasattr(batch_sampler, name) for name in ("state_dict", "load_state_dict", "trained")):
            raise UsageError(f"batch_sampler ({type(batch_sampler).__name__}) lacks state_dict, load_state_dict or trained; use "
                             "bs.BatchSampler")
        super().__init__(dataset, batch_sampler=batch_sampler, **keywords)

    def __iter__(self):
        for batch in super().__iter__():
            self.batch_sampler.trained()
            yield batch

    def state_dict(self):
        return self.batch_sampler.state_dict()

    def load_state_dict(self, state):
        self.batch_sampler.load_state_dict(state)
