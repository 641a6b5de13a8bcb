"""The adapters of libraries of models: each is there, and help and errors name it."""

import pytest

from batchscope._client import carry
from batchscope._client.program import call
from batchscope._explain import Refused
from batchscope._inside.host import Request
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


def test_the_help_of_the_program_names_every_library():
    reported = call(["profile", "--help-all"]).printed
    assert adapters.LIBRARIES and all(f" {prefix}" in reported for prefix in adapters.LIBRARIES)
    assert "pickle:" not in reported


def test_an_unknown_library_is_answered_with_those_known(tmp_path):
    with pytest.raises(Refused) as refused:
        adapters.describe(Request(model="no_such_library:a/b"))
    assert all(prefix in refused.value.fix for prefix in adapters.LIBRARIES)
