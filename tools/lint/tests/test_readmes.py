import check_readmes
import pytest


def check(root, readme, sources=("include/batchscope/base/a.hpp", "src/a.cpp", "src/files/b.cpp")):
    for source in sources:
        file = root / "libs/foundation/base" / source
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("int x;\n")
    if readme is not None:
        (root / "libs/foundation/base/README.md").write_text(readme)
    return check_readmes.check(root)


def test_rooms_and_paths_that_are_there_pass(tmp_path):
    readme = "# base\n\n`include/batchscope/base/a.hpp`, `src/files/`, `src/*.cpp`, `libs/foundation/base/src/a.cpp`\n"
    assert check(tmp_path, readme) == []


def test_a_library_without_a_readme_is_named(tmp_path):
    assert check(tmp_path, None) == ["libs/foundation/base/README.md: is missing"]


def test_a_readme_beyond_the_limit_is_named(tmp_path):
    assert check(tmp_path, "`src/files/`\n" + "\n" * 39) == []
    assert check(tmp_path, "`src/files/`\n" + "\n" * 40) == ["libs/foundation/base/README.md: 41 lines, at most 40"]


@pytest.mark.parametrize("readme", ["# base\n", "src/files/\n", "`src/files/b.cpp`\n"])
def test_a_room_that_is_left_out_is_named(tmp_path, readme):
    assert check(tmp_path, readme) == ["libs/foundation/base/README.md: says nothing of `src/files/`"]


def test_a_room_within_a_room_is_one_too(tmp_path):
    assert check(tmp_path, "`src/files/`\n", ["src/files/old/c.cpp"]) == [
        "libs/foundation/base/README.md: says nothing of `src/files/old/`"]


@pytest.mark.parametrize("path", [
    "include/batchscope/base/gone.hpp", "src/gone/", "src/gone", "src/gone/*.cpp", "libs/gone/x.md", "tests/"])
def test_a_path_that_is_not_there_is_named_with_its_line(tmp_path, path):
    assert check(tmp_path, f"`src/files/`\n`{path}`\n") == [f"libs/foundation/base/README.md:2: there is no `{path}`"]


@pytest.mark.parametrize("text", ["`/proc/self/`", "`a -> src/gone/`", "src/gone/", "`--threads`", "`cuda/cpu`"])
def test_what_is_no_path_is_passed_over(tmp_path, text):
    assert check(tmp_path, f"`src/files/`\n{text}\n") == []


def test_a_folder_without_sources_is_no_library(tmp_path):
    (tmp_path / "libs/left_over/build").mkdir(parents=True)
    assert check(tmp_path, "`src/files/`\n") == []


def test_a_constant_that_no_source_has_is_named(tmp_path):
    assert check(tmp_path, "`src/files/`, `kGone`\n") == ["libs/foundation/base/README.md:1: no source has `kGone`"]
    (tmp_path / "libs/foundation/base/src/a.cpp").write_text("constexpr int kThere = 1;\n")
    assert check_readmes.check(tmp_path) != []
    (tmp_path / "libs/foundation/base/README.md").write_text("`src/files/`, `kThere`\n")
    assert check_readmes.check(tmp_path) == []
