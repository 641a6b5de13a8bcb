"""The callable that peers_python.py times: a forward pass of a small eager module."""

import torch


def forward(batch_size):
    torch.manual_seed(0)
    layers = [each for _ in range(4) for each in (torch.nn.Linear(384, 384), torch.nn.GELU())]
    module = torch.nn.Sequential(*layers).eval()
    x = torch.rand(batch_size, 384)

    def run():
        with torch.inference_mode():
            return module(x)

    return run
