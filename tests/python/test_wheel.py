"""The wheel of ./dev wheel in an empty environment, as somebody gets it who has never seen the sources."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

import native  # noqa: F401 - skips where the module is not built, and the wheel could not be

ROOT = pathlib.Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.wheel

MODEL = """
import numpy as np

def matmul(batch_size, width=256):
    x = np.ones((batch_size, width), dtype=np.float32)
    w = np.ones((width, width), dtype=np.float32)
    return lambda: x @ w
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """run(*words): in an environment that has the wheel, what it depends on, and NumPy; no torch."""
    folder = tmp_path_factory.mktemp("wheel")
    # What the machine has set for the sources would be found instead.
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith("BATCHSCOPE_") and name not in ("PYTHONPATH", "LD_LIBRARY_PATH")}

    def call(*words, check=True):
        done = subprocess.run([*map(str, words)], cwd=folder, env=clean, capture_output=True, text=True, timeout=1200)
        if check and done.returncode != 0:
            pytest.fail(f"{words}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done

    (wheel,) = (ROOT / "build/dist").glob("batchscope-*.whl")
    call(sys.executable, "-m", "venv", folder / "venv")
    call(folder / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", wheel, "numpy")
    (folder / "mm.py").write_text(MODEL)

    def run(*words, check=True):
        return call(folder / "venv/bin" / words[0], *words[1:], check=check)

    run.wheel, run.folder = wheel, folder
    return run


def test_it_is_small_and_has_no_torch(environment):
    assert environment.wheel.stat().st_size < 20_000_000
    assert "torch" not in environment("pip", "list").stdout


def test_the_script_is_the_full_command_line(environment):
    done = environment("batchscope", "profile", "-m", "mm.py:matmul", "-b", "1,2", "--blocks", "2", "-o", "cli.jsonl", "-q")
    assert "batch 2" in done.stdout
    assert environment("batchscope", "analyze", "absent.jsonl", check=False).returncode == 3


def test_a_numpy_product_is_profiled(environment):
    script = environment.folder / "use.py"
    script.write_text(textwrap.dedent("""
        import json, sys
        import batchscope as bs
        from mm import matmul
        run = bs.profile(matmul, batch_sizes=[1, 4], blocks=2, iterations=5, progress=False, output="run.jsonl")
        run.report("run.html")
        print(json.dumps([config.batch_size for config in run.analyze().configs]), "torch" in sys.modules)
    """))
    assert environment("python", script.name).stdout.split("\n")[0] == "[1, 4] False"
    assert "<script" in (environment.folder / "run.html").read_text()
    with open(environment.folder / "run.jsonl", encoding="utf-8") as file:
        assert json.loads(file.readline())["versions"]["numpy"]


def test_an_absent_engine_is_reported_with_what_to_do(environment):
    (environment.folder / "model.pt").write_bytes(b"PK")
    done = environment("batchscope", "profile", "-m", "model.pt", "-b", "1", "-o", "x.jsonl", check=False)
    assert done.returncode == 1
    assert "torch' is not installed" in done.stderr and "BATCHSCOPE_PLUGIN_PATH" in done.stderr


def test_types_are_there(environment):
    done = environment("python", "-c", "import batchscope, pathlib; print(*(each.name for each in "
                       "pathlib.Path(batchscope.__file__).parent.iterdir()))")
    assert {"py.typed", "_core.pyi"} <= set(done.stdout.split())
