"""What the adapters of libraries share: finding the library and a model's files, and what a text model takes.

Nothing is downloaded: a name means what is in the local cache, or is refused.
"""

import importlib
import os
import pathlib
import sys

from batchscope._content import digest
from batchscope._explain import Refused, words_of

LONGEST_BY_DEFAULT = 128  # tokens, of models that take more
CONFIG = "config.json"


def library(name, package=None):
    """The module of that name. It must not use the network, which it reads when it is loaded."""
    package = package or name
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        return importlib.import_module(name)
    except Exception as raised:
        if isinstance(raised, ModuleNotFoundError) and raised.name == name:
            raise Refused("failed", f"{package} is not installed in this Python", sys.executable,
                          f"pip install {package}") from None
        # Such as a torchvision that was built for another torch.
        raise Refused("failed", f"{package} is installed, but failed to load: {words_of(raised)}", sys.executable,
                      f"make sure {sys.executable} -c 'import {name}' works") from raised


def refuse_params(request):
    """Nothing is measured under a value that nobody takes."""
    for name in request.param:
        raise Refused("usage", f"this model has no --param, so no '{name}'", request.model,
                      "omit it, or create the model in your own factory: net.py:factory")


def checkpointed(module, request, enable):
    """Where it is asked for, activations are computed again in the backward pass; `enable()` is the library's own."""
    if not (request.train and request.checkpointing):
        return
    try:
        enable()
    except (AttributeError, ValueError, AssertionError) as raised:
        raise Refused("failed", f"{type(module).__name__} does not support checkpointing: {words_of(raised)}", request.model,
                      "measure it without --checkpointing") from None


def checkpointed_by_transformers(module, request):
    # Its name now, and before version 5.
    enable = getattr(module, "activation_checkpointing_enable", None) or module.gradient_checkpointing_enable
    checkpointed(module, request, enable)


def cached_names():
    hub = library("huggingface_hub")
    try:
        return sorted(each.repo_id for each in hub.scan_cache_dir().repos if each.repo_type == "model")
    except hub.errors.CacheNotFound:
        return []


def folder_of(name, model):
    """The folder of a model: itself, or what the local cache has of that name."""
    path = os.path.expanduser(name)
    if os.path.isdir(path):
        return pathlib.Path(path)
    hub = library("huggingface_hub")
    try:
        return pathlib.Path(hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        known = cached_names()
        raise Refused("input", f"'{name}' is neither a folder nor a model in the local cache", model,
                      "batchscope downloads nothing; give a folder with " + CONFIG +
                      (", or one of " + ", ".join(known[:8]) if known else "")) from None


def weights_in(folder):
    """The files with weights in a folder, as transformers chooses them."""
    return sorted(folder.glob("model*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))


def content_hash(paths):
    return "sha256:" + digest(paths)


def read_config(path, model):
    """The configuration in a folder or a file, as transformers understands it."""
    transformers = library("transformers")
    try:
        return transformers.AutoConfig.from_pretrained(path, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError) as raised:
        version = transformers.__version__
        raise Refused("input", f"transformers {version} does not know this configuration: {words_of(raised)}", str(path),
                      f"{CONFIG} has to name a model_type of transformers; batchscope does not run the model's own code: "
                      "create such a model in a factory, net.py:factory") from None


def text_inputs(config, takes):
    """Of a text model: made-up tokens, of which none is padding. `takes`: the names of forward's arguments."""
    tokens = f"BxS:int64=0-{config.vocab_size - 1}"
    inputs = [f"input_ids:{tokens}"]
    if "attention_mask" in takes:
        inputs.append("attention_mask:BxS:int64=1")
    if "token_type_ids" in takes and (getattr(config, "type_vocab_size", 0) or 0) > 0:
        inputs.append("token_type_ids:BxS:int64=0")
    if "decoder_input_ids" in takes and getattr(config, "is_encoder_decoder", False):
        inputs.append(f"decoder_input_ids:{tokens}")
    return inputs


def default_seq_len(config):
    longest = getattr(config, "max_position_embeddings", None) or 0
    return min(LONGEST_BY_DEFAULT, longest) if longest > 0 else LONGEST_BY_DEFAULT


def sizes_of(config):
    """As in "6 layers, 768 wide", as far as the configuration says it."""
    reported = (("num_hidden_layers", "layers"), ("hidden_size", "wide"))
    return [f"{getattr(config, name)} {word}" for name, word in reported if isinstance(getattr(config, name, None), int)]
