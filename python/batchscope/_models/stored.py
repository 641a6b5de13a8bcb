"""Tensors within a pickle, as the same bytes whichever process writes them: torch's own hold an address of its memory."""

import ctypes
import sys


def reduced(obj):
    """As __reduce__ of a storage on the CPU; NotImplemented for anything else."""
    torch = sys.modules.get("torch")
    if torch is None or type(obj) is not torch.storage.TypedStorage:
        return NotImplemented
    storage = obj._untyped_storage
    if storage.device.type != "cpu":
        return NotImplemented
    return storage_of, (ctypes.string_at(storage.data_ptr(), storage.nbytes()) if storage.nbytes() else b"", obj.dtype)


def storage_of(data, dtype):
    import torch

    made = torch.empty(0, dtype=torch.uint8) if not data else torch.frombuffer(bytearray(data), dtype=torch.uint8).clone()
    return torch.storage.TypedStorage(wrap_storage=made.untyped_storage(), dtype=dtype, _internal=True)
