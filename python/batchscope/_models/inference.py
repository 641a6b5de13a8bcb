"""Torch's inference mode for the iterations of a visit: entered once, as a loop of one's own does, not anew for each.

It is the thread's, and one thread makes all visits of a process; so is what is noted here.
"""

import torch

_entered = []


def enter():
    leave()
    mode = torch.inference_mode()
    mode.__enter__()
    _entered.append(mode)


def leave():
    while _entered:
        _entered.pop().__exit__(None, None, None)
