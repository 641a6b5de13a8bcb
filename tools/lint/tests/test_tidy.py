import json
import shutil

import check_tidy
import pytest

pytestmark = pytest.mark.skipif(not shutil.which("clang-tidy"), reason="no clang-tidy")


@pytest.fixture
def project(tmp_path):
    """Checks sources that lie in one library of a project with one rule."""
    source = tmp_path / "libs/a/src"
    source.mkdir(parents=True)
    (tmp_path / ".clang-tidy").write_text("Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\n")
    build = tmp_path / "build"
    build.mkdir()

    def run(marks=None, **files):
        entries = []
        for name, text in files.items():
            file = source / f"{name.replace('__', '/')}.cpp"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            entries.append({"file": str(file), "directory": str(build),
                            "command": f"/usr/bin/clang++ -DX=1 -std=c++20 -o {name}.o -c {file}"})
        (build / "compile_commands.json").write_text(json.dumps(entries))
        return check_tidy.check(build, tmp_path, marks=marks)

    return run


def remembered(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    return marks


def test_clean_sources_are_checked_in_one_run(project):
    assert project(one="int* a = nullptr;\n", two="int* b = nullptr;\n") == ([], 1)


def test_sources_in_a_room_are_checked_with_the_others_of_their_library(project):
    found, runs = project(one="int* a = nullptr;\n", room__two="\nint* b = 0;\n")
    assert runs == 1 and len(found) == 1
    assert "/libs/a/src/room/two.cpp:2:" in found[0]


def test_a_finding_is_reported_at_its_own_file_and_line(project):
    found, _ = project(one="int* a = nullptr;\n", two="\nint* b = 0;\n")
    assert len(found) == 1
    assert "/libs/a/src/two.cpp:2:" in found[0]


def test_sources_that_clash_are_checked_apart(project):
    unnamed = "namespace {{ int helper() {{ return 0; }} }}\nint {0}() {{ return helper(); }}\nint* p{0} = 0;\n"
    found, runs = project(one=unnamed.format("a"), two=unnamed.format("b"), three="int* c = nullptr;\n")
    assert runs == 2, "one and three together, then two"
    assert [line.split(":")[0].rsplit("/", 1)[1] for line in found] == ["one.cpp", "two.cpp"]


def test_sources_whose_clash_shows_in_a_header_are_checked_apart(project, tmp_path):
    (tmp_path / "half.inc").write_text("int* half = nullptr;\n")
    include = f'#include "{tmp_path}/half.inc"\n'
    found, runs = project(one=include, two=f"int* c = 0;\n{include}")
    assert runs == 2 and ["two.cpp:1:" in line for line in found] == [True]


def test_sources_that_do_not_compile_do_not_hide_the_others(project):
    found, _ = project(one="int a = missing();\n", two="int* b = 0;\n", three="int c = absent();\n")
    assert {line.split(":")[0].rsplit("/", 1)[1] for line in found} == {"one.cpp", "two.cpp", "three.cpp"}


def test_a_source_that_does_not_compile_is_an_error(project):
    found, _ = project(one="int a = missing();\n")
    assert "one.cpp:1:" in found[0]


def test_flags_are_those_of_the_compiler_alone(tmp_path):
    source = tmp_path / "a.cpp"
    command = f'cmake -E env A=b ccache /usr/bin/clang++ -DV=\\"1\\" -Iinclude -MD -MT x -MF y -std=c++20 -o a.o -c {source}'
    assert check_tidy.flags_of(command, source) == ['-DV="1"', "-Iinclude", "-std=c++20"]


def test_what_was_clean_is_read_again_where_it_or_what_it_includes_has_changed(project, tmp_path):
    header = tmp_path / "libs/a/src/made.hpp"
    marks, include = remembered(tmp_path), '#include "made.hpp"\nint* a = nullptr;\n'
    header.write_text("inline int* b = nullptr;\n")
    assert project(marks, one=include) == ([], 1)
    assert project(marks, one=include) == ([], 0)
    header.write_text("inline int* b = 0;\n")
    assert project(marks, one=include)[1] == 1
    header.write_text("inline int* b = nullptr;\n")
    (tmp_path / ".clang-tidy").write_text("Checks: '-*,modernize-use-override'\n")
    assert project(marks, one=include) == ([], 1)


def test_what_was_found_once_is_found_again(project, tmp_path):
    marks = remembered(tmp_path)
    first = project(marks, one="int* a = 0;\n")
    assert len(first[0]) == 1 and project(marks, one="int* a = 0;\n") == first
