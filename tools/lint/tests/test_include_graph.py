import check_include_graph
import pytest

LIBRARIES = ("foundation/base", "foundation/stats", "records/schema", "machine/device", "traces/trace", "traces/attribution",
             "measuring/engine", "measuring/loading", "measuring/measure", "judging/tables", "judging/analyze",
             "monitoring/watch", "monitoring/monitor", "studies/tune", "showing/report", "program/api", "program/cli")
WING_OF = {each.split("/")[1]: each.split("/")[0] for each in LIBRARIES}


def check(root, path, text):
    for library in LIBRARIES:
        (root / "libs" / library).mkdir(parents=True)
    file = root / path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return check_include_graph.check(root)


def check_edge(root, owner, target):
    path = f"libs/{WING_OF[owner]}/{owner}/src/a.cpp"
    return path, check(root, path, f'\n#include "batchscope/{target}/x.hpp"\n')


@pytest.mark.parametrize("owner, target", [
    ("measure", "schema"), ("measure", "engine"), ("analyze", "tables"), ("monitor", "device"), ("cli", "api")])
def test_a_wing_sees_itself_and_those_before_it(tmp_path, owner, target):
    assert check_edge(tmp_path, owner, target)[1] == []


@pytest.mark.parametrize("owner, target", [
    ("measure", "analyze"), ("base", "schema"), ("monitor", "report"), ("analyze", "cli"), ("schema", "device"),
    ("measure", "nonsense"), ("analyze", "measure"), ("tables", "device"), ("watch", "device"), ("watch", "engine")])
def test_any_other_edge_is_named_with_its_line(tmp_path, owner, target):
    path, violations = check_edge(tmp_path, owner, target)
    assert len(violations) == 1
    assert f"{path}:2: includes batchscope/{target}/x.hpp" in violations[0]


def test_a_wing_that_is_none_is_named(tmp_path):
    assert check(tmp_path, "libs/attic/old/src/a.cpp", "") == ["libs/attic: no wing of this name: see WINGS and libs/README.md"]


def test_libraries_of_a_wing_that_include_each_other_are_named(tmp_path):
    check(tmp_path, "libs/judging/tables/src/a.cpp", '#include "batchscope/analyze/x.hpp"\n')
    other = tmp_path / "libs/judging/analyze/src/b.cpp"
    other.parent.mkdir()
    other.write_text('#include "batchscope/tables/y.hpp"\n')
    violations = check_include_graph.check(tmp_path)
    assert len(violations) == 1
    assert violations[0].startswith("libs/judging: libraries include each other: ")


@pytest.mark.parametrize("owner, count", [("cli", 0), ("tune", 1)])
def test_the_umbrella_is_for_api(tmp_path, owner, count):
    violations = check(tmp_path, f"libs/{WING_OF[owner]}/{owner}/src/a.cpp", '#include "batchscope/batchscope.hpp"\n')
    assert len(violations) == count


def test_a_plugin_sees_nothing_else(tmp_path):
    assert check(tmp_path, "plugins/x/src/a.cpp", '#include "batchscope/measure/x.hpp"\n')


@pytest.mark.parametrize("target", ["base", "schema", "engine", "loading"])
def test_a_plugin_sees_what_engines_are_made_of(tmp_path, target):
    assert check(tmp_path, "plugins/x/src/a.cpp", f'#include "batchscope/{target}/x.hpp"\n') == []


def test_third_party_headers_stay_out_of_public_headers(tmp_path):
    assert check(tmp_path, "libs/records/schema/include/batchscope/schema/a.hpp", "#include <nlohmann/json.hpp>\n")


def test_third_party_headers_are_fine_in_sources(tmp_path):
    assert check(tmp_path, "libs/records/schema/src/a.cpp", "#include <nlohmann/json.hpp>\n") == []


@pytest.mark.parametrize("place, count", [
    ("libs/studies/tune/src", 1), ("libs/program/api/src", 1), ("libs/showing/report/src", 0), ("libs/studies/tune/tests", 0)])
def test_results_are_written_as_json_in_showing_alone(tmp_path, place, count):
    assert len(check(tmp_path, f"{place}/a.cpp", "#include <nlohmann/json.hpp>\n")) == count


def test_another_librarys_internals_are_out_of_reach(tmp_path):
    assert check(tmp_path, "libs/records/schema/src/a.cpp", '#include "../../base/src/secret.hpp"\n')


def files_of(root, includes):
    """Checks a library of these files, each with what it includes."""
    for path, headers in includes.items():
        file = root / "libs/records/schema" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f'#include "{header}"\n' for header in headers))
    return check_include_graph.check(root)


def test_folders_that_include_one_way_pass(tmp_path):
    assert files_of(tmp_path, {
        "src/a/one.cpp": ["b/two.hpp", "own.hpp", "batchscope/schema/three.hpp"], "src/a/own.hpp": ["vector"],
        "src/b/two.hpp": ["batchscope/schema/three.hpp"], "include/batchscope/schema/three.hpp": [],
        "src/one.cpp": ["a/own.hpp", "b/two.hpp"], "tests/a/one_test.cpp": ["a/own.hpp", "made.hpp"],
        "tests/made.hpp": []}) == []


def test_folders_that_include_each_other_are_named_with_why(tmp_path):
    violations = files_of(tmp_path, {
        "src/a/one.cpp": ["b/two.hpp"], "src/a/own.hpp": [], "src/b/two.hpp": ["three.hpp"], "src/b/three.hpp": [],
        "src/b/two.cpp": ["a/own.hpp"]})
    assert len(violations) == 1
    assert "libs/records/schema: folders include each other: " in violations[0]
    assert "src/a -> src/b (one.cpp includes two.hpp)" in violations[0]
    assert "src/b -> src/a (two.cpp includes own.hpp)" in violations[0]


def test_a_room_and_what_lies_outside_of_it_are_two_folders(tmp_path):
    violations = files_of(tmp_path, {
        "src/a/one.hpp": ["shared.hpp"], "src/shared.hpp": [], "src/all.cpp": ["a/one.hpp"]})
    assert len(violations) == 1
    assert "src/a -> src (one.hpp includes shared.hpp)" in violations[0]


def test_files_that_include_each_other_are_named(tmp_path):
    violations = files_of(tmp_path, {"src/one.hpp": ["two.hpp"], "src/two.hpp": ["one.hpp"]})
    assert len(violations) == 1
    assert "libs/records/schema: files include each other: " in violations[0]
    assert "one.hpp -> two.hpp" in violations[0]


def test_rooms_of_a_part_with_an_include_root_of_its_own_are_folders_too(tmp_path):
    violations = files_of(tmp_path, {
        "tests/device/a/one.cpp": ["b/two.hpp"], "tests/device/a/own.hpp": [], "tests/device/b/two.hpp": ["a/own.hpp"]})
    assert len(violations) == 1
    assert "tests/device/b -> tests/device/a (two.hpp includes own.hpp)" in violations[0]


@pytest.mark.parametrize("ending", ["h", "hh", "inc", "cc"])
def test_other_endings_are_read_too(tmp_path, ending):
    assert len(check(tmp_path, f"libs/foundation/base/src/a.{ending}", '#include "batchscope/schema/x.hpp"\n')) == 1


def package_of(root, imports):
    """Checks a package of these modules, each with what it says."""
    for path, text in imports.items():
        file = root / "python/batchscope" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return check_include_graph.check(root)


def test_modules_of_python_that_import_one_way_pass(tmp_path):
    assert package_of(tmp_path, {
        "__init__.py": "from batchscope._a.one import f", "_errors.py": "import os",
        "_a/one.py": "from batchscope import _core\nfrom batchscope._b import two\nfrom batchscope._errors import E",
        "_a/three.py": "from .one import f", "_b/two.py": "import batchscope._errors\nfrom batchscope import range"}) == []


@pytest.mark.parametrize("back", [
    "from batchscope._a import one", "from batchscope._a.one import f", "import batchscope._a.one", "from . import one",
    "def f():\n    from .one import g"])
def test_modules_of_python_that_import_each_other_are_named(tmp_path, back):
    assert package_of(tmp_path, {"_a/one.py": "from batchscope._a.two import f", "_a/two.py": back}) == [
        "python/batchscope: modules import each other: _a/one.py -> _a/two.py -> _a/one.py"]


def test_rooms_of_python_that_import_each_other_are_named(tmp_path):
    (violation,) = package_of(tmp_path, {
        "_a/one.py": "from batchscope._b.two import f", "_b/two.py": "", "_b/three.py": "from batchscope._a import four",
        "_a/four.py": ""})
    assert violation.startswith("python/batchscope: rooms import each other: ")


@pytest.mark.parametrize(("path", "count"), [
    ("libs/monitoring/watch/src/rules/a.cpp", 1), ("libs/monitoring/watch/tools/a.cpp", 0), ("libs/monitoring/monitor/src/a.cpp", 0)])
def test_rules_read_no_clock(tmp_path, path, count):
    assert len(check(tmp_path, path, "\nauto now = std::chrono::steady_clock::now();\n")) == count
