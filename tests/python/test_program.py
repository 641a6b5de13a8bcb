"""Where the program is found, and what it is given."""

import os
import subprocess
import sys

import pytest

import batchscope as bs
from batchscope._client.program import environment, find_program


def test_the_variable_names_the_program(program):
    assert find_program() == str(program)


def test_a_variable_that_names_nothing_is_a_usage_error(monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", "/nowhere/batchscope")
    with pytest.raises(bs.UsageError, match="BATCHSCOPE_PROGRAM: /nowhere/batchscope is not an executable program"):
        bs.doctor()


def test_the_packed_program_goes_before_the_one_on_the_path(monkeypatch, tmp_path, program):
    monkeypatch.delenv("BATCHSCOPE_PROGRAM")
    monkeypatch.setattr("batchscope._client.program._PACKAGE", str(tmp_path))
    monkeypatch.setenv("PATH", str(program.parent))
    assert find_program() == str(program)
    (tmp_path / "bin").mkdir()
    packed = tmp_path / "bin/batchscope"
    packed.write_text("")
    packed.chmod(0o755)
    assert find_program() == str(packed)


def test_the_console_script_on_the_path_is_not_taken_for_the_program(monkeypatch, tmp_path):
    console = tmp_path / "batchscope"
    console.write_text("#!/usr/bin/python3\n")
    console.chmod(0o755)
    monkeypatch.delenv("BATCHSCOPE_PROGRAM")
    monkeypatch.setattr("batchscope._client.program._PACKAGE", str(tmp_path / "package"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(bs.MeasurementError, match="searched .*package/bin and PATH; .*BATCHSCOPE_PROGRAM"):
        bs.profile("mlp")


def test_a_fresh_interpreter_imports_what_this_one_can(monkeypatch, tmp_path):
    (tmp_path / "special_module.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    given = environment()
    subprocess.run([given["BATCHSCOPE_PYTHON"], "-c", "import special_module, batchscope"], env=given, cwd="/",
                   check=True)


def test_the_path_of_a_fresh_interpreter_leaves_the_standard_library_first():
    given = environment()["PYTHONPATH"].split(os.pathsep)
    assert os.path.dirname(os.__file__) not in given
    assert not [entry for entry in given if entry.endswith("site-packages")]


def test_the_rest_of_the_environment_is_the_users(monkeypatch):
    monkeypatch.setenv("SOMETHING", "else")
    assert environment()["SOMETHING"] == "else"


def test_the_console_script_becomes_the_program(fake):
    body = "print(os.environ['BATCHSCOPE_PYTHON'], os.getpid(), *sys.argv[2:]); sys.exit(5)"
    code = "import os; print(os.getpid(), flush=True); from batchscope._client.program import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "analyze", "a b"], capture_output=True, text=True,
                          env={**os.environ, "BATCHSCOPE_PROGRAM": fake("analyze", body)})
    pid, printed = done.stdout.splitlines()
    assert printed.split()[:2] == [sys.executable, pid]
    assert printed.endswith(" a b")
    assert done.returncode == 5


def test_a_program_that_prints_no_json_is_an_error(fake, monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("doctor", "print('hello')"))
    with pytest.raises(bs.MeasurementError, match="printed 'hello"):
        bs.doctor()


def test_a_program_that_dies_is_a_measurement_error(fake, monkeypatch):
    monkeypatch.setenv("BATCHSCOPE_PROGRAM", fake("doctor", "os.kill(os.getpid(), signal.SIGKILL)"))
    with pytest.raises(bs.MeasurementError, match="signal 9 killed"):
        bs.doctor()
