#!/usr/bin/env python3
"""Finds what ties a TorchScript file to one device.

usage: device_constants.py FILE...

torch.jit.trace writes down the device of each tensor that a model makes by itself, so that what was traced on the CPU
fails on a GPU. Prints the nodes of forward that name a device instead of asking a tensor for its own, and fails where
there is one.
"""

import argparse
import sys

NAMING = ("prim::Constant", "aten::device")  # a device that was written down; prim::device asks a tensor
MOVING = ("aten::cpu", "aten::cuda")  # name theirs in the operation


def nodes_of(block):
    """The nodes of a graph or a block, with those of the blocks inside."""
    for node in block.nodes():
        yield node
        for inner in node.blocks():
            yield from nodes_of(inner)


def device_constants(graph):
    """The nodes of an inlined graph that name a device, as text with the place in the source."""
    import torch

    def named(value):
        return isinstance(value.type(), torch._C.DeviceObjType) and value.node().kind() in NAMING

    return [str(node).strip().splitlines()[0] for node in nodes_of(graph)
            if node.kind() in MOVING or any(named(value) for value in node.inputs())]


def main():
    import torch

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    found = [f"{file}: {node}" for file in options.files
             for node in device_constants(torch.jit.load(file, map_location="cpu").inlined_graph)]
    print("\n".join(found) or "no device is named")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
