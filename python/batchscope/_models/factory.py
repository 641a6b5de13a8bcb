"""Models that a user's own code makes: a factory, or an nn.Module."""

import inspect
import os
import sys

from batchscope._explain import Refused
from batchscope._models import target
from batchscope._models.body import Body, Prepared, device_wait

# What a factory may ask for beside the names of --param, and which flag sets it.
SET_BY = {"batch_size": "--batch-sizes", "seq_len": "--seq-lens", "precision": "--precision", "device": "--device",
          "threads": "--threads", "train": "--mode", "optimizer": "--optimizer", "accumulation": "--accumulation",
          "checkpointing": "--checkpointing", "compile": "--compile", "seed": "--seed"}
AXES = tuple(SET_BY)
SIZES = ("batch_size", "seq_len")


def torch_module(found):
    """Whether it is an nn.Module. Where torch is not loaded nothing can be one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(found, torch.nn.Module)


def is_module_class(found):
    torch = sys.modules.get("torch")
    return torch is not None and inspect.isclass(found) and issubclass(found, torch.nn.Module)


def an(noun):
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


class Signature:
    """What a factory declares."""

    def __init__(self, found):
        try:
            parameters = tuple(inspect.signature(found).parameters.values())
        except (TypeError, ValueError):
            parameters = ()  # some callables of C tell nothing
        named = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
        self.name = getattr(found, "__name__", type(found).__name__)
        self.names = [each.name for each in named]
        self.wanted = [each.name for each in named if each.default is each.empty]
        self.by_position = [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY and each.default is each.empty]
        self.takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)

    def takes(self, name):
        return self.takes_all or name in self.names

    def check(self, request):
        if self.by_position:
            raise Refused("usage", f"parameter '{self.by_position[0]}' of {self.name} is positional-only", request.model,
                          "remove the / after it: batchscope passes arguments by name")
        for name in self.wanted:
            if name not in AXES and name not in request.param:
                raise Refused("usage", f"parameter '{name}' of {self.name} is not a known axis", request.model,
                              f"give it a default, or set --param {name}=VALUE")
        for name in request.param:
            if name in AXES:
                raise Refused("usage", f"the run sets '{name}' itself", request.model,
                              f"use {SET_BY[name]}")
            if not self.takes(name):
                raise Refused("usage", f"{self.name} has no parameter '{name}'", request.model,
                              "its parameters: " + (", ".join(self.names) or "none"))

    def check_applied(self, request):
        """What is asked for has to be taken by somebody: nothing is measured under a name that it does not have."""
        refusals = (
            (request.precision != "fp32" and not self.takes("precision"), f"precision {request.precision}", "precision"),
            (request.device != "cpu" and not self.takes("device"), f"device {request.device}", "device"),
            (request.train and not self.takes("train"), "mode train", "train"),
            (request.compile is True and not self.takes("compile"), "compile on", "compile"),
            (request.train and request.optimizer not in ("", "sgd") and not self.takes("optimizer"),
             f"optimizer {request.optimizer}", "optimizer"),
            (request.accumulation > 1 and not self.takes("accumulation"), "accumulation", "accumulation"),
            (request.checkpointing and not self.takes("checkpointing"), "checkpointing", "checkpointing"))
        for refused, what, name in refusals:
            if refused:
                raise Refused("usage", f"{self.name} has no parameter '{name}', so it cannot use {what}",
                              request.model, f"add the parameter {name}, or return an nn.Module")


def typed(text):
    """A value of --param as Python reads it: 12, 0.5, True, None; else the text itself."""
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def values_for(signature, request, batch_size, seq_len):
    values = {"batch_size": batch_size, "seq_len": seq_len}
    values |= {name: getattr(request, name) for name in AXES if name not in SIZES}
    values |= {name: typed(text) for name, text in request.param.items()}
    return {name: value for name, value in values.items() if signature.takes(name)}


class Work(Body):
    """What a factory returned for one batch size: a callable, or an object with run(batch) or step()."""

    def __init__(self, made, request, signature):
        self.made, self.request, self.signature = made, request, signature
        if not (self.has("run") or self.has("step") or callable(made)):
            what = "returned None" if made is None else f"returned {an(type(made).__name__)}"
            raise Refused("failed", f"the factory {what}", request.model,
                          "return a callable without arguments, an object with run(batch) or step(), or an nn.Module")

    def has(self, name):
        return callable(getattr(self.made, name, None))

    def callable_of(self, batch_size):
        made = self.made
        trains = self.has("step") and (self.request.train or not self.has("run"))
        if self.has("run") and not trains:
            batch = self.batch_of(batch_size)
            return lambda: made.run(batch)
        self.check_size(batch_size)
        return made.step if trains else made

    def batch_of(self, batch_size):
        if not self.has("prepare"):
            return batch_size
        if Signature(self.made.prepare).takes("batch_size"):
            return self.made.prepare(batch_size=batch_size)
        self.check_size(batch_size)
        return self.made.prepare()

    def check_size(self, batch_size):
        """Whoever does not get the batch size does the same work at every size, which no figure may hide."""
        if batch_size == 1 or self.signature.takes("batch_size"):
            return
        raise Refused("usage", f"{self.signature.name} has no parameter 'batch_size', so batch {batch_size} would do the work "
                               f"of batch 1", self.request.model, "add the parameter batch_size, or measure only batch 1")

    def prepare(self, batch_size, seq_len):
        wait = self.made.wait if self.has("wait") else device_wait(self.request.device)
        return Prepared(self.callable_of(batch_size), wait)


class Factory(Body):
    """Calls the user's factory, for every batch size anew where it asks for that."""

    def __init__(self, found, request):
        self.found, self.request = found, request
        self.signature = Signature(found)
        self.signature.check(request)
        self.sized = any(self.signature.takes(name) for name in SIZES)
        self.body = None if self.sized else self.made(None, None)

    def made(self, batch_size, seq_len):
        arguments = values_for(self.signature, self.request, batch_size, seq_len)
        had_torch = "torch" in sys.modules
        result = self.found(**arguments)
        if torch_module(result):
            from batchscope._models.modules import ModuleBody

            if not had_torch:  # it could not be seeded, and its weights are to be those of the seed
                set_torch_threads(self.request)
                result = self.found(**arguments)
            return ModuleBody(result, self.request)
        self.signature.check_applied(self.request)
        return Work(result, self.request, self.signature)

    def prepare(self, batch_size, seq_len):
        if self.sized:
            self.body = None  # before the next one needs its memory
            self.body = self.made(batch_size, seq_len)
        return self.body.prepare(batch_size, seq_len)

    def begin_timing(self):
        if self.body is not None:
            self.body.begin_timing()

    def memory(self):
        return self.body.memory()

    def infer(self, inputs):
        if self.body is None:
            raise Refused("failed", "the factory creates its model for one batch size, so batchscope cannot compare outputs",
                          self.request.model, "remove its parameter batch_size and return an nn.Module")
        return self.body.infer(inputs)

    def last_loss(self):
        return self.body.last_loss()

    def diagnose(self, prepared, recording):
        return self.body.diagnose(prepared, recording)


def set_torch_threads(request):
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(request.threads)
        torch.manual_seed(request.seed)


def open_model(request):
    return open_object(target.find(request.model), request)


def shown_name(model):
    """Of a pickle the name of what is in it."""
    return os.path.splitext(os.path.basename(model))[0] if model.startswith("pickle:") else model


def checked(found, request):
    """What can be run: something to call, or an nn.Module, which can be called too. Raises Refused."""
    if not callable(found):
        raise Refused("usage", f"it is {an(type(found).__name__)}, not a callable", shown_name(request.model),
                      "use a factory (a function that returns a callable), or an nn.Module")
    return found


def open_object(found, request):
    """The body of an object that was found by its name, or that is at hand."""
    set_torch_threads(request)
    if torch_module(checked(found, request)):
        from batchscope._models.modules import ModuleBody

        return ModuleBody(found, request)
    return Factory(found, request)


def facts_of_factory(found):
    signature = Signature(found)
    facts = {"description": "factory(" + ", ".join(signature.names) + ")",
             "has_seq_len": signature.takes("seq_len") and not signature.takes_all}
    return facts | ({"default_seq_len": 128} if facts["has_seq_len"] else {})


def module_of(found):
    """The nn.Module that a name means, or that a class without arguments makes; else None."""
    if torch_module(found):
        return found
    return found() if is_module_class(found) and not Signature(found).wanted else None


def describe(request):
    found = checked(target.find(request.model), request)
    set_torch_threads(request)
    facts = {"hash": target.content_hash(request.model), "inputs": request.inputs}
    if not torch_module(found):
        facts |= facts_of_factory(found)
    module = module_of(found)
    if module is None:
        return facts
    from batchscope._models.modules import facts_of_module, no_inputs

    if not request.inputs:
        raise no_inputs(request.model)
    return facts | facts_of_module(module, request)
