"""How models get to fresh processes."""

import functools
import importlib.util
import pickle
import subprocess
import sys
import textwrap
import threading

import pytest

import batchscope as bs
from batchscope._client import carry
from batchscope._client.program import environment


@pytest.fixture
def folder(tmp_path):
    return lambda: str(tmp_path)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module that lies on the path."""
    (tmp_path / "some_net.py").write_text(textwrap.dedent("""
        def factory():
            return lambda: None

        class Net:
            class Inner:
                pass

            def method(self):
                return self

        net = Net()
    """))
    monkeypatch.syspath_prepend(str(tmp_path))
    import some_net

    yield some_net
    del sys.modules["some_net"]


def calls_in_a_fresh_process(name):
    """What the pickle's object returns when another interpreter calls it."""
    code = f"import pickle; print(pickle.load(open({name.removeprefix('pickle:')!r}, 'rb'))())"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_string_stays_as_it_is(folder):
    assert carry.name_for_program("net.py:factory", folder) == "net.py:factory"


def test_what_can_be_imported_goes_by_its_name(module, folder):
    assert carry.name_for_program(module.factory, folder) == "some_net:factory"
    assert carry.name_for_program(module.Net.Inner, folder) == "some_net:Net.Inner"


def test_an_object_of_a_module_is_pickled(module, folder):
    name = carry.name_for_program(module.net, folder)
    assert name.endswith("/Net.pkl")
    assert type(pickle.load(open(name.removeprefix("pickle:"), "rb"))) is module.Net


def test_a_closure_is_carried(folder):
    width = 7

    def double():
        return 2 * width

    name = carry.name_for_program(double, folder)
    assert name.startswith("pickle:/") and name.endswith("/double.pkl")
    assert calls_in_a_fresh_process(name) == "14"


def test_a_function_that_was_replaced_is_carried_as_it_is(module, folder):
    old = module.factory
    module.factory = lambda: 1
    assert carry.name_for_program(old, folder).startswith("pickle:")


def test_a_module_that_only_this_process_knows_goes_along(tmp_path, folder):
    (tmp_path / "elsewhere").mkdir()
    source = tmp_path / "elsewhere/hidden_net.py"
    source.write_text("ANSWER = 42\n\ndef factory():\n    return ANSWER\n")
    spec = importlib.util.spec_from_file_location("hidden_net", source)
    hidden = sys.modules["hidden_net"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hidden)
    try:
        assert calls_in_a_fresh_process(carry.name_for_program(hidden.factory, folder)) == "42"
    finally:
        del sys.modules["hidden_net"]


def test_models_of_one_name_are_distinguished(folder):
    names = [carry.name_for_program(lambda: 1, folder, label) for label in ("old", "new", "", "")]
    files = [name.rpartition("/")[2] for name in names]
    assert files == ["lambda_old.pkl", "lambda_new.pkl", "lambda.pkl", "lambda_2.pkl"]


def test_a_partial_has_the_name_of_its_function(module, folder):
    assert carry.name_for_program(functools.partial(module.factory), folder).endswith("/factory.pkl")


class Part:
    def __init__(self, held):
        self.layers = [{"held": held}]


def a_generator():
    yield


@pytest.mark.parametrize("held, kind", [(threading.Lock(), "_thread.lock"), (a_generator(), "generator")])
def test_what_cannot_be_pickled_is_named_with_its_place(held, kind):
    with pytest.raises(bs.UsageError) as raised:
        bs.profile(Part(held))
    message = str(raised.value)
    assert message.startswith("Part: cannot go to new processes: Part.layers[0]['held']: ")
    assert kind in message
    assert message.endswith('or move the code of the model into a module and pass "module.py:factory")')


def test_what_a_closure_uses_is_named(tmp_path):
    file = open(tmp_path / "text", "w")

    def model():
        return file

    words = r"model: cannot go .*: model, which uses 'file': .*(TextIO|file)"
    with file, pytest.raises(bs.UsageError, match=words):
        bs.profile(model)


def test_without_cloudpickle_the_way_out_is_stated(monkeypatch):
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(bs.UsageError, match=r"pip install cloudpickle, or move the code of the model into a module"):
        bs.profile(lambda: None)


def test_nothing_is_left_of_what_could_not_be_pickled(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(bs.UsageError):
        bs.profile(Part(threading.Lock()))
    assert not list(tmp_path.glob("batchscope-*"))


OF_A_PROCESS = """
import sys, torch
from batchscope._client import carry

class Samples(torch.utils.data.Dataset):
    def __init__(self):
        self.before = torch.zeros(int(sys.argv[2]))  # another address for what follows
        del self.before
        self.values, self.empty = torch.arange(12.0).reshape(3, 4), torch.empty(0)
        self.part, self.half = self.values[1:], torch.ones(2, dtype=torch.bfloat16)

carry.pickle_into(sys.argv[1], Samples())
"""


def test_what_is_alike_is_carried_as_the_same_bytes_by_any_process(tmp_path):
    torch = pytest.importorskip("torch")
    paths = [tmp_path / f"{number}.pkl" for number in (1, 2)]
    for number, path in enumerate(paths, start=1):
        subprocess.run([sys.executable, "-c", OF_A_PROCESS, path, str(100000 * number)], check=True,
                       env={**environment(), "PYTHONHASHSEED": str(number)})
    assert paths[0].read_bytes() == paths[1].read_bytes()
    found = pickle.loads(paths[0].read_bytes())
    assert torch.equal(found.values, torch.arange(12.0).reshape(3, 4)) and torch.equal(found.part, found.values[1:])
    assert found.empty.shape == (0,) and torch.equal(found.half, torch.ones(2, dtype=torch.bfloat16))
