"""What has to be as it was for a training to go on to the same bits, and what has to be for it to go on at all."""

import torch

from batchscope._errors import InputError


def conditions(model, optimizer, world_size):
    """Of this process, as a checkpoint's manifest has them."""
    return {"threads": torch.get_num_threads(), "world_size": world_size, "torch": torch.__version__,
            "parameters": sum(each.numel() for each in model.parameters()), "optimizer": type(optimizer).__name__}


_FIXES = {
    "threads": "call torch.set_num_threads({0})",
    "world_size": "start {0} processes",
    "torch": "install torch {0}",
}


def check(saved, now, exact):
    """InputError: another optimizer, or, where the same bits are wanted, whatever else changes them."""
    if saved["optimizer"] != now["optimizer"]:
        raise InputError(f"the checkpoint is for the optimizer {saved['optimizer']}, not {now['optimizer']}")
    for name, fix in _FIXES.items():
        if exact and saved[name] != now[name]:
            raise InputError(f"the checkpoint has {name.replace('_', ' ')} {saved[name]}, but this process has {now[name]}, so "
                             f"losses would differ. {fix.format(saved[name]).capitalize()}, or resume(exact=False)")


def check_model(saved, model):
    """InputError: the state is of another model; the first difference is named."""
    own = model.state_dict()
    for name in (*own, *saved):
        if name not in saved or name not in own:
            raise InputError(f"the checkpoint belongs to another model: '{name}' is only in {'the model' if name in own else 'the checkpoint'}")
        shapes = [tuple(getattr(state[name], "shape", ())) for state in (saved, own)]
        if shapes[0] != shapes[1]:
            raise InputError(f"the checkpoint belongs to another model: '{name}' has shape {shapes[0]} there and {shapes[1]} here")


def check_optimizer(saved, optimizer):
    """InputError: its parameters are grouped otherwise."""
    sizes = [[len(group["params"]) for group in groups] for groups in (saved["param_groups"], optimizer.param_groups)]
    if sizes[0] != sizes[1]:
        raise InputError(f"the checkpoint's optimizer has groups of {sizes[0]} parameters, but this one has {sizes[1]}")


def check_objects(saved, scheduler, scaler, extra):
    """InputError: something was saved that is not there to take it, or the other way round."""
    for name, here in (("scheduler", scheduler), ("scaler", scaler)):
        if (saved[name] is None) != (here is None):
            where = "no" if saved[name] is None else "a"
            raise InputError(f"the checkpoint has {where} {name}, unlike this TrainingGuard" + (
                ": precision fp16 has one" if name == "scaler" else ""))
    if sorted(saved["extra"]) != sorted(extra):
        raise InputError(f"the checkpoint has extra {sorted(saved['extra'])}, but this TrainingGuard has {sorted(extra)}")
