"""The optimizer's part of a guarded step: order in each precision, non-finite gradients, an optimizer that fails half-way."""

import native  # noqa: F401 - the guard needs the native module
import pytest

torch = pytest.importorskip("torch")

import guarded  # noqa: E402
from torch import nn  # noqa: E402

from batchscope._errors import MeasurementError, UsageError  # noqa: E402
from batchscope._training import update  # noqa: E402

NAN = float("nan")


def parts(seed=0, kind=torch.optim.AdamW, **keywords):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
    return net, kind(net.parameters(), 0.01, **keywords)


def batches(count):
    return torch.randn(count, 6, 8, generator=torch.Generator().manual_seed(3))


def by_hand(dtype, count, max_norm):
    net, optimizer = parts()
    scaler = torch.amp.GradScaler("cpu", enabled=dtype is torch.float16)
    for batch in batches(count):
        with torch.autocast("cpu", dtype or torch.bfloat16, enabled=dtype is not None):
            loss = net(batch).pow(2).sum() / len(batch)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    return guarded.weights(net)


@pytest.mark.parametrize(("precision", "dtype"), [("fp32", None), ("bf16", torch.bfloat16), ("fp16", torch.float16)])
def test_the_bits_are_those_of_the_loop_by_hand(made, precision, dtype):
    net, optimizer = parts()
    guard = made(net, optimizer, precision=precision, max_norm=0.1)
    for batch in batches(5):
        guard.step(batch, lambda batch: net(batch).pow(2).sum())
    assert torch.equal(guarded.weights(net), by_hand(dtype, 5, 0.1))


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_a_step_that_is_not_finite_is_skipped_and_counted_and_the_schedule_waits(made, precision):
    net, optimizer = parts()
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    guard = made(net, optimizer, scheduler=schedule, precision=precision)
    before = guarded.weights(net)
    guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())
    assert torch.equal(before, guarded.weights(net)) and not optimizer.state
    assert (guard.steps, guard.skipped_steps, schedule.last_epoch) == (1, 1, 0)
    guard.step(batches(1)[0], lambda batch: net(batch).sum())
    assert (guard.steps, guard.skipped_steps, schedule.last_epoch) == (2, 1, 1)
    if precision == "fp16":
        assert guard.scaler.get_scale() == 2.0**15


def test_after_some_in_a_row_the_last_good_checkpoint_is_loaded_and_once_more_is_an_error(made):
    net, optimizer = parts()
    guard = made(net, optimizer, max_skipped=3, checkpoint_every=2)
    for batch in batches(3):
        guard.step(batch, lambda batch: net(batch).sum())
        if guard.steps == 2:
            saved = guarded.weights(net)
    for _ in range(2):
        guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())
    assert not torch.equal(saved, guarded.weights(net))
    # None is written meanwhile, since the weights may be why.
    assert [each.name for each in guard.checkpoints] == ["step-000000002"]
    with pytest.warns(RuntimeWarning, match="3 consecutive steps: loading step-000000002"):
        guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())
    assert torch.equal(saved, guarded.weights(net)) and guard.steps == 6
    for _ in range(2):
        guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())
    with pytest.raises(MeasurementError, match="again after going back to step-000000002"):
        guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())


def test_without_a_checkpoint_there_is_none_to_go_back_to(made):
    net, optimizer = parts()
    guard = made(net, optimizer, max_skipped=1)
    with pytest.raises(MeasurementError, match="no checkpoint to go back to"):
        guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())


def fused_on_device(monkeypatch):
    """As on a device: the CPU's fused kernel knows found_inf as well."""
    real = update.Update.__init__

    def init(self, optimizer, scaler, max_norm, scheduler, device, max_skipped):
        real(self, optimizer, scaler, max_norm, scheduler, device, max_skipped)
        self._is_on_device, self.skips = True, update.DeviceSkips(device, max_skipped)

    monkeypatch.setattr(update.Update, "__init__", init)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_a_fused_optimizer_skips_on_the_device(made, monkeypatch, precision):
    fused_on_device(monkeypatch)
    net, optimizer = parts(fused=True)
    guard = made(net, optimizer, precision=precision, max_skipped=2)
    # Of fp16 the first scale may be too large.
    guard.step(batches(1)[0], lambda batch: 0.01 * net(batch).float().sum())
    saved = guarded.weights(net)
    guard.save()
    for _ in range(4):
        guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())
        assert torch.equal(saved, guarded.weights(net))
    assert guard.skipped_steps == 4
    with pytest.warns(RuntimeWarning, match="loading step-000000001"):
        for _ in range(2):
            guard.step(batches(1)[0] * NAN, lambda batch: net(batch).sum())


class Reads(torch.utils._python_dispatch.TorchDispatchMode):
    """Counts what makes the host wait for a device: a number that is read."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        self.count += function.overloadpacket._qualified_op_name in ("aten::_local_scalar_dense", "aten::equal")
        return function(*arguments, **(keywords or {}))


def test_a_step_reads_nothing_from_the_device_that_the_loop_by_hand_does_not(made, monkeypatch):
    fused_on_device(monkeypatch)
    net, optimizer = parts(fused=True)
    guard = made(net, optimizer, max_norm=1.0, max_skipped=1000)
    guard.step(batches(1)[0], lambda batch: net(batch).sum())
    with Reads() as reads:
        guard.step(batches(1)[0], lambda batch: net(batch).sum())
    assert reads.count == 0


class HalfWay(torch.optim.SGD):
    def step(self, closure=None):
        with torch.no_grad():
            self.param_groups[0]["params"][0].add_(1)
        raise MemoryError("of the state of the second group")


def test_an_optimizer_that_fails_half_way_is_not_tried_again_and_nothing_of_it_is_saved(made, tmp_path):
    net, optimizer = parts(kind=torch.optim.SGD)
    guard = made(net, optimizer)
    guard.step(batches(1)[0], lambda batch: net(batch).sum())
    guard.save()
    saved = guarded.weights(net)
    optimizer.__class__ = HalfWay
    with pytest.raises(MeasurementError, match="failed inside its step.*resume.*step-000000001"):
        guard.step(batches(1)[0], lambda batch: net(batch).sum())
    for call in (guard.save, lambda: guard.step(batches(1)[0], lambda batch: net(batch).sum())):
        with pytest.raises(MeasurementError, match="failed inside its step"):
            call()
    guard.close()
    net, optimizer = parts(seed=1, kind=torch.optim.SGD)
    assert made(net, optimizer).resume() == 1
    assert torch.equal(saved, guarded.weights(net))


def test_what_is_refused(made):
    net, optimizer = parts()
    with pytest.raises(UsageError, match="fp8"):
        made(net, optimizer, precision="fp8")
    with pytest.raises(UsageError, match="LBFGS"):
        made(net, torch.optim.LBFGS(net.parameters()))
    with pytest.raises(UsageError, match="checkpoint_every is 0"):
        made(net, optimizer, checkpoint_every=0)
    with pytest.raises(UsageError, match="no parameter"):
        made(nn.ReLU(), optimizer)
    with pytest.raises(UsageError, match="has no|lacks state_dict"):
        made(net, optimizer, sampler=torch.utils.data.SequentialSampler(range(3)))
