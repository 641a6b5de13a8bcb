"""The adapters of libraries of models: each is there, and the program knows its prefix."""

import re

import pytest

from conftest import ROOT

from batchscope._client import carry
from batchscope._models import adapters


@pytest.mark.parametrize("prefix", adapters.PREFIXES)
def test_every_adapter_opens_and_describes_models(prefix):
    adapter = adapters.adapter_of(prefix + "name")
    assert callable(adapter.open_model) and callable(adapter.describe)
    assert adapters.without_prefix(prefix + "folder:name") == "folder:name"
    assert not carry.names_object(prefix + "name")


def test_what_has_no_prefix_is_the_users_own():
    assert adapters.adapter_of("net.py:factory").__name__ == "batchscope._models.factory"
    assert adapters.without_prefix("net.py:factory") == "net.py:factory"


def test_the_program_knows_the_same_prefixes():
    source = (ROOT / "libs/measuring/interpreter/src/model_names.cpp").read_text()
    listed = re.search(r"kPrefixes\{(.*?)\}", source)[1].replace("kPickle", '"pickle:"')
    assert tuple(re.findall(r'"(.*?)"', listed)) == adapters.PREFIXES
