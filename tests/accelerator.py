"""A machine with simulated accelerators: LibTorch's empty CUDA slot is taken, and the driver's libraries describe them.

What the devices cost is told by the environment: SIMULATED_<NAME>, see plugins/torch/tests/simulated/state/options.hpp.
"""

import json
import os

MIB = 1 << 20


def folders(program):
    """Where the plugin with the devices inside lies, and the driver's libraries."""
    build = program.parent.parent
    return build / "simulated", build / "fake_driver"


def is_built(program):
    plugins, driver = folders(program)
    return (plugins / "libbatchscope_torch.so").exists() and (driver / "libnvidia-ml.so.1").exists()


def environment(program, folder, devices=1, capacity_mib=512, driver_says=None, **costs):
    """The surroundings of a program on that machine; the description of its driver is written to `folder`.

    `driver_says`: what the driver tells of each GPU beside or in place of the usual.
    """
    plugins, driver = folders(program)
    gpu = {"name": "Simulated GPU", "memory": {"total": capacity_mib * MIB, "used": 0}, "compute_capability": [9, 0],
           "throttle_reasons": 0, "processes": []} | (driver_says or {})
    description = folder / "gpus.json"
    description.write_text(json.dumps({"driver_version": "580.65.06", "cuda_version": 13000, "gpus": [gpu] * devices}))
    settings = {"DEVICES": devices, "CAPACITY_MIB": capacity_mib} | {name.upper(): cost for name, cost in costs.items()}
    libraries = [str(driver), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    # One plugin folder more is looked at first; the other engines are where they always are.
    return os.environ | {f"SIMULATED_{name}": str(value) for name, value in settings.items()} | {
        "BATCHSCOPE_PLUGIN_PATH": str(plugins), "LD_LIBRARY_PATH": ":".join(libraries), "FAKE_GPUS": str(description)}
