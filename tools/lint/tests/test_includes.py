import check_includes
import pytest

HEADER = """#pragma once
namespace batchscope::base {
struct Number {
  int value = 0;
};
constexpr int kLeast = 1;
Number twice(const Number& number);
}
"""


def check(root, source, others=(), library="base"):
    """What is found in `source`, beside the header number.hpp."""
    files = {"libs/foundation/base/include/batchscope/base/number.hpp": HEADER, f"libs/foundation/{library}/src/source.cpp": source,
             **dict(others)}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [each for each in check_includes.check(root) if each.startswith(f"libs/foundation/{library}/src/source.cpp ")]


SEEN = '#include "batchscope/base/number.hpp"\n'
IN_BASE = "namespace batchscope::base {{\n{}\n}}\n".format
USES = [IN_BASE("int of(const Number& a);"), IN_BASE("int least = kLeast;"), IN_BASE("auto four(int a) { return twice(a); }"),
        "namespace batchscope::stats {\nbase::Number made();\n}\n", "auto function = base::twice;\n"]


@pytest.mark.parametrize("source", USES)
def test_what_a_file_names_it_sees(tmp_path, source):
    assert len(check(tmp_path, source)) == 1
    assert check(tmp_path, SEEN + source) == []


def test_it_may_see_it_by_another_header(tmp_path):
    other = ("libs/foundation/base/src/room/other.hpp", f"#pragma once\n{SEEN}")
    assert check(tmp_path, f'#include "room/other.hpp"\n{USES[0]}', [other]) == []


@pytest.mark.parametrize("source", ["// Number\n", 'auto text = "base::Number";\n', "template <class Number>\nNumber of();\n",
                                    "struct Number {\n};\n", "int of(Other a) { return a.twice(2); }\n"])
def test_what_is_only_called_so_is_none(tmp_path, source):
    assert check(tmp_path, IN_BASE(source)) == []


def test_a_field_needs_the_type_that_it_is_of(tmp_path):
    forward = ("libs/foundation/base/src/forward.hpp", IN_BASE("struct Number;\nNumber* first();").replace("name", "#pragma once\nname", 1))
    source = '#include "forward.hpp"\n' + IN_BASE("int of() { return first()->value; }")
    assert len(check(tmp_path, source, [forward])) == 1
    assert check(tmp_path, SEEN + source, [forward]) == []


def test_what_a_neighbour_has_to_itself_is_not_seen(tmp_path):
    neighbour = ("libs/foundation/base/src/neighbour.cpp", IN_BASE("bool is_odd(int a) { return a % 2; }"))
    source = IN_BASE("bool is_even(int a) { return !is_odd(a); }")
    assert len(check(tmp_path, source, [neighbour])) == 1
    assert check(tmp_path, source, [neighbour], library="stats") == []


def test_a_header_that_could_be_read_twice(tmp_path):
    check(tmp_path, "")
    header = tmp_path / "libs/foundation/base/include/batchscope/base/number.hpp"
    assert check_includes.check(tmp_path) == []
    header.write_text(HEADER.replace("#pragma once\n", ""))
    assert check_includes.check(tmp_path) == ["libs/foundation/base/include/batchscope/base/number.hpp has no '#pragma once'"]
