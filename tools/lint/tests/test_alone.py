import shutil

import check_alone
import pytest

pytestmark = pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="no compiler")


def check(root, text, path="include/batchscope/base/a.hpp"):
    file = root / "libs/base" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return check_alone.check(root)


def test_a_header_that_includes_what_it_uses_passes(tmp_path):
    assert check(tmp_path, "#pragma once\n#include <string>\nstd::string name();\n") == []


def test_a_header_that_leans_on_its_includers_fails(tmp_path):
    violations = check(tmp_path, "#pragma once\nstd::string name();\n")
    assert len(violations) == 1
    assert "a.hpp does not compile alone" in violations[0]


def test_a_header_without_a_guard_fails(tmp_path):
    assert check(tmp_path, "struct A {};\n")


def test_a_source_that_leans_on_another_fails(tmp_path):
    check(tmp_path, "#pragma once\nint number();\n", "src/room/number.hpp")
    assert check(tmp_path, '#include "room/number.hpp"\nint twice() { return 2 * number(); }\n', "src/room/twice.cpp") == []
    violations = check(tmp_path, "int half() { return number() / 2; }\n", "src/half.cpp")
    assert len(violations) == 1
    assert "libs/base/src/half.cpp does not compile alone" in violations[0]


def test_a_source_whose_third_party_is_missing_is_left_out(tmp_path):
    source = tmp_path / "libs/nvtx/src/nvtx_tool.cpp"
    source.parent.mkdir(parents=True)
    source.write_text("#include <nvtx3/there.h>\nint number = kThere;\n")
    assert check_alone.check(tmp_path) == []
    header = tmp_path / ".venv/lib/python3.99/site-packages/nvidia/cu13/include/nvtx3/there.h"
    header.parent.mkdir(parents=True)
    header.write_text("constexpr int kThere = 1;\n")
    assert check_alone.check(tmp_path) == []
    header.write_text("")
    assert "nvtx_tool.cpp does not compile alone" in check_alone.check(tmp_path)[0]
