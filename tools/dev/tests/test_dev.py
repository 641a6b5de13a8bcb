"""./dev on machines that lack something, made of stand-ins for the programs it calls."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PARTS = "; ".join(f"source {ROOT}/tools/dev/{part}.sh"
                  for part in ("report", "packages", "python", "build", "checks", "verbs"))


@pytest.fixture
def machine(tmp_path):
    """Runs a line of shell with ./dev's functions; its keyword arguments are programs that stand in for real ones."""
    fakes = tmp_path / "bin"
    fakes.mkdir()

    def run(line, path=f"{fakes}:{os.environ['PATH']}", **programs):
        for name, body in programs.items():
            program = fakes / name.replace("_", "-")
            program.write_text(f"#!/bin/bash\n{body}\n")
            program.chmod(0o755)
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("TORCH_DIR", "BATCHSCOPE_SKIP_PACKAGES", "PIP_INDEX_URL")} | {"PATH": path}
        return subprocess.run(["bash", "-euo", "pipefail", "-c", f"{PARTS}; {line}"], cwd=tmp_path, env=environment,
                              capture_output=True, text=True, check=False)

    return run


def dev(*arguments):
    return subprocess.run([ROOT / "dev", *arguments], capture_output=True, text=True, check=False)


def test_help_names_every_verb():
    done = dev("help")
    assert done.returncode == 0
    for verb in ("quickstart", "test", "build", "bench", "hostile", "lint", "gpu-test", "help"):
        assert f"\n  {verb}" in done.stdout


def test_an_unknown_verb_is_usage():
    done = dev("nonsense")
    assert done.returncode == 2
    assert "unknown verb 'nonsense'" in done.stderr


def test_packages_that_are_there_are_not_asked_for(machine):
    done = machine("need_packages a b; echo went on", dpkg_query="echo -n installed", apt_get="exit 1")
    assert done.stdout == "went on\n"


def test_without_root_or_sudo_the_missing_packages_and_the_command_are_named(machine, tmp_path):
    done = machine(f"PATH={tmp_path}/bin; need_packages a b", dpkg_query='[ "$3" != a ] || echo -n installed',
                   apt_get="exit 1", id="echo 1000", nproc="echo 2")
    assert done.returncode == 1
    assert "neither root nor sudo: b" in done.stderr
    assert "apt-get install --no-install-recommends b" in done.stderr


def test_old_package_lists_are_fetched_and_the_install_tried_again(machine, tmp_path):
    done = machine("need_packages a", dpkg_query="exit 1", id="echo 0", apt_get=f"""
        echo "$1" >>{tmp_path}/calls
        if [ "$1" = update ]; then touch {tmp_path}/fresh; else [ -e {tmp_path}/fresh ]; fi""")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "calls").read_text().split() == ["install", "update", "install"]


def test_a_package_that_cannot_be_had_is_named_with_what_apt_printed(machine):
    done = machine("need_packages a", dpkg_query="exit 1", id="echo 0", apt_get="echo 'E: no such thing' >&2; exit 100")
    assert done.returncode == 1
    assert "step 'packages' failed" in done.stderr
    assert "E: no such thing" in done.stderr
    assert "apt-get install a" in done.stderr


def test_a_torch_dir_without_libtorch_is_refused(machine, tmp_path):
    done = machine(f"TORCH_DIR={tmp_path} need_torch")
    assert done.returncode == 1
    assert f"TORCH_DIR={tmp_path} holds no lib/libtorch.so" in done.stderr


def require(folder, name):
    (folder / "requirements").mkdir()
    (folder / f"requirements/{name}.txt").write_text("thing==1\n")


def test_requirements_are_installed_once_and_again_when_the_index_changes(machine, tmp_path):
    require(tmp_path, "some")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/bash\n[[ "$*" == *--version* ]] || echo "$*" >>{tmp_path}/calls\n')
    python.chmod(0o755)
    done = machine("need_requirements some; need_requirements some; export PIP_INDEX_URL=other; need_requirements some")
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 2
    assert "--force-reinstall" not in calls[0]
    assert "--force-reinstall" in calls[1]


def test_without_openvino_the_build_goes_on(machine, tmp_path):
    require(tmp_path, "openvino")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/bash\n[[ "$*" == *--version* ]] || exit 1\n')
    python.chmod(0o755)
    done = machine("need_openvino; echo went on")
    assert done.stdout == "went on\n"
    assert "building without the engine openvino" in done.stderr


def test_without_the_headers_of_nvtx_the_build_goes_on(machine, tmp_path):
    require(tmp_path, "nvtx")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/bash\n[[ "$*" == *--version* ]] || exit 1\n')
    python.chmod(0o755)
    done = machine("need_nvtx; echo went on")
    assert done.stdout == "went on\n"
    assert "will show no ranges" in done.stderr


def test_gpu_test_skips_visibly_without_a_gpu(machine):
    done = machine("verb_gpu_test", nvidia_smi="exit 9")
    assert done.returncode == 0
    assert "SKIPPED: no NVIDIA GPU" in done.stdout
    assert done.stdout.endswith("0 passed, 0 failed, 1 skipped\n")


CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)"
\ttests="5"
\tfailures="2"
>
\t<testcase name="stats" classname="stats" time="0.1" status="run">
\t\t<system-out>[  PASSED  ] 9 tests.
cases: 8 passed, 0 failed, 1 skipped
</system-out>
\t</testcase>
\t<testcase name="base" classname="base" time="0.1" status="fail">
\t\t<failure message=""/>
\t\t<system-out>cases: 9 passed, 9 failed, 9 skipped, says a case of its own
cases: 7 passed, 2 failed, 0 skipped
</system-out>
\t</testcase>
\t<testcase name="consumer" classname="consumer" time="1" status="run">
\t</testcase>
\t<testcase name="ended_early" classname="ended_early" time="1" status="fail">
\t</testcase>
\t<testcase name="not_here" classname="not_here" time="0" status="notrun">
\t</testcase>
</testsuite>
"""


def test_of_ctest_the_cases_of_its_programs_are_counted(machine, tmp_path):
    (tmp_path / "ctest.xml").write_text(CTEST)
    assert machine("count_ctest ctest.xml; closing_line").stdout == "16 passed, 3 failed, 2 skipped\n"


def test_counts_of_ctest_and_pytest_are_added(machine, tmp_path):
    (tmp_path / "ctest.xml").write_text(CTEST)
    (tmp_path / "pytest.xml").write_text(
        '<testsuites name="y"><testsuite name="pytest" errors="1" failures="1" skipped="3" tests="20" time="1">')
    done = machine("count_ctest ctest.xml; count_junit pytest.xml; closing_line")
    assert done.stdout == "31 passed, 5 failed, 5 skipped\n"


def test_a_report_that_is_missing_counts_as_a_failure(machine):
    for count in "count_junit", "count_ctest":
        assert machine(f"{count} none.xml; closing_line").stdout == "0 passed, 1 failed, 0 skipped\n"


def test_ctest_says_what_failed_and_keeps_the_rest_in_its_log(machine, tmp_path):
    done = machine("JOBS=2; run_ctest release || echo status $?",
                   ctest='echo "    Start 1: a.b"; echo "1/2 Test #1: a.b ...   Passed    0.01 sec"; '
                         'echo "2/2 Test #2: c.d ...***Failed    0.01 sec"; exit 8')
    assert done.stdout == "2/2 Test #2: c.d ...***Failed    0.01 sec\nstatus 8\n"
    assert "a.b ...   Passed" in (tmp_path / "build/logs/ctest-release.log").read_text()
