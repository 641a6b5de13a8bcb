"""Models of sentence-transformers: `st:` and a folder of SentenceTransformer.save, or a name in the local cache.

An iteration turns made-up tokens into vectors, as encode() does after it has split the texts.
"""

from dataclasses import replace

from batchscope._explain import Refused, words_of
from batchscope._models import text_inputs
from batchscope._models.factory import set_torch_threads

TAKES = ("input_ids", "attention_mask")
HASHED = ("modules.json", text_inputs.CONFIG, "sentence_bert_config.json")


def folder_of(request):
    folder = text_inputs.folder_of(request.model.removeprefix("st:"), request.model)
    if not (folder / "modules.json").is_file() and not (folder / text_inputs.CONFIG).is_file():
        raise Refused("input", "this folder has neither modules.json nor config.json", str(folder),
                      "use a folder written by SentenceTransformer.save")
    return folder


def files_of(folder):
    """What says what the model computes: its modules, each in a folder of its own, and their weights."""
    folders = [folder, *sorted(each for each in folder.iterdir() if each.is_dir())]
    return [path for each in folders
            for path in [*(each / name for name in HASHED), *text_inputs.weights_in(each)] if path.is_file()]


def load(request):
    """The SentenceTransformer, and the configuration of its text model."""
    torch = text_inputs.library("torch")
    library = text_inputs.library("sentence_transformers", "sentence-transformers")
    set_torch_threads(request)
    folder = folder_of(request)
    try:
        model = library.SentenceTransformer(str(folder), device="cpu", local_files_only=True, trust_remote_code=False,
                                            model_kwargs={"dtype": torch.float32})
    except (OSError, ValueError, KeyError) as raised:
        raise Refused("input", f"sentence-transformers {library.__version__} cannot load it: {words_of(raised)}",
                      str(folder), "the folder needs modules.json, config.json, a tokenizer and weights") from None
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    if not hasattr(config, "vocab_size"):
        raise Refused("input", f"its first module, {type(model[0]).__name__}, is not a text model of transformers",
                      str(folder), "create the model in your own factory: net.py:factory")
    return model, config


def encoder(model):
    """The same as a module whose inputs have names and whose output is the vectors."""
    torch = text_inputs.library("torch")

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask):
            return self.model({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]

    return Encoder()


def inputs_of(config, request):
    return request.inputs or text_inputs.text_inputs(config, TAKES)


def open_model(request):
    from batchscope._models.modules import ModuleBody

    text_inputs.refuse_params(request)
    model, config = load(request)
    text_inputs.checkpointed_by_transformers(model[0].auto_model, request)
    return ModuleBody(encoder(model), request, inputs=inputs_of(config, request))


def describe(request):
    model, config = load(request)  # its modules are made only with their weights
    from batchscope._models.modules import facts_of_module

    inputs = inputs_of(config, request)
    facts = facts_of_module(model, replace(request, inputs=inputs))
    if facts["has_seq_len"]:
        longest = model.max_seq_length or text_inputs.LONGEST_BY_DEFAULT
        facts["default_seq_len"] = min(text_inputs.default_seq_len(config), longest)
    first = type(model[0].auto_model).__name__
    modules = [first, *(type(each).__name__ for each in list(model)[1:])]
    described = ["SentenceTransformer of " + " + ".join(modules), *text_inputs.sizes_of(config),
                 "weights of its folder"]
    return facts | {"inputs": inputs, "description": ", ".join(described),
                    "hash": text_inputs.content_hash(files_of(folder_of(request)))}
