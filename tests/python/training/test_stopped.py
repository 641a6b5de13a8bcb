"""Signals to the process group of a training: its step ends, a checkpoint is written, exit code 75, no worker is left."""

import signal

import native  # noqa: F401 - the guard needs the native module
import pytest

pytest.importorskip("torch")

import processes  # noqa: E402
import trained  # noqa: E402

from batchscope._training.checkpoints import Checkpoints  # noqa: E402

FOREVER = 10**9
SECONDS = 10  # after which no worker may be left


def signalled(folder, step, *signals, **keywords):
    """A training that is sent signals within a step; (exit code, processes that are left, steps in the checkpoint, steps with a loss)."""
    training = processes.Training(folder=folder, steps=FOREVER, every=FOREVER, **keywords)
    while training.report() != f"step {step}":
        pass
    group = training.group()
    for number in signals:
        training.signal_group(number)
    code, _ = training.end()
    found = Checkpoints(folder / "checkpoints").newest()
    return code, processes.left(group, SECONDS), found and found.manifest["step"], len(trained.losses_of(folder)), len(group)


@pytest.mark.parametrize(("start", "number"), [("fork", signal.SIGTERM), ("spawn", signal.SIGUSR1), ("forkserver", signal.SIGINT)])
def test_the_step_ends_and_is_in_the_checkpoint(tmp_path, start, number):
    code, left, steps, losses, processes_before = signalled(tmp_path, 3, number, workers=1, start=start)
    assert (code, left) == (75, 0)
    assert processes_before >= 1
    # Where it comes within a step, the loss of that is not written any more.
    assert steps >= 4 and losses in (steps - 1, steps)
