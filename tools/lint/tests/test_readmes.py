import check_readmes
import pytest

WING = "libs/foundation/README.md"


def check(root, readme, sources=("base/include/batchscope/base/a.hpp", "base/src/a.cpp", "base/src/files/b.cpp")):
    for source in sources:
        file = root / "libs/foundation" / source
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("int x;\n")
    if readme is not None:
        (root / WING).write_text(readme)
    return check_readmes.check(root)


def test_libraries_and_paths_that_are_there_pass(tmp_path):
    readme = "`base`: `batchscope/base/a.hpp`, `base/src/files/`, `base/src/*.cpp`, `libs/foundation/base/src/a.cpp`\n"
    assert check(tmp_path, readme) == []


def test_a_wing_without_a_readme_is_named(tmp_path):
    assert check(tmp_path, None) == [f"{WING}: is missing"]


def test_a_plugin_without_a_readme_is_named(tmp_path):
    (tmp_path / "plugins/torch/src").mkdir(parents=True)
    (tmp_path / "plugins/torch/src/a.cpp").write_text("int x;\n")
    assert check(tmp_path, "`base`\n") == ["plugins/torch/README.md: is missing"]


def test_a_readme_beyond_its_limit_is_named(tmp_path):
    assert check(tmp_path, "`base`\n" + "\n" * 79) == []
    assert check(tmp_path, "`base`\n" + "\n" * 80) == [f"{WING}: 81 lines, at most 80"]


@pytest.mark.parametrize("readme", ["# base\n", "base\n", "`base/src/a.cpp`\n"])
def test_a_library_that_is_left_out_is_named(tmp_path, readme):
    assert check(tmp_path, readme) == [f"{WING}: says nothing of `base`"]


def test_a_library_needs_no_readme_but_one_that_is_there_is_checked(tmp_path):
    assert check(tmp_path, "`base`\n") == []
    own = tmp_path / "libs/foundation/base/README.md"
    own.write_text("`src/files/`, `include/batchscope/base/a.hpp`, `batchscope/base/a.hpp`\n" + "\n" * 39)
    assert check_readmes.check(tmp_path) == []
    own.write_text("`src/gone/`\n" + "\n" * 40)
    assert check_readmes.check(tmp_path) == [
        "libs/foundation/base/README.md: 41 lines, at most 40", "libs/foundation/base/README.md:1: there is no `src/gone/`"]


@pytest.mark.parametrize("path", ["batchscope/base/gone.hpp", "base/src/gone/", "src/a.cpp", "src/gone", "base/src/gone/*.cpp",
                                  "libs/gone/x.md", "tests/"])
def test_a_path_that_is_not_there_is_named_with_its_line(tmp_path, path):
    assert check(tmp_path, f"`base`\n`{path}`\n") == [f"{WING}:2: there is no `{path}`"]


@pytest.mark.parametrize("text", ["`/proc/self/`", "`a -> src/gone/`", "src/gone/", "`--threads`", "`cuda/cpu`"])
def test_what_is_no_path_is_passed_over(tmp_path, text):
    assert check(tmp_path, f"`base`\n{text}\n") == []


def test_a_folder_without_sources_is_no_wing(tmp_path):
    (tmp_path / "libs/attic/left_over/build").mkdir(parents=True)
    assert check(tmp_path, "`base`\n") == []


def test_a_constant_that_no_source_has_is_named(tmp_path):
    assert check(tmp_path, "`base`, `kGone`\n") == [f"{WING}:1: no source has `kGone`"]
    (tmp_path / "libs/foundation/base/src/a.cpp").write_text("constexpr int kGone = 1;\n")
    assert check_readmes.check(tmp_path) == []


def test_a_page_that_tells_where_things_are_is_checked_too(tmp_path):
    page = tmp_path / "docs/design/newcomer.md"
    page.parent.mkdir(parents=True)
    page.write_text("`libs/foundation/base/src/a.cpp`\n`batchscope/base/a.hpp`, `libs/foundation/base/src/gone.cpp`\n")
    assert check(tmp_path, "`base`\n") == ["docs/design/newcomer.md:2: there is no `libs/foundation/base/src/gone.cpp`"]
