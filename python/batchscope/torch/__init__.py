"""What batchscope does within a training of PyTorch; torch is imported when a name is first used.

    from batchscope.torch import TrainingGuard
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from batchscope._client.loaders import LoaderProfile, LoaderSetting, make_loader, profile_loader
    from batchscope._monitoring.hf_trainer import TrainerMonitor
    from batchscope._monitoring.lightning import LightningMonitor
    from batchscope._monitoring.plain import watch
    from batchscope._training.guard import TrainingGuard
    from batchscope._training.guarded_trainer import GuardedTrainerMixin
    from batchscope._training.resumable import ResumableLoader
    from batchscope._training.seeded import SeededDataset

_PLACES = {
    "_client.loaders": ("LoaderProfile", "LoaderSetting", "make_loader", "profile_loader"),
    "_monitoring.hf_trainer": ("TrainerMonitor",),
    "_monitoring.lightning": ("LightningMonitor",),
    "_monitoring.plain": ("watch",),
    "_training.guard": ("TrainingGuard",),
    "_training.guarded_trainer": ("GuardedTrainerMixin",),
    "_training.resumable": ("ResumableLoader",),
    "_training.seeded": ("SeededDataset",),
}
_NAMES = {name: place for place, names in _PLACES.items() for name in names}
__all__ = list(_NAMES)


def __getattr__(name):
    if name not in _NAMES:
        raise AttributeError(f"module 'batchscope.torch' has no attribute '{name}'")
    import importlib

    found = getattr(importlib.import_module(f"batchscope.{_NAMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *_NAMES})
