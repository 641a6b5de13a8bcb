# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # My encoder is slow
#
# A service turns token ids into vectors, one request at a time. This notebook goes from "it is slow" to the setting to
# deploy. Everything is measured where you run it; `LENGTH` says how long: set it to "full" for figures to act on.

# %%
import os

import torch

import batchscope as bs

LENGTH = os.environ.get("NOTEBOOK_LENGTH", "full")
blocks = {"blocks": 3, "iterations": 3} if LENGTH == "short" else {"blocks": 12}


class Encoder(torch.nn.Module):
    """Four layers, 256 wide; the mean over the tokens."""

    def __init__(self, layers=4, width=256):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(width, nhead=4, dim_feedforward=4 * width, batch_first=True)
        self.embedding = torch.nn.Embedding(30_000, width)
        self.layers = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)

    def forward(self, ids):
        return self.layers(self.embedding(ids)).mean(dim=1)


inputs = {"ids": "BxS:int64=0-29999"}

# %% [markdown]
# ## Which batch size?
#
# The class was defined in a cell. It is carried to a fresh interpreter for every visit, and the sizes are visited in random
# order, so that no size profits from what ran before it.

# %%
run = bs.profile(Encoder, inputs=inputs, seq_lens=64, batch_sizes=[1, 2, 4, 8, 16], output="encoder.jsonl", overwrite=True,
                 **blocks)
run.analyze()

# %% [markdown]
# ## Is that an answer, or noise?
#
# The answer says how sure it is. What it does not claim is not shown: with few blocks it says how many it would take.

# %%
answer = run.analyze().answer
print(answer.headline)
print(answer.sure)

# %% [markdown]
# ## Would 16 bits help?
#
# Precision is an axis: both are measured in one run, interleaved, and their outputs are held against each other.

# %%
both = bs.profile(Encoder, inputs=inputs, seq_lens=64, batch_sizes=[1, 8], precision="fp32,bf16", **blocks)
for comparison in both.analyze().comparisons:
    print(comparison.message)

# %% [markdown]
# ## A setting for the service
#
# `autotune` measures once a machine, model and bounds, and keeps the answer in a file: the next start of the service takes
# it from there.

# %%
budget = "20s" if LENGTH == "short" else "120s"
setting = bs.autotune(Encoder, inputs=inputs, seq_lens=64, batch_sizes=[1, 2, 4, 8], budget=budget, cache="cache")
print(setting)

# %% [markdown]
# ## In the service
#
# Requests come one by one; the batcher gathers those that wait.

# %%
model = Encoder().eval()


def encode(requests, instance):
    with torch.inference_mode():
        return list(model(torch.stack(requests)))


with bs.Batcher(encode, max_batch=setting.batch_size) as batcher:
    answers = [batcher.submit(torch.randint(0, 30_000, (64,))) for _ in range(24)]
    vectors = [each.result() for each in answers]
print(len(vectors), "vectors of", tuple(vectors[0].shape), "in batches of", batcher.counters()["batch_sizes"])

# %% [markdown]
# ## A page to send
#
# `report` writes one file, with everything measured in it.

# %%
run.report("encoder.html", overwrite=True)
