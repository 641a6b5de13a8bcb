"""What a factory is given, and what is refused because nobody would have taken it."""

import inspect

import pytest

core = pytest.importorskip("batchscope._core", reason="the native module is not built")

from batchscope._explain import Refused  # noqa: E402
from batchscope._inside import host  # noqa: E402
from batchscope._models.factory import AXES, open_object  # noqa: E402


def loaded(factory, **asked):
    host.as_before()  # as load() does
    request = host.Request(model="net.py:factory", **asked)
    return host.Loaded(request, open_object(factory, request))


def refusal(factory, batch_size=1, **asked):
    with pytest.raises(Refused) as raised:
        loaded(factory, **asked).prepare(batch_size, None)
    return f"{raised.value.what} ({raised.value.fix})"


def test_whoever_takes_everything_is_given_everything():
    given = {}

    def factory(**everything):
        given.update(everything)
        return lambda: None

    loaded(factory, precision="bf16", compile=True, threads=3, param={"width": "8"}).prepare(4, 32)
    assert set(given) == {*AXES, "width"}
    assert (given["batch_size"], given["seq_len"], given["precision"], given["width"]) == (4, 32, "bf16", 8)


def test_the_same_work_is_no_larger_batch():
    def factory():
        return lambda: None

    loaded(factory).prepare(1, None)
    assert "factory has no parameter 'batch_size', so batch 4 would do the work of batch 1" in refusal(factory, 4)


def test_an_object_that_is_reported_the_size_needs_no_factory_that_is():
    sizes = []

    class Reported:
        def run(self, batch):
            sizes.append(batch)

    class Prepares(Reported):
        def prepare(self, batch_size):
            return [0] * batch_size

    class IsNotReported(Reported):
        def prepare(self):
            return [0]

    loaded(lambda: Reported()).prepare(3, None).run()
    loaded(lambda: Prepares()).prepare(2, None).run()
    assert sizes == [3, [0, 0]]
    assert "has no parameter 'batch_size'" in refusal(lambda: IsNotReported(), 2)


def test_an_axis_is_no_parameter():
    def factory(batch_size):
        return lambda: None

    assert "the run sets 'batch_size' itself (use --batch-sizes)" in refusal(factory, param={"batch_size": "8"})


@pytest.mark.parametrize(("asked", "named"), [({"precision": "bf16"}, "precision"), ({"compile": True}, "compile"),
                                             ({"train": True}, "train"), ({"accumulation": 2}, "accumulation")])
def test_what_nobody_takes_is_refused(asked, named):
    assert f"has no parameter '{named}'" in refusal(lambda batch_size: lambda: None, **asked)


def test_another_optimizer_has_to_be_taken():
    def factory(batch_size, train):
        return lambda: None

    loaded(factory, train=True, optimizer="sgd").prepare(1, None)
    assert "has no parameter 'optimizer'" in refusal(factory, train=True, optimizer="adamw")


async def awaited():
    pass


@pytest.mark.parametrize("left", [awaited, lambda: (yield)])
def test_what_nobody_has_run_is_not_timed(left):
    with pytest.raises(RuntimeError, match="but nothing runs it"):
        core.time_iterations(loaded(lambda: left), 1, 3)


class TestModules:
    @pytest.fixture(autouse=True)
    def torch(self):
        return pytest.importorskip("torch")

    def test_inputs_go_by_name_at_the_cost_of_position(self, torch):
        from batchscope._models.modules import arguments_of

        class Net(torch.nn.Module):
            def forward(self, ids, mask=None, *, scale=1):
                return ids

        assert arguments_of(Net(), {"mask": 2, "ids": 1}) == ([1, 2], {})
        assert arguments_of(Net(), {"ids": 1, "scale": 3}) == ([1], {"scale": 3})
        assert arguments_of(Net(), {"mask": 2}) == ([], {"mask": 2})
        assert arguments_of(Net(), {"x": 1, "y": 2}) == ([1, 2], {})

    @pytest.mark.parametrize("name", ["input", "x"])
    def test_nothing_is_between_the_loop_and_a_module(self, torch, name):
        module = torch.nn.Linear(4, 4)
        run = loaded(module, inputs=[f"{name}:Bx4"]).prepare(2, None).run
        assert run.func is module
        assert [tuple(each.shape) for each in run.args] == [(2, 4)]

    def test_iterations_run_in_inference_mode_and_nothing_else_does(self, torch):
        model = loaded(torch.nn.Linear(4, 4), inputs=["x:Bx4"])
        for _ in range(2):  # the loop prepares twice
            prepared = model.prepare(2, None)
            assert torch.is_inference_mode_enabled()
        assert prepared.run().is_inference()
        trained = loaded(lambda: torch.nn.Linear(4, 4), inputs=["x:Bx4"], train=True)
        trained.prepare(2, None).run()
        assert not torch.is_inference_mode_enabled()

    def test_a_factory_that_brings_torch_itself_is_seeded(self, tmp_path):
        import subprocess
        import sys

        text = f"""
import sys
sys.path[:0] = {sys.path!r}
from batchscope._inside import host
from batchscope._models.factory import open_object

{inspect.getsource(makes_a_module)}
made = []
for _ in range(2):
    request = host.Request(model="net.py:factory", inputs=["x:Bx4"], seed=3)
    made.append(open_object(makes_a_module, request).body.module.weight.sum().item())
assert made[0] == made[1], made
"""
        subprocess.run([sys.executable, "-c", text], check=True)


def makes_a_module():
    import torch

    return torch.nn.Linear(4, 4)
