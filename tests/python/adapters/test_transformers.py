"""Models of transformers by a configuration or a folder."""

import json
import os
import sys

import pytest
from tiny import (  # noqa: F401: fixtures are used by their names
    BERT, CONFIGS, EXPECTED, TEXT, VISION, GPT2, IDS, MASK, at_batch, checkpoints, config, core, facts_of, library, load, offline,
    outputs, parameters, refusal, returned, shapes, stored, torch,
)


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

    def test_facts_are_reported_without_loading_the_weights(self, stored):
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
        assert (refused.kind, "ResNetModel does not support checkpointing" in refused.what) == ("failed", True)

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
        assert "'some/other' is neither a folder nor a model in the local cache" == refused.what
        assert refused.fix.endswith("or one of some/tiny")

    def test_a_name_is_not_asked_for_elsewhere(self, tmp_path, monkeypatch):
        hub = library("huggingface_hub")
        monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", False)  # as where it was loaded by someone else before
        assert refusal(load, "hf:some/other").fix == "batchscope downloads nothing; give a folder with config.json"

    def test_libraries_are_reported_to_stay_offline(self, config):
        facts_of(f"hf:{config(BERT)}")
        assert (os.environ["HF_HUB_OFFLINE"], os.environ["TRANSFORMERS_OFFLINE"]) == ("1", "1")

    @pytest.mark.parametrize("call", [facts_of, load])
    @pytest.mark.parametrize("fields, what", [
        (None, "this folder has no config.json"),
        ({"model_type": "nosuch"}, "does not know this configuration"),
        ({}, "does not know this configuration"),
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
        (reported,) = header["models"]
        assert reported["path"] == model
        assert reported["description"] == "BertModel, 2 layers, 16 wide, random weights"
        assert reported["inputs"] == EXPECTED["bert"][0]
        (visit,) = [each for each in others if each["type"] == "visit"]
        assert visit["samples_ns"]
        assert others[-1]["reason"] == "blocks-done"
