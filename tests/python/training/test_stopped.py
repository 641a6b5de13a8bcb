"""Signals to the process group of a training: its step ends, a checkpoint is written, exit code 75, no worker is left."""

import concurrent.futures
import os
import signal
import subprocess
import time

import native  # noqa: F401 - the guard needs the native module
import pytest

torch = pytest.importorskip("torch")

import processes  # noqa: E402
import trained  # noqa: E402

from batchscope._training import signals, workers  # noqa: E402
from batchscope._training.checkpoints import Checkpoints  # noqa: E402

FOREVER = 10**9
SECONDS = 10  # after which no worker may be left


def signalled(folder, step, *numbers, **keywords):
    """A training that is sent signals within a step; (exit code, processes that are left, steps in the checkpoint, steps with a loss)."""
    training = processes.Training(folder=folder, steps=FOREVER, every=FOREVER, **keywords)
    while training.report() != f"step {step}":
        pass
    group = processes.group_of(training.process.pid)
    for number in numbers:
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


def test_signals_again_and_while_it_saves_change_nothing(tmp_path):
    code, left, steps, losses, _ = signalled(tmp_path, 3, signal.SIGTERM, signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, workers=0,
                                             signal_at=("fsync", 2))
    assert (code, left) == (75, 0) and steps >= 4 and losses in (steps - 1, steps)


def test_before_the_first_step_it_ends_at_once_and_the_next_start_is_as_if_nothing_had_been(tmp_path):
    training = processes.Training(folder=tmp_path, steps=FOREVER, workers=0, signal_at=("load", 1))
    assert training.end() == (75, None)
    assert Checkpoints(tmp_path / "checkpoints").paths() == []


def test_a_signal_after_the_last_step_leaves_a_checkpoint_of_it(tmp_path):
    code, _ = processes.Training(folder=tmp_path, steps=3, workers=0, signal_at=("loss", 3), every=FOREVER).end()
    assert code == 75
    assert Checkpoints(tmp_path / "checkpoints").newest().manifest["step"] == 3


def test_workers_that_a_signal_ended_raise_nothing_within_a_step(tmp_path):
    """A plain loop over a loader whose workers are spawned: the signal ends them, and torch notices while the step runs."""
    code, left, steps, losses, _ = signalled(tmp_path, 3, signal.SIGTERM, workers=1, start="spawn", uses_batches=False,
                                             step_s=0.5)
    assert (code, left) == (75, 0) and steps >= 4 and losses in (steps - 1, steps)


class Stuck(torch.utils.data.Dataset):
    """Its third sample takes for ever."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        while index == 2:
            time.sleep(1000)
        return index


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_worker_obeys_the_trainer_only_even_within_a_sample(start):
    loader = torch.utils.data.DataLoader(Stuck(), num_workers=1, multiprocessing_context=start, prefetch_factor=1)
    numbers = [signal.Signals[name] for name in signals.ASK_TO_STOP]
    iterator = workers.start(loader, numbers)
    assert next(iterator) == 0
    worker = iterator._workers[0]
    for number in numbers:
        subprocess.run(["kill", f"-{number}", str(worker.pid)], check=True)
    assert next(iterator) == 1 and worker.is_alive()
    workers.end(iterator)
    assert worker.exitcode == 0


def test_where_nothing_would_be_lost_it_ends_at_once_and_else_after_the_next_step(made):
    def training(folder):
        net = torch.nn.Linear(1, 1)
        guard = made(net, torch.optim.SGD(net.parameters(), 0.1), folder)
        return guard, lambda: guard.step(torch.ones(2, 1), lambda batch: net(batch).sum())

    guard, step = training("first")
    with pytest.raises(SystemExit) as ended:
        os.kill(os.getpid(), signal.SIGUSR1)
    assert ended.value.code == 75
    with pytest.raises(SystemExit):
        guard.close()
    guard, step = training("second")
    step()
    os.kill(os.getpid(), signal.SIGUSR1)
    with pytest.raises(SystemExit) as ended:
        step()
    assert ended.value.code == 75 and [each.name for each in guard.checkpoints] == ["step-000000001"]


def test_the_third_interrupt_ends_it_where_it_is(made):
    net = torch.nn.Linear(1, 1)
    guard = made(net, torch.optim.SGD(net.parameters(), 0.1))

    def interrupted(batch):
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)
        return net(batch).sum()

    with pytest.raises(KeyboardInterrupt), guard:
        guard.step(torch.ones(2, 1), interrupted)
    assert guard.steps == 0


def test_handlers_are_those_of_before_once_it_is_closed(made):
    net = torch.nn.Linear(1, 1)
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)]
    guard = made(net, torch.optim.SGD(net.parameters(), 0.1))
    assert signal.getsignal(signal.SIGTERM) == guard._signals._ask
    guard.close()
    assert before == [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)]


def test_outside_the_main_thread_it_says_that_no_signal_will_stop_it(made):
    net = torch.nn.Linear(1, 1)
    with concurrent.futures.ThreadPoolExecutor(1) as pool, pytest.warns(RuntimeWarning, match="outside the main thread"):
        pool.submit(made, net, torch.optim.SGD(net.parameters(), 0.1)).result()
