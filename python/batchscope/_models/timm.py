"""Models of timm: `timm:` and a name of timm.list_models(); with random weights, at the input size of that name."""

import difflib
import hashlib
from dataclasses import replace

from batchscope._explain import Refused
from batchscope._models import text_inputs
from batchscope._models.factory import set_torch_threads

SIMILAR = 5


def library():
    return text_inputs.library("timm")  # absolute: not this file


def known_name(request):
    """The name without `timm:`, if timm has such a model. Names of files and hubs are none."""
    timm, name = library(), request.model.removeprefix("timm:")
    architecture, _, tag = name.partition(".")
    if architecture not in timm.list_models():
        similar = difflib.get_close_matches(architecture, timm.list_models(), SIMILAR)
        raise Refused("input", f"timm {timm.__version__} has no model '{architecture}'", request.model,
                      "did you mean " + ", ".join(similar) if similar else "see timm.list_models() in Python")
    tags = [each.partition(".")[2] for each in timm.list_pretrained(architecture + ".*")]
    if tag and tag not in tags:
        raise Refused("input", f"timm {timm.__version__} has no '{tag}' of {architecture}", request.model,
                      "it has " + ", ".join(tags) if tags else "omit the tag")
    return name


def load(request):
    text_inputs.library("torch")
    timm, name = library(), known_name(request)
    set_torch_threads(request)
    return timm.create_model(name, pretrained=False)


def inputs_of(module, request):
    if request.inputs:
        return request.inputs
    size = (getattr(module, "pretrained_cfg", None) or module.default_cfg).get("input_size") or (3, 224, 224)
    return ["x:Bx" + "x".join(str(each) for each in size)]


def open_model(request):
    from batchscope._models.modules import ModuleBody

    text_inputs.refuse_params(request)
    module = load(request)
    text_inputs.checkpointed(module, request, lambda: module.set_grad_checkpointing(True))
    return ModuleBody(module, request, inputs=inputs_of(module, request))


def light_module(request):
    """With weights that take no memory; or with real ones, as some models compute with values while they are made."""
    torch = text_inputs.library("torch")
    try:
        with torch.device("meta"):
            return load(request)
    except (NotImplementedError, RuntimeError):
        return load(request)


def describe(request):
    module = light_module(request)
    from batchscope._models.modules import facts_of_module

    inputs = inputs_of(module, request)
    facts = facts_of_module(module, replace(request, inputs=inputs))
    name = request.model.removeprefix("timm:")
    version = library().__version__
    return facts | {"inputs": inputs, "description": f"{type(module).__name__} {name}, random weights",
                    "hash": "sha256:" + hashlib.sha256(f"{name} {version}".encode()).hexdigest()}
