"""Commands that answers propose, as calls."""

import ast
import tempfile

import pytest

from batchscope._client.proposed import as_call


@pytest.mark.parametrize(("command", "call"), [
    ("batchscope profile -m net.py:net -b 1,2,4 -q -o run_more.jsonl --blocks 32",
     "bs.profile('net.py:net', batch_sizes=[1, 2, 4], output='run_more.jsonl', blocks=32)"),
    ("batchscope profile -m 'synthetic:affine:2ms,10ms;noise=1' -b 8 --diagnose",
     "bs.profile('synthetic:affine:2ms,10ms;noise=1', batch_sizes=8, diagnose=True)"),
    ("batchscope profile -m pickle:/somewhere/Net.pkl --input x:Bx64 --input y:B",
     "bs.profile(Net, inputs=['x:Bx64', 'y:B'])"),
    ("batchscope tune --max-batch-only -m a.pt --memory-limit 2GiB", "bs.max_batch('a.pt', memory_limit='2GiB')"),
    ("batchscope profile -m a.py:f,b.py:g -b 1", "bs.profile(['a.py:f', 'b.py:g'], batch_sizes=1)"),
    ("batchscope profile -m pickle:/somewhere/lambda.pkl -b 1", "bs.profile(model, batch_sizes=1)"),
    ("batchscope report run.jsonl -o run.html", "batchscope report run.jsonl -o run.html"),
    ("export X=1", "export X=1"),
])
def test_a_command_is_a_call(command, call):
    assert as_call(command) == call
    if call.startswith("bs."):
        ast.parse(call)


def test_a_temporary_file_is_not_named():
    path = f"{tempfile.gettempdir()}/batchscope-abc/profile_more.jsonl"
    assert as_call(f"batchscope profile -m net -b 1 -o {path}") == "bs.profile('net', batch_sizes=1)"
