"""The data sets of loaders_made.py: functions without arguments, as --loader python:loader_sets.py:jpeg names them.

Files are made once, in the folder BATCHSCOPE_SETS."""

import os
import random
import re
import time

import numpy as np
import torch
from torch.utils.data import Dataset

FOLDER = os.environ.get("BATCHSCOPE_SETS", "/tmp/batchscope-sets")


class Memory(Dataset):
    def __init__(self, samples=2048):
        self.values, self.labels = torch.randn(samples, 3, 64, 64), torch.arange(samples)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index], self.labels[index]


class Images(Dataset):
    """A quarter of them is four times as large."""

    def __init__(self, ending, samples=384):
        from PIL import Image

        os.makedirs(FOLDER, exist_ok=True)
        self.files = [os.path.join(FOLDER, f"{index}.{ending}") for index in range(samples)]
        numbers = np.random.default_rng(0)
        for index, file in enumerate(self.files):
            small = numbers.integers(0, 255, (30 + index % 20, 40, 3), dtype=np.uint8)
            if os.path.exists(file):
                continue
            size = (320, 240) if index % 4 else (640, 480)
            made = f"{file}.{os.getpid()}.{ending}"
            Image.fromarray(small).resize(size, Image.BICUBIC).save(made, **({"quality": 85} if ending == "jpg" else {}))
            os.replace(made, file)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        from PIL import Image

        image = Image.open(self.files[index]).convert("RGB").resize((224, 224), Image.BILINEAR)
        return torch.from_numpy(np.asarray(image).copy()).permute(2, 0, 1).float().div_(255).sub_(0.45).div_(0.22), index


class Text(Dataset):
    """Texts of lognormal lengths, cut into pieces of known words by a tokenizer in Python."""

    def __init__(self, samples=4096):
        draw = random.Random(0)
        words = ["".join(draw.choice("abcdefghijklmnop") for _ in range(draw.randint(2, 9))) for _ in range(3000)]
        lengths = [max(5, min(400, int(draw.lognormvariate(4.3, 0.8)))) for _ in range(samples)]
        self.texts = [" ".join(draw.choices(words, k=length)) for length in lengths]
        self.ids = {word: number for number, word in enumerate(words[:2000])}

    def __len__(self):
        return len(self.texts)

    def _pieces(self, word):
        found = self.ids.get(word)
        return [found] if found is not None else [2000 + ord(letter) for letter in word]

    def __getitem__(self, index):
        words = re.findall(r"\w+", self.texts[index])
        return torch.tensor([each for word in words for each in self._pieces(word)][:512])


class Remote(Dataset):
    """Each sample comes after about 5 ms, some after much longer."""

    def __init__(self, samples=512):
        self.values = torch.randn(samples, 3, 32, 32)
        self.latency_s = np.random.default_rng(0).exponential(0.004, samples) + 0.001

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        time.sleep(self.latency_s[index])
        return self.values[index]


def padded(samples):
    return torch.nn.utils.rnn.pad_sequence(samples, batch_first=True)


def memory():
    return Memory()


def jpeg():
    return Images("jpg")


def ppm():
    return Images("ppm")


def text():
    return {"dataset": Text(), "collate_fn": padded}


def remote():
    return Remote()


BATCH = {"memory": 64, "jpeg": 16, "ppm": 16, "text": 32, "remote": 8}
