#!/usr/bin/env python3
"""Converts the tokenizer in a Hugging Face folder to OpenVINO IR, as `batchscope` loads it.

usage: convert_tokenizer.py FOLDER OUT [--max-length N]

FOLDER holds tokenizer.json or what transformers makes one of; nothing is downloaded. Writes
OUT/tokenizer.xml and .bin. Texts of more than N tokens, special ones included, are cut there. Without
N it is what sentence-transformers would use: max_seq_length of sentence_bert_config.json, else the
tokenizer's model_max_length. A truncation or padding written into tokenizer.json is dropped: it is
what somebody last saved it with, not what the model needs.

The facts that the texts' ids cannot tell stand in the IR's rt_info under "batchscope": vocabulary,
max_length, pad_id, special_tokens (that each text gets).
"""

import argparse
import json
import os
import pathlib
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

FINAL_SIGMA, NO_CHARACTER = "\u03c2", "\ufdd0"
LONGEST = 1_000_000  # model_max_length is 1e30 where nobody said one


def max_length_of(folder, tokenizer):
    config = folder / "sentence_bert_config.json"
    stated = json.loads(config.read_text()).get("max_seq_length") if config.is_file() else None
    length = stated or tokenizer.model_max_length
    if not 0 < length <= LONGEST:
        sys.exit(f"convert_tokenizer.py: {folder} states no maximum length; add --max-length N")
    return int(length)


def facts_of(tokenizer, max_length):
    return {
        "vocabulary": len(tokenizer),
        "max_length": max_length,
        "pad_id": tokenizer.pad_token_id if tokenizer.pad_token_id is not None else -1,
        "special_tokens": tokenizer.num_special_tokens_to_add(),
    }


def keep_final_sigma(model):
    """Lets a tokenizer that lowers letters do it as Hugging Face does, of the letters that words end in.

    openvino-tokenizers folds case instead, which makes a final sigma an inner one, and every Greek word that
    ends in it another. So the letter is hidden from the folding behind a code point that no text has.
    """
    from openvino_tokenizers.tokenizer_pipeline import _get_factory
    from openvino_tokenizers.utils import create_string_constant_node

    def replaced(places, old, new):
        inputs = [*places, *create_string_constant_node(old), *create_string_constant_node(new)]
        return _get_factory().create("RegexNormalization", inputs, {"global_replace": True}).outputs()

    for node in model.get_ordered_ops():
        if node.get_type_name() != "CharsMapNormalization" or not node.get_attributes().get("case_fold"):
            continue
        readers = [(place, list(output.get_target_inputs())) for place, output in enumerate(node.outputs())]
        hidden = replaced([place.get_source_output() for place in node.inputs()][:4], FINAL_SIGMA, NO_CHARACTER)
        for place, source in enumerate(hidden):
            node.input(place).replace_source_output(source)
        shown = replaced(node.outputs(), NO_CHARACTER, FINAL_SIGMA)
        for place, inputs in readers:
            for reader in inputs:
                reader.replace_source_output(shown[place])


def convert(folder, out, max_length=None):
    """The facts of the tokenizer that was written to out/tokenizer.xml."""
    import openvino
    from openvino_tokenizers import convert_tokenizer
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if not tokenizer.is_fast:
        sys.exit(f"convert_tokenizer.py: {folder} has no tokenizer that can be converted (tokenizer.json)")
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    facts = facts_of(tokenizer, max_length or max_length_of(folder, tokenizer))
    if facts["max_length"] <= facts["special_tokens"]:
        sys.exit(f"convert_tokenizer.py: {facts['max_length']} tokens leave no room for text")
    model = convert_tokenizer(tokenizer, max_length=facts["max_length"], truncation=True)
    keep_final_sigma(model)
    for name, value in facts.items():
        model.set_rt_info(value, ["batchscope", name])
    out.mkdir(parents=True, exist_ok=True)
    openvino.save_model(model, out / "tokenizer.xml", compress_to_fp16=False)
    return facts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--max-length", type=int)
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"convert_tokenizer.py: {options.folder} is no folder")
    facts = convert(options.folder, options.out, options.max_length)
    print(f"{options.out / 'tokenizer.xml'}: " + ", ".join(f"{name} {value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
