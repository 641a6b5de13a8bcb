"""What a tool that NVTX loads into a process is told: libs/foundation/ranges/tests/nvtx_recorder.cpp, and what it wrote."""

import os
from dataclasses import dataclass, field

DOMAIN = "batchscope"


@dataclass
class Shown:
    """A range, and those inside it."""

    name: str
    inside: list = field(default_factory=list)

    def names(self):
        return [each.name for each in self.inside]

    def __repr__(self):
        return self.name + (f"({', '.join(map(repr, self.inside))})" if self.inside else "")


def recorder(program):
    return program.parent.parent / "lib" / "libnvtx_recorder.so"


def environment(program, output):
    return os.environ | {"NVTX_INJECTION64_PATH": str(recorder(program)), "NVTX_RECORDER_FILE": str(output)}


def events(output):
    """(process, thread, event, name), in the order in which they were written."""
    reported = [line.split("\t") for line in output.read_text().splitlines()]
    assert all(domain == DOMAIN for _, _, domain, _, _ in reported)
    return [(process, thread, event, name) for process, thread, _, event, name in reported]


def threads(output):
    """The outermost ranges of each thread, in the order of the threads' first; fails where one does not nest or end, or
    has a name that was not registered once before."""
    stacks, known = {}, set()
    for process, thread, event, name in events(output):
        assert event in ("domain", "register", "push", "pop"), f"{event} {name}"
        if event == "register":
            assert (process, name) not in known, f"{name} is registered twice"
            known.add((process, name))
        elif event == "push":
            assert (process, name) in known
            stack = stacks.setdefault((process, thread), [Shown("")])
            stack[-1].inside.append(Shown(name))
            stack.append(stack[-1].inside[-1])
        elif event == "pop":
            stack = stacks[process, thread]
            assert len(stack) > 1, "an end without a beginning"
            stack.pop()
    for (process, thread), stack in stacks.items():
        assert len(stack) == 1, f"process {process}, thread {thread}: {stack[-1].name} was left open"
    return [stack[0].inside for stack in stacks.values()]
