"""What importing the package costs, and what it exports."""

import pathlib
import subprocess
import sys

import pytest

import batchscope as bs

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_importing_it_imports_nothing_that_takes_time():
    code = "import sys; before = set(sys.modules); import batchscope; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["batchscope"]


@pytest.mark.parametrize("name", bs.__all__)
def test_every_exported_name_is_there(name):
    assert getattr(bs, name).__module__.startswith("batchscope.")
    assert name in dir(bs)


def test_a_star_import_leaves_the_built_in_range_alone():
    assert "range" not in bs.__all__
    assert "range" in dir(bs)


def test_a_name_that_it_does_not_have_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'nothing'"):
        bs.nothing


def test_without_the_native_module_what_needs_it_says_so():
    code = "import sys; sys.modules['batchscope._core'] = None; import batchscope; batchscope.range"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: batchscope.range needs the package's native module" in done.stderr


def test_python_m_is_the_program_with_its_exit_codes():
    def run(*words):
        return subprocess.run([sys.executable, "-m", "batchscope", *words], capture_output=True, text=True)

    assert run("--version").stdout.startswith("batchscope ")
    wrong = run("profile", "--nosuch")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error: '--nosuch' is not a flag")


def test_the_reference_is_what_the_package_says(tmp_path):
    """tools/guide/python_api.py writes it anew."""
    import native  # noqa: F401 - the reference has what is native, too
    pytest.importorskip("pytorch_lightning", reason="the reference has its callback, too")

    page = tmp_path / "python.md"
    subprocess.run([sys.executable, ROOT / "tools/guide/python_api.py", "-o", page], check=True, capture_output=True)
    assert page.read_text() == (ROOT / "docs/reference/python.md").read_text()
