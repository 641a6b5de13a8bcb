"""TorchScript that names a device is found, and what ./dev models writes names none and computes the same."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from device_constants import device_constants

SCRIPT = pathlib.Path(__file__).parents[1] / "device_constants.py"


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="no torch beside this Python")


@pytest.fixture(scope="module")
def export(torch):
    """The script that exports, as a module; the variables that it sets are for a process of its own."""
    pytest.importorskip("transformers", reason="./dev models installs it")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", dict(os.environ))
        import export_minilm
    return export_minilm


@pytest.fixture(scope="module")
def encoder(torch, export):
    """all-MiniLM, but small and with random weights."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    return export.encoder(BertModel(config, add_pooling_layer=False))


def scripted(torch, source):
    return torch.jit.CompilationUnit(source).forward.inlined_graph


def test_a_trace_writes_the_device_down(torch):
    def with_positions(x):
        return x + torch.arange(x.shape[1], device=x.device)

    traced = torch.jit.trace(with_positions, torch.ones(2, 3))
    (node,) = device_constants(traced.inlined_graph)
    assert "aten::arange" in node


def test_a_device_that_a_tensor_is_asked_for_is_none(torch):
    graph = scripted(torch, "def forward(x):\n  return x + torch.arange(x.size(1), device=x.device)\n")
    assert device_constants(graph) == []


def test_blocks_are_looked_into_and_moves_are_found(torch):
    graph = scripted(torch, "def forward(x):\n"
                            "  if x.size(0) > 1:\n"
                            "    x = x + torch.ones([1], device=torch.device('cpu'))\n"
                            "  return x.cpu()\n")
    made, moved = device_constants(graph)
    assert "aten::ones" in made and "aten::cpu" in moved


def test_what_is_exported_names_no_device_and_computes_what_transformers_does(export, encoder, tmp_path):
    export.write_torchscript(encoder, tmp_path / "model.pt")
    export.check(encoder, tmp_path / "model.pt")


def test_an_export_that_names_its_device_is_refused_by_its_nodes(torch, export, encoder, tmp_path):
    path = tmp_path / "model.pt"
    torch.jit.trace(encoder, export.example(2, 16, 5)).save(str(path))
    with pytest.raises(SystemExit, match="aten::arange"):
        export.check(encoder, path)
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "aten::arange" in done.stdout and str(path) in done.stdout


def test_files_are_made_again_when_one_of_the_scripts_changes(export, monkeypatch):
    monkeypatch.setattr(export, "versions", dict)
    before = export.stamp()
    monkeypatch.setattr(export, "SCRIPTS", [name for name in export.SCRIPTS if name != SCRIPT.name])
    assert export.stamp() != before
