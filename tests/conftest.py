"""What every end-to-end test needs: the program, a way to call it, and skips that say why."""

import importlib.metadata
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

from model_stamp import is_made, stamp

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST_OF_A_MESSAGE = 600  # characters; longer ones nobody reads


def _has_gpu():
    if not shutil.which("nvidia-smi"):
        return False
    listing = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return listing.stdout.startswith("GPU")


def _torch_plugin(program):
    return (program.parent.parent / "lib" / "libbatchscope_torch.so").exists()


def _program():
    return pathlib.Path(os.environ.get("BATCHSCOPE_BIN", ROOT / "build/release/bin/batchscope"))


def pytest_configure():
    # Where tests run beside each other, a team of OpenMP threads waits asleep: while it spins for a thread that has no
    # processor, it keeps that thread and the other tests from theirs, and a model takes ten times as long.
    if "PYTEST_XDIST_WORKER" in os.environ:
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # What is ignored here (by nohup, or in the background of a script) is ignored by all that tests start, too; what has a
    # handler here has its default there.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in signal.SIGHUP, signal.SIGQUIT:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_collection_modifyitems(items):
    gpu, torch = _has_gpu(), _torch_plugin(_program())
    for item in items:
        if "gpu" in item.keywords and not gpu:
            item.add_marker(pytest.mark.skip(reason="no NVIDIA GPU"))
        if "model" in item.keywords and not torch:
            item.add_marker(pytest.mark.skip(reason="built without the torch plugin"))


class Cli:
    """Calls the program; .run() gives the finished process with its text."""

    def __init__(self, program, folder):
        self.program, self.folder, self.started = program, folder, []

    def run(self, *arguments, check=0, **options):
        """Fails unless the exit code is `check` (None: any)."""
        command = [str(self.program), *map(str, arguments)]
        options = {"cwd": self.folder, "capture_output": True, "text": True} | options
        done = subprocess.run(command, check=False, **options)
        if check is not None and done.returncode != check:
            pytest.fail(f"{' '.join(command)}\nexit code {done.returncode}, not {check}\n{done.stdout}{done.stderr}")
        for line in (done.stderr or "").splitlines() if options["text"] else ():
            assert not line.startswith("error: ") or len(line.replace(str(self.folder), "")) <= MOST_OF_A_MESSAGE, line
        return done

    def start(self, *arguments, **options):
        """The running process, for tests that interrupt it."""
        options = {"cwd": self.folder, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        self.started.append(subprocess.Popen([str(self.program), *map(str, arguments)], **options))
        return self.started[-1]


@pytest.fixture(scope="session")
def program():
    path = _program()
    if not path.exists():
        pytest.fail(f"{path} is missing: ./dev build makes it; BATCHSCOPE_BIN names another")
    return path


@pytest.fixture
def cli(program, tmp_path):
    made = Cli(program, tmp_path)
    yield made
    for process in made.started:
        process.kill()


@pytest.fixture(autouse=True)
def own_state(monkeypatch, tmp_path):
    """What one test found to run out of memory is nothing to another, nor to who runs them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def _made(folder):
    """Whether the script of today and this torch wrote all that is there."""
    index = folder / "models.json"
    if not index.exists():
        return False
    current = stamp(importlib.metadata.version("torch"))
    return all(is_made(folder / entry["file"], current) for entry in json.loads(index.read_text()).values())


@pytest.fixture(scope="session")
def models():
    """The fixtures' models: name -> (path, flags). ctest has made them there, the package among them, which takes a
    compiler; what stands there is kept."""
    folder, script = ROOT / "build/release/models", ROOT / "tests/fixtures/make_models.py"
    if not _made(folder):
        subprocess.run([sys.executable, script, folder], check=True, timeout=600)
    index = json.loads((folder / "models.json").read_text())
    return {
        name: (folder / entry["file"], [flag for spec in entry["inputs"] for flag in ("--input", spec)])
        for name, entry in index.items()
    }


@pytest.fixture
def shared():
    """A folder of larger fixtures beside the checkout, where there is one."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no ../shared beside this checkout")
    return folder


def read_lines(path):
    """The records of a run file; a torn last line is left out."""
    records = []
    for line in pathlib.Path(path).read_text().splitlines():
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return records
