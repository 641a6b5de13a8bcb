"""Models of timm by their names."""

import importlib
import importlib.machinery
import importlib.util
import sys

import pytest
from tiny import (  # noqa: F401: fixtures are used by their names
    facts_of, load, offline, outputs, parameters, refusal, returned, shapes, torch,
)


class Anything(type):
    """The type of classes that have every attribute: another such class."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name, (torch.nn.Module,), {})


class Placeholders:
    """Finds modules of these packages where there are none, with classes of every name: enough for an import."""

    def __init__(self, packages):
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        wanted = name.split(".")[0] in self.packages
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if wanted else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__getattr__ = lambda name: getattr(Anything("StandIn", (), {}), name)
        module.__version__ = "10.0"


def imports(name):
    try:
        importlib.import_module(name)
        return True
    except Exception:
        return False


@pytest.fixture(scope="module")
def timm():
    """The library. torchvision, which it imports for reading pictures, is not always there for the torch that is."""
    if importlib.util.find_spec("timm") is None:
        pytest.skip("timm is not installed: ./dev test")
    finder = Placeholders([each for each in ("torchvision", "PIL") if not imports(each)])
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module("timm")
    finally:
        sys.meta_path.remove(finder)
        for name in [each for each in sys.modules if each.split(".")[0] in finder.packages]:
            del sys.modules[name]


class TestTimm:
    def test_facts(self, timm):
        facts = facts_of("timm:test_resnet")
        assert facts["inputs"] == ["x:Bx3x160x160"]
        assert (facts["has_seq_len"], facts["default_seq_len"]) == (False, None)
        assert facts["description"] == "ResNet test_resnet, random weights"
        assert facts["parameters"] == sum(each.numel() for each in timm.create_model("test_resnet").parameters())

    def test_the_hash_is_of_name_and_version(self, timm, monkeypatch):
        names = ("timm:test_resnet", "timm:test_vit", "timm:test_resnet")
        first, other, again = (facts_of(name)["hash"] for name in names)
        assert first == again != other
        monkeypatch.setattr(timm, "__version__", "0.0.0")
        assert facts_of("timm:test_resnet")["hash"] != first

    @pytest.mark.parametrize("name", ["test_resnet", "test_vit", "test_vit.r160_in1k"])
    def test_it_runs_and_gives_outputs_of_the_batch(self, timm, name):
        loaded = load(f"timm:{name}")
        for batch in (1, 3):
            assert [each.shape for each in returned(loaded, batch)] == [(batch, 1000)]
        assert shapes(outputs(loaded, facts_of(f"timm:{name}")["inputs"], 2)) == [[2, 1000]]

    def test_weights_are_those_of_the_seed(self, timm):
        first, again, other = (outputs(load("timm:test_vit", seed=seed), ["x:Bx3x160x160"], 1) for seed in (1, 1, 2))
        assert first == again != other

    def test_given_inputs_win(self, timm):
        inputs = ["picture:Bx3x64x96"]
        assert facts_of("timm:test_resnet", inputs)["inputs"] == inputs
        assert returned(load("timm:test_resnet", inputs=inputs), 2)[0].shape == (2, 1000)

    def test_bf16_computes_with_fp32_weights(self, timm):
        loaded = load("timm:test_vit", precision="bf16")
        assert returned(loaded, 2)[0].dtype == torch.bfloat16
        assert {each.dtype for each in parameters(loaded)} == {torch.float32}

    def test_a_training_step_changes_the_weights(self, timm):
        loaded = load("timm:test_vit", train=True, checkpointing=True)
        assert loaded.body.module.training and loaded.body.module.grad_checkpointing
        before = parameters(loaded)
        loaded.prepare(2, None).run()
        assert loaded.last_loss() > 0
        assert any(not torch.equal(old, new) for old, new in zip(before, parameters(loaded)))

    def test_a_model_that_computes_with_values_as_it_is_made_is_made_for_real(self, timm, monkeypatch):
        made = timm.create_model

        def create(name, **options):
            torch.ones(1).item()
            return made(name, **options)

        monkeypatch.setattr(timm, "create_model", create)
        assert facts_of("timm:test_resnet")["parameters"] > 0

    @pytest.mark.parametrize("name, fix", [("resnet8", "did you mean resnet18"),
                                           ("hf-hub:some/net", "timm.list_models()"),
                                           ("resnet18.nosuch", "a1_in1k")])
    def test_a_wrong_name_is_refused(self, timm, name, fix):
        for call in (facts_of, load):
            refused = refusal(call, f"timm:{name}")
            assert (refused.kind, refused.where) == ("input", f"timm:{name}")
            assert refused.what.startswith(f"timm {timm.__version__} has no ")
            assert fix in refused.fix

    def test_without_the_library_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "timm", None)
        for call in (facts_of, load):
            refused = refusal(call, "timm:resnet18")
            assert refused.what == "timm is not installed in this Python"
            assert refused.fix == "pip install timm"

    def test_a_library_that_cannot_be_loaded_says_why(self, tmp_path, monkeypatch):
        for name in [each for each in sys.modules if each.split(".")[0] == "timm"]:
            monkeypatch.delitem(sys.modules, name)
        (tmp_path / "timm.py").write_text("raise RuntimeError('operator torchvision::nms does not exist')")
        monkeypatch.syspath_prepend(str(tmp_path))
        refused = refusal(load, "timm:resnet18")
        assert refused.kind == "failed"
        assert refused.what == ("timm is installed, but failed to load: "
                                "RuntimeError: operator torchvision::nms does not exist")
        assert "-c 'import timm'" in refused.fix
