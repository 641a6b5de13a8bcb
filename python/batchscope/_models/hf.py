"""Models of transformers: `hf:` and a folder with config.json, such a file, or a name in the local cache.

With the weights that lie in the folder; without any, with random ones. A language model makes one forward pass over its
prompt; nothing is generated.
"""

import inspect
import os
import pathlib
from dataclasses import dataclass, replace

from batchscope._explain import Refused
from batchscope._models import text_inputs
from batchscope._models.factory import set_torch_threads

# Each takes what none of the others does, so it says of what kind a model is.
MAIN_INPUTS = ("input_ids", "pixel_values", "input_values", "input_features")
IMAGE_SIZE = 224  # where the configuration says none: of convolutions, which take any
AUDIO_SAMPLES = 16000  # a second, at the rate that models of speech are trained with


@dataclass
class Place:
    """Where a model lies: a folder or a file with its configuration, and files with weights."""

    path: pathlib.Path
    config_file: pathlib.Path
    weights: list


def place_of(request):
    name = request.model.removeprefix("hf:")
    path = pathlib.Path(os.path.expanduser(name))
    if path.is_file():
        return Place(path, path, [])
    folder = text_inputs.folder_of(name, request.model)
    config_file = folder / text_inputs.CONFIG
    if not config_file.is_file():
        raise Refused("input", f"this folder has no {text_inputs.CONFIG}", str(folder),
                      "use a folder written by save_pretrained")
    return Place(folder, config_file, text_inputs.weights_in(folder))


def config_at(place, request):
    config = text_inputs.read_config(place.path, request.model)
    for each in (config, config.get_text_config()):
        if hasattr(each, "use_cache"):
            each.use_cache = False  # it is for generating: keys and values would be kept and returned
    return config


def class_of(config, place):
    """The class that the configuration names, or what transformers takes for its model_type."""
    transformers = text_inputs.library("transformers")
    names = config.architectures or []
    if not names:
        return transformers.AutoModel
    found = getattr(transformers, names[0], None)
    if found is None:
        raise Refused("input", f"transformers {transformers.__version__} has no '{names[0]}'", str(place.config_file),
                      "name another class of transformers in 'architectures', or remove it to use AutoModel")
    return found


def random_model(config, kind):
    made = kind.from_config(config) if hasattr(kind, "from_config") else kind(config)
    return made.float()  # some configurations ask for bfloat16 weights, which would be another precision


def load(request):
    torch = text_inputs.library("torch")
    text_inputs.library("transformers")
    set_torch_threads(request)
    place = place_of(request)
    config = config_at(place, request)
    kind = class_of(config, place)
    if not place.weights:
        return random_model(config, kind)
    return kind.from_pretrained(place.path, config=config, dtype=torch.float32, local_files_only=True)


def image_input(config):
    config = getattr(config, "vision_config", config)
    size = getattr(config, "image_size", None) or IMAGE_SIZE
    height, width = size if isinstance(size, (list, tuple)) else (size, size)
    return f"pixel_values:Bx{getattr(config, 'num_channels', 3)}x{height}x{width}"


def inputs_of(module, request):
    """As asked for; else derived from what forward takes and the configuration says."""
    if request.inputs:
        return request.inputs
    takes = inspect.signature(module.forward).parameters
    config = module.config
    main = [each for each in MAIN_INPUTS if each in takes]
    if main == ["input_ids"]:
        return text_inputs.text_inputs(config.get_text_config(), takes)
    if main == ["pixel_values"]:
        return [image_input(config)]
    if main == ["input_values"] and hasattr(config, "conv_stride"):
        return [f"input_values:Bx{AUDIO_SAMPLES}"]
    names = " and ".join(main or list(takes)[:4])
    raise Refused("usage", f"{type(module).__name__} takes {names}, whose shapes are unknown", request.model,
                  "give them, such as --input input_ids:BxS:int64=0-99 --input pixel_values:Bx3x224x224")


def open_model(request):
    from batchscope._models.modules import ModuleBody

    text_inputs.refuse_params(request)
    module = load(request)
    text_inputs.checkpointed_by_transformers(module, request)
    return ModuleBody(module, request, inputs=inputs_of(module, request))


def describe(request):
    """Without reading weights: those of the module that is made here take no memory."""
    torch = text_inputs.library("torch")
    text_inputs.library("transformers")
    from batchscope._models.modules import facts_of_module

    place = place_of(request)
    config = config_at(place, request)
    with torch.device("meta"):
        module = random_model(config, class_of(config, place))
    inputs = inputs_of(module, request)
    facts = facts_of_module(module, replace(request, inputs=inputs))
    if facts["has_seq_len"]:
        facts["default_seq_len"] = text_inputs.default_seq_len(config.get_text_config())
    kind = "weights of its folder" if place.weights else "random weights"
    described = [type(module).__name__, *text_inputs.sizes_of(config), kind]
    return facts | {"inputs": inputs, "description": ", ".join(described),
                    "hash": text_inputs.content_hash([place.config_file, *place.weights])}
