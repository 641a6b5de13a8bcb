"""The generators that a training draws from: read, put back, written into a checkpoint."""

import random
import sys

import torch


def _devices():
    """Of CUDA, without starting it."""
    return torch.cuda.is_initialized()


def torch_state():
    """Of torch's generators: what a step draws from."""
    return torch.get_rng_state(), torch.cuda.get_rng_state_all() if _devices() else None


def set_torch_state(state):
    torch.set_rng_state(state[0])
    if state[1] is not None:
        torch.cuda.set_rng_state_all(state[1])


def all_state():
    """Of torch, NumPy and Python, in types that torch.load(weights_only=True) reads."""
    version, numbers, gauss = random.getstate()
    state = {"torch": torch.get_rng_state(), "python": (version, list(numbers), gauss)}
    if _devices():
        state["cuda"] = torch.cuda.get_rng_state_all()
    if "numpy" in sys.modules:
        name, keys, position, has_gauss, cached = sys.modules["numpy"].random.get_state()
        state["numpy"] = (name, torch.from_numpy(keys.astype("int64")), position, has_gauss, cached)
    return state


def set_all_state(state):
    torch.set_rng_state(state["torch"])
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))
    if "cuda" in state and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"][:torch.cuda.device_count()])
    if "numpy" in state:
        import numpy

        name, keys, position, has_gauss, cached = state["numpy"]
        numpy.random.set_state((name, keys.numpy().astype("uint32"), position, has_gauss, cached))
