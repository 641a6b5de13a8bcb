"""The images of the documents are made by tools/guide/figures.py, by commands that the documents show."""

import importlib.util
import subprocess
import sys

import pytest

from conftest import ROOT

SCRIPT = ROOT / "tools/guide/figures.py"
_spec = importlib.util.spec_from_file_location("figures", SCRIPT)
figures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(figures)


def test_every_image_has_its_commands_and_its_document():
    assert figures.problems() == []


def test_the_commands_of_the_readme_are_those_of_its_example():
    commands, _ = figures.FIGURES["forward_time_per_sample.svg"]
    assert "\n".join(f"$ {command}" for command in commands) in (ROOT / "README.md").read_text()


def test_all_are_made(program, tmp_path):
    done = subprocess.run([sys.executable, SCRIPT, program, "-o", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} >= set(figures.FIGURES)
    for name in figures.FIGURES:
        assert (tmp_path / name).read_text().startswith("<svg ")
