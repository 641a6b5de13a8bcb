"""Tiny models of transformers, and what the tests of all adapters ask of a model."""

import json
import socket

import pytest

core = pytest.importorskip("batchscope._core", reason="the native module is not built")
torch = pytest.importorskip("torch")

from batchscope._explain import Refused  # noqa: E402
from batchscope._inside import host  # noqa: E402

TEXT = {"vocab_size": 100, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
        "max_position_embeddings": 64}
IDS, MASK = "input_ids:BxS:int64=0-99", "attention_mask:BxS:int64=1"
VISION = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
          "image_size": 32, "patch_size": 8}
BERT = {"model_type": "bert", "architectures": ["BertModel"], **TEXT}
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 100, "n_embd": 16, "n_layer": 2,
        "n_head": 2, "n_positions": 256, "bos_token_id": 1, "eos_token_id": 1}
CONFIGS = {
    "bert": BERT,
    "no architecture": {"model_type": "distilbert", "vocab_size": 100, "dim": 16, "n_layers": 2, "n_heads": 2,
                        "hidden_dim": 32, "max_position_embeddings": 64},
    "causal": GPT2,
    "encoder-decoder": {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "vocab_size": 100,
                        "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2,
                        "is_encoder_decoder": True},
    "vision": {"model_type": "vit", "architectures": ["ViTModel"], **VISION},
    "convolutions": {"model_type": "resnet", "architectures": ["ResNetModel"], "embedding_size": 8,
                     "hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1]},
    "audio": {"model_type": "wav2vec2", "architectures": ["Wav2Vec2Model"], "hidden_size": 16, "num_hidden_layers": 2,
              "num_attention_heads": 2, "intermediate_size": 32, "num_conv_pos_embeddings": 16,
              "num_conv_pos_embedding_groups": 2, "conv_dim": [16] * 7},
}
# Inputs, default length, description, and shapes of the outputs at batch B and that length.
EXPECTED = {
    "bert": ([IDS, MASK, "token_type_ids:BxS:int64=0"], 64, "BertModel, 2 layers, 16 wide, random weights",
             [["B", 64, 16], ["B", 16]]),
    "no architecture": ([IDS, MASK], 64, "DistilBertModel, 2 layers, 16 wide, random weights", [["B", 64, 16]]),
    "causal": ([IDS, MASK], 128, "GPT2LMHeadModel, 2 layers, 16 wide, random weights", [["B", 128, 100]]),
    "encoder-decoder": ([IDS, MASK, "decoder_input_ids:BxS:int64=0-99"], 128,
                        "T5ForConditionalGeneration, 2 layers, 16 wide, random weights",
                        [["B", 128, 100], ["B", 128, 16]]),
    "vision": (["pixel_values:Bx3x32x32"], None, "ViTModel, 2 layers, 16 wide, random weights",
               [["B", 17, 16], ["B", 16]]),
    "convolutions": (["pixel_values:Bx3x224x224"], None, "ResNetModel, random weights",
                     [["B", 16, 7, 7], ["B", 16, 1, 1]]),
    "audio": (["input_values:Bx16000"], None, "Wav2Vec2Model, 2 layers, 16 wide, random weights",
              [["B", 49, 16], ["B", 49, 16]]),
}


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed: ./dev models")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Whoever asks the network fails the test, even where the library goes on without an answer."""
    asked = []

    def refuse(*arguments, **_):
        asked.append(arguments)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "0")  # so that it is as before when the test has ended
    yield
    assert asked == []


@pytest.fixture
def config(tmp_path):
    """config(fields): the folder of a model with this configuration and without weights."""

    def write(fields, name="model"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps(fields))
        return folder

    return write


@pytest.fixture
def stored(config):
    """The folder of a BERT with its weights."""
    transformers = library("transformers")
    folder = config(BERT)
    torch.manual_seed(7)
    transformers.BertModel(transformers.AutoConfig.from_pretrained(folder)).save_pretrained(folder)
    return folder


def load(model, **asked):
    return host.load({"model": str(model), **asked})


def facts_of(model, inputs=()):
    return host.facts_of({"model": str(model), "inputs": list(inputs), "seed": 0})


def refusal(call, *arguments, **named):
    with pytest.raises(Refused) as raised:
        call(*arguments, **named)
    return raised.value


def outputs(loaded, inputs, batch, seq_len=None):
    return loaded.infer(core.make_inputs(inputs, batch, seq_len, 0))


def shapes(reported):
    return [shape for _, _, shape, _ in reported]


def at_batch(expected, batch):
    return [[batch if size == "B" else size for size in shape] for shape in expected]


def returned(loaded, batch, seq_len=None):
    """The tensors of one iteration."""
    from batchscope._models.modules import tensors_in

    return tensors_in(loaded.prepare(batch, seq_len).run())


def parameters(loaded):
    return [each.detach().clone() for each in loaded.body.module.parameters()]


def checkpoints(module):
    return any(getattr(each, "gradient_checkpointing", False) for each in module.modules())
