"""TrainingGuard where memory is out: the same weights, and what cannot be split is named."""

import collections
import dataclasses
import random
import warnings
import weakref

import native  # noqa: F401 - the guard needs the native module
import pytest

torch = pytest.importorskip("torch")

import guarded  # noqa: E402
from torch import nn  # noqa: E402

from batchscope._errors import MeasurementError, UsageError  # noqa: E402
from batchscope._training import splitting  # noqa: E402

RUNS = 60
pytestmark = pytest.mark.filterwarnings("ignore:out of memory")


def linear(made, rows_that_fit, **keywords):
    """(step(batch), guard, rows of the parts that were tried) of a model that takes so many rows at once."""
    net = nn.Linear(4, 1)
    guard, tried = made(net, torch.optim.SGD(net.parameters(), 0.1), **keywords), []

    def loss_sum(batch):
        rows = batch["x"] if isinstance(batch, dict) else batch
        tried.append(len(rows))
        if len(rows) > rows_that_fit:
            raise torch.OutOfMemoryError(guarded.OUT_OF_MEMORY)
        return net(rows).sum()

    return (lambda batch, items=None: guard.step(batch, loss_sum, items)), guard, tried


def test_weights_are_those_without_a_failure_wherever_memory_was_out(made):
    rng, failures = random.Random(1), 0
    for seed in range(RUNS):
        plan = guarded.random_plan(rng, places=3, largest=24)
        expected, _ = guarded.run(lambda *_: None, guarded.no_failure(), seed)
        got, failed = guarded.run(lambda net, optimizer: made(net, optimizer, f"checkpoints{seed}"), plan, seed)
        failures += failed > 0
        assert guarded.difference(expected, got) < 1e-5, (seed, plan.place, plan.limit)
    assert failures > RUNS / 2


def test_later_batches_are_split_to_the_size_that_fits_and_larger_parts_are_tried_again(made):
    step, guard, tried = linear(made, rows_that_fit=5)
    step(torch.randn(16, 4))
    assert tried == [16, 8, 4, 4, 4, 4] and guard.out_of_memory == 2 and guard.micro_batches == 4
    tried.clear()
    for _ in range(guard._micros.patience - 1):
        step(torch.randn(12, 4))
    assert set(tried) == {4}
    tried.clear()
    step(torch.randn(12, 4))
    assert tried == [6, 4, 4, 4] and guard.out_of_memory == 3


def test_an_attempt_begins_without_what_the_failed_one_held(made):
    net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.5))
    guard, held, seen = made(net, torch.optim.SGD(net.parameters(), 0.1)), [], []

    def loss_sum(batch):
        seen.append((net[1].running_mean.clone(), net[1].num_batches_tracked.item(), torch.rand(1)))
        assert all(each() is None for each in held)
        assert net[0].weight.grad is None or len(batch) == 4
        out = net(batch)
        held.append(weakref.ref(out))
        if len(batch) > 4:
            raise torch.OutOfMemoryError(guarded.OUT_OF_MEMORY)
        return out.sum()

    with pytest.warns(RuntimeWarning, match="BatchNorm1d and Dropout now see micro-batches"):
        guard.step(torch.randn(8, 4), loss_sum)
    assert len(seen) == 3
    assert all(torch.equal(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(seen[0], seen[1]))


@pytest.mark.parametrize("raised", [MemoryError(), RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
                                    RuntimeError("[enforce fail at alloc_cpu.cpp:121] err == 0. DefaultCPUAllocator: can't allocate memory"),
                                    RuntimeError("NCCL error: unhandled cuda error, Cuda failure 'out of memory'")], ids=repr)
def test_what_is_out_of_memory(made, raised):
    net = nn.Linear(4, 1)
    guard, calls = made(net, torch.optim.SGD(net.parameters(), 0.1)), []

    def loss_sum(batch):
        calls.append(len(batch))
        if len(calls) == 1:
            raise raised
        return net(batch).sum()

    guard.step(torch.randn(4, 4), loss_sum)
    assert calls == [4, 2, 2]


def test_any_other_exception_is_raised_and_leaves_no_gradients(made):
    net = nn.Linear(4, 1)
    guard = made(net, torch.optim.SGD(net.parameters(), 0.1))

    def loss_sum(batch):
        net(batch).sum().backward()
        raise RuntimeError("cuDNN error: CUDNN_STATUS_NOT_SUPPORTED")

    before = guarded.weights(net)
    with pytest.raises(RuntimeError, match="NOT_SUPPORTED"):
        guard.step(torch.randn(4, 4), loss_sum)
    assert net.weight.grad is None and guard.steps == 0 and torch.equal(before, guarded.weights(net))
    guard.step(torch.randn(4, 4), lambda batch: net(batch).sum())
    assert guard.steps == 1


def test_one_sample_that_does_not_fit_is_an_error_and_loses_no_weights(made):
    step, guard, tried = linear(made, rows_that_fit=0)
    with pytest.raises(MeasurementError, match="single sample does not fit.*2.00 GiB"):
        step(torch.randn(3, 4))
    assert tried == [3, 1] and guard.steps == 0


@pytest.mark.parametrize(("batch", "name"), [
    ({"x": torch.randn(8, 4), "edges": torch.zeros(2, 40)}, r"batch\['edges'\] has shape \(2, 40\)"),
    ({"x": torch.randn(8, 4), "names": ["a", "b"]}, r"batch\['names'\] has 2 values")])
def test_the_field_that_cannot_be_split_is_named(made, batch, name):
    step, _, _ = linear(made, rows_that_fit=4)
    with pytest.raises(UsageError, match=f"out of memory.*{name}.*8 samples.*split"):
        step(batch)


def test_a_split_of_the_users_own(made):
    def split(batch, parts):
        return [{"x": each} for each in torch.tensor_split(batch["x"], min(parts, len(batch["x"])))]

    step, guard, tried = linear(made, rows_that_fit=2, split=split)
    step({"x": torch.randn(8, 4), "edges": torch.zeros(2, 40)})
    assert tried == [8, 4, 2, 2, 2, 2] and guard.micro_batches == 4
    step, _, tried = linear(made, rows_that_fit=0, split=split)
    with pytest.raises(MeasurementError, match=r"split\(batch, 4\) returned no more parts"):
        step({"x": torch.randn(2, 4)})


def test_micro_batches_from_the_start(made):
    step, _, tried = linear(made, rows_that_fit=99, micro_batch=3)
    step(torch.randn(8, 4))
    assert sorted(tried) == [2, 3, 3]


@pytest.mark.parametrize("items", [0, -1, float("nan"), float("inf")])
def test_items_have_to_be_some(made, items):
    step, guard, _ = linear(made, rows_that_fit=99)
    with pytest.raises(UsageError, match="items is"):
        step(torch.randn(2, 4), items)
    assert guard.steps == 0


def test_a_loss_of_more_than_one_number_is_refused(made):
    net = nn.Linear(4, 1)
    guard = made(net, torch.optim.SGD(net.parameters(), 0.1))
    with pytest.raises(UsageError, match=r"the sum of the losses.*shape \(2, 1\)"):
        guard.step(torch.randn(2, 4), net)


Named = collections.namedtuple("Named", "x y")


@dataclasses.dataclass
class Fields:
    x: torch.Tensor
    scale: float


@pytest.mark.parametrize("batch", [torch.arange(6), {"x": torch.arange(6), "n": 3}, [torch.arange(6), ["a"] * 6],
                                   Named(torch.arange(6), torch.zeros(6, 2)), (torch.arange(6), {"deep": (torch.ones(6), None)}),
                                   Fields(torch.arange(6), 0.5)], ids=lambda batch: type(batch).__name__)
def test_what_batches_are_made_of(batch):
    parts = splitting.split_evenly(batch, 4)
    assert [splitting.samples_of(each) for each in parts] == [1, 2, 1, 2]
    assert all(type(each) is type(batch) for each in parts)
    assert sum(splitting.elements_of(each) for each in parts) == splitting.elements_of(batch)


def test_nothing_is_stated_where_all_fits(made):
    step, _, _ = linear(made, rows_that_fit=99)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step(torch.randn(2, 4))
