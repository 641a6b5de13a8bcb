import check_include_graph
import pytest


def check(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return check_include_graph.check(root)


def test_a_lower_row_may_be_included(tmp_path):
    assert check(tmp_path, "libs/measure/src/a.cpp", '#include "batchscope/schema/visit.hpp"\n') == []


@pytest.mark.parametrize("owner, target", [
    ("measure", "analyze"), ("analyze", "measure"), ("base", "stats"), ("stats", "schema"), ("engine", "device"),
    ("analyze", "cli"), ("measure", "nonsense")])
def test_any_other_edge_is_named_with_its_line(tmp_path, owner, target):
    violations = check(tmp_path, f"libs/{owner}/src/a.cpp", f'\n#include "batchscope/{target}/x.hpp"\n')
    assert len(violations) == 1
    assert f"libs/{owner}/src/a.cpp:2: includes batchscope/{target}/x.hpp" in violations[0]


def test_a_plugin_sees_nothing_else(tmp_path):
    assert check(tmp_path, "plugins/x/src/a.cpp", '#include "batchscope/measure/x.hpp"\n')


@pytest.mark.parametrize("target", ["base", "schema", "engine", "loading"])
def test_a_plugin_sees_what_engines_are_made_of(tmp_path, target):
    assert check(tmp_path, "plugins/x/src/a.cpp", f'#include "batchscope/{target}/x.hpp"\n') == []


def test_third_party_headers_stay_out_of_public_headers(tmp_path):
    assert check(tmp_path, "libs/schema/include/batchscope/schema/a.hpp", "#include <nlohmann/json.hpp>\n")


def test_third_party_headers_are_fine_in_sources(tmp_path):
    assert check(tmp_path, "libs/schema/src/a.cpp", "#include <nlohmann/json.hpp>\n") == []


def test_another_librarys_internals_are_out_of_reach(tmp_path):
    assert check(tmp_path, "libs/schema/src/a.cpp", '#include "../../base/src/secret.hpp"\n')
