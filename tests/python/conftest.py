"""The package of the source tree, with the native module where that is built, and made-up programs."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "python"
BUILT = ROOT / "build/release/python"


def _package_folder():
    """The built one has links to the sources, and lags behind where a source is new."""
    sources, built = SOURCES / "batchscope", BUILT / "batchscope"
    complete = all((built / source.relative_to(sources)).exists() for source in sources.rglob("*.py"))
    return BUILT if complete and list(built.glob("_core*.so")) else SOURCES


PACKAGE = _package_folder()
sys.path.insert(0, str(PACKAGE))

# Of stated laws, in virtual time.
MODEL = "synthetic:affine:2ms,10ms"


@pytest.fixture(autouse=True)
def surroundings(program, monkeypatch, tmp_path):
    """The built program, and nothing of this user's."""
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", str(program))
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    # What a process that is killed leaves behind goes with the test.
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    yield
    inference = sys.modules.get("batchscope._models.inference")
    if inference is not None:
        inference.leave()  # what a test prepared is not left for the next


FAKE = """\
#!{python} -S
import os, signal, sys
REAL = {real!r}
if sys.argv[1:2] != [{verb!r}] or "--help-all" in sys.argv:
    os.execv(REAL, [REAL, *sys.argv[1:]])
output = sys.argv[sys.argv.index("-o") + 1] if "-o" in sys.argv else ""
{body}
"""


@pytest.fixture
def fake(program, tmp_path):
    """fake(verb, body): the path of a program that does `body` for the verb, and is the real one for the others and its help."""

    def make(verb, body):
        path = tmp_path / f"fake-{verb}"
        text = FAKE.format(python=sys.executable, real=str(program), verb=verb, body=textwrap.dedent(body))
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def script(tmp_path):
    """script(text, **env): a fresh interpreter that runs it, with its standard streams piped."""
    started = []

    def start(text, **variables):
        path = tmp_path / f"script{len(started)}.py"
        path.write_text(textwrap.dedent(text))
        process = subprocess.Popen([sys.executable, path], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env={**os.environ, **variables})
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
