import shutil

import check_headers
import pytest

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")


def check(root, text):
    header = root / "libs/base/include/batchscope/base/a.hpp"
    header.parent.mkdir(parents=True)
    header.write_text(text)
    return check_headers.check(root)


def test_a_header_that_includes_what_it_uses_passes(tmp_path):
    assert check(tmp_path, "#pragma once\n#include <string>\nstd::string name();\n") == []


def test_a_header_that_leans_on_its_includers_fails(tmp_path):
    violations = check(tmp_path, "#pragma once\nstd::string name();\n")
    assert len(violations) == 1
    assert "a.hpp does not compile alone" in violations[0]


def test_a_header_without_a_guard_fails(tmp_path):
    assert check(tmp_path, "struct A {};\n")
