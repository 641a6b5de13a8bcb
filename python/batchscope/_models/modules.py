"""Models of torch: an nn.Module that is run on inputs of given shapes, for inference or a training step."""

import functools
import inspect

import torch

from batchscope import _core
from batchscope._explain import Refused
from batchscope._models import inference
from batchscope._models.body import Body, Prepared, device_wait
from batchscope._models.tracer import traced

DTYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16,
          "int64": torch.int64, "int32": torch.int32, "bool": torch.bool}
PRECISIONS = {"bf16": torch.bfloat16, "fp16": torch.float16}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}
LEARNING_RATE = 1e-4  # of steps that nobody's model is to diverge in


def tensor_of(reported):
    name, dtype, shape, data = reported
    count = 1
    for size in shape:
        count *= size
    if count == 0:
        return torch.empty(tuple(shape), dtype=DTYPES[dtype])
    return torch.frombuffer(bytearray(data), dtype=DTYPES[dtype]).reshape(tuple(shape))


def reported_tensor(name, tensor):
    """As (name, dtype, shape, bytes): floats of all kinds as float32."""
    values = tensor.detach().cpu()
    if values.is_floating_point():
        values = values.float()
    kinds = {torch.float32: "float32", torch.int64: "int64", torch.int32: "int32", torch.bool: "bool"}
    if values.dtype not in kinds:
        values = values.long()
    return (name, kinds[values.dtype], list(values.shape), values.contiguous().numpy().tobytes())


def tensors_in(output):
    """The tensors of whatever forward returned, in its order."""
    if isinstance(output, torch.Tensor):
        return [output]
    if isinstance(output, dict):
        output = list(output.values())
    elif hasattr(output, "to_tuple"):
        output = output.to_tuple()
    if isinstance(output, (list, tuple)):
        return [tensor for each in output for tensor in tensors_in(each)]
    return []


def parameters_of(module):
    return sum(each.numel() for each in module.parameters())


def facts_of_module(module, request):
    return {"parameters": parameters_of(module), "description": type(module).__name__,
            "has_seq_len": any(mentions(text, "S") for text in request.inputs),
            "default_seq_len": 128 if any(mentions(text, "S") for text in request.inputs) else None}


def mentions(text, symbol):
    parts = text.split(":")
    return len(parts) > 1 and symbol in parts[1].split("x")


def arguments_of(module, given):
    """(by position, by name): each input where forward has an argument of its name, else all of them by their order.

    What leads forward's arguments goes by position either way, so that a call costs the same whatever inputs are called.
    """
    try:
        parameters = inspect.signature(module.forward).parameters
    except (TypeError, ValueError):
        parameters = {}
    if not set(given) <= set(parameters):
        return list(given.values()), {}
    leading = []
    for name, parameter in parameters.items():
        if name not in given or parameter.kind is parameter.KEYWORD_ONLY:
            break
        leading.append(name)
    return [given[name] for name in leading], {name: value for name, value in given.items() if name not in leading}


def no_inputs(model):
    return Refused("usage", f"{model} is an nn.Module with unknown inputs", model,
                   "add --input, such as --input x:Bx3x224x224, or use a factory that returns a callable")


class ModuleBody(Body):
    """An nn.Module on its device, in its precision; compiled where that is asked for."""

    def __init__(self, module, request, inputs=None):
        self.request = request
        self.inputs = inputs or request.inputs
        if not self.inputs:
            raise no_inputs(request.model)
        self.device = torch.device(request.device)
        self.module = module.to(self.device).train(request.train)
        self.forward = torch.compile(self.module) if request.compile else self.module
        self.loss = None
        self.optimizer = self.make_optimizer() if request.train else None

    def make_optimizer(self):
        name = self.request.optimizer or "sgd"
        if name not in OPTIMIZERS:
            raise Refused("usage", f"'{name}' is not an optimizer", self.request.model, "use sgd or adamw")
        trained = [each for each in self.module.parameters() if each.requires_grad]
        if not trained:
            raise Refused("failed", "the module has no parameters to train", self.request.model, "measure it with --mode infer")
        return OPTIMIZERS[name](trained, lr=LEARNING_RATE)

    def on_device(self, reported):
        return {each[0]: tensor_of(each).to(self.device) for each in reported}

    def cast(self):
        dtype = PRECISIONS.get(self.request.precision)
        return torch.autocast(self.device.type, dtype=dtype, enabled=dtype is not None)

    def step_of(self, given):
        """What one iteration does: the host's inputs to the device, forward, and for training backward and the step."""
        cpu = self.device.type == "cpu"
        args, kwargs = arguments_of(self.module, given)
        forward = self.forward

        def on_device(each):
            return each.to(self.device, non_blocking=True)

        def run():
            if cpu:
                return forward(*args, **kwargs)
            return forward(*map(on_device, args), **{name: on_device(each) for name, each in kwargs.items()})

        def infer():
            with self.cast():
                return run()

        def train():
            for _ in range(self.request.accumulation):
                with self.cast():
                    output = run()
                    loss = sum(each.float().pow(2).mean() for each in tensors_in(output)) / self.request.accumulation
                loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            self.loss = loss

        if self.request.train:
            return train
        if self.request.precision in PRECISIONS:
            return infer
        # Without a cast and on the host, nothing stands between the loop and the module.
        return functools.partial(forward, *args, **kwargs) if cpu else run

    def prepare(self, batch_size, seq_len):
        reported = _core.make_inputs(self.inputs, batch_size, seq_len, self.request.seed)
        run = self.step_of({each[0]: tensor_of(each) for each in reported})
        enter = inference.leave if self.request.train else inference.enter
        return Prepared(run, device_wait(self.request.device), enter, settles=bool(self.request.compile))

    def begin_timing(self):
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self.device)

    def memory(self):
        if self.device.type != "cuda":
            return None
        return {"peak_allocated_bytes": torch.cuda.max_memory_allocated(self.device),
                "peak_reserved_bytes": torch.cuda.max_memory_reserved(self.device)}

    def infer(self, inputs):
        with torch.inference_mode(), self.cast():
            args, kwargs = arguments_of(self.module, self.on_device(inputs))
            output = self.forward(*args, **kwargs)
        return [reported_tensor(f"output{i}", each) for i, each in enumerate(tensors_in(output))]

    def last_loss(self):
        return None if self.loss is None else float(self.loss.detach())

    def diagnose(self, prepared, recording):
        return traced(prepared, self.device, recording)
