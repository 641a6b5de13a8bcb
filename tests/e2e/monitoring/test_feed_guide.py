"""The example of docs/guide/monitor/monitor-feed.md as it stands there, against the feed that a monitor reads."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/monitor/monitor-feed.md").read_text(), re.DOTALL)


@pytest.fixture
def reader(program):
    path = program.parent / "read_steps"
    if not path.exists():
        pytest.skip("built without tests: no read_steps")
    return path


def script(path, body):
    example, places = re.subn(r'connect\("[^"]*"\)', lambda _: f"connect({str(path)!r})", EXAMPLES[0])
    assert places == 1
    return f"{example}\n{body}"


def indented(code, spaces=4):
    return "".join(" " * spaces + line + "\n" for line in code.splitlines())


def test_it_is_short():
    assert len(EXAMPLES) == 2
    assert len(EXAMPLES[0].splitlines()) + len(EXAMPLES[1].splitlines()) <= 15


def test_the_monitor_hears_what_it_tells(reader, tmp_path):
    path = tmp_path / "s"
    with subprocess.Popen([reader, path, "3"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "listening\n"
        body = f"for step, seconds, loss in [(1, 0.5, 2.0), (2, 0.25, float('nan')), (3, 1, 1.0)]:\n{indented(EXAMPLES[1])}"
        subprocess.run([sys.executable, "-c", script(path, body)], check=True, timeout=60)
        reported, _ = process.communicate(timeout=60)
        assert process.returncode == 0
    steps = [json.loads(line) for line in reported.splitlines()]
    assert [(s["step"], s["seconds"], s.get("loss"), s.get("loss_word")) for s in steps] == [
        (1, 0.5, 2.0, None), (2, 0.25, None, "nan"), (3, 1.0, 1.0, None)]
    assert all(s["source"] == "pretrain" and s["batch_size"] == 64 for s in steps)
    assert not path.exists()


def test_training_goes_on_where_no_monitor_listens(tmp_path):
    body = f"loss = seconds = 1.0\nfor step in range(3):\n{indented(EXAMPLES[1])}print('trained')"
    done = subprocess.run([sys.executable, "-c", script(tmp_path / "s", body)], check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout == "trained\n"


def test_as_many_as_a_monitor_hears_may_connect_at_once(reader, tmp_path):
    """None is turned away, though the monitor accepts none in the meantime."""
    path = tmp_path / "s"
    with subprocess.Popen([reader, path, "1"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "listening\n"
        process.send_signal(signal.SIGSTOP)
        with contextlib.ExitStack() as clients:
            for _ in range(64):
                client = clients.enter_context(socket.socket(socket.AF_UNIX))
                client.settimeout(1)
                client.connect(str(path))
            process.send_signal(signal.SIGCONT)
            client.sendall(b'{"step": 1, "seconds": 1}\n')
            assert len(process.communicate(timeout=60)[0].splitlines()) == 1


def test_training_goes_on_when_the_monitor_is_gone(reader, tmp_path):
    path = tmp_path / "s"
    with subprocess.Popen([reader, path, "1"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "listening\n"
        body = f"import sys\nloss = seconds = 1.0\nfor step in range(100000):\n{indented(EXAMPLES[1])}print('trained')"
        done = subprocess.run([sys.executable, "-c", script(path, body)], check=True, timeout=60, capture_output=True, text=True)
        process.communicate(timeout=60)
    assert done.stdout == "trained\n"
