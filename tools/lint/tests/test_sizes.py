import check_sizes
import pytest

TRICKY = r"""
namespace a {
// a brace in a comment {
struct Scope : Base<int> {
  Scope(int x) : x_{x}, y_(x) {
    use("}", '{');
  }
  ~Scope() = default;
  bool operator==(const Scope& other) const {
    return x_ == other.x_;
  }
  int x_ = f({1, 2});
  std::vector<int> list = {1,
                           2};
};
enum class Kind { one, two };
constexpr int kTable[] = {
    1, 2,
};
template <class T>
auto twice(T value) -> T {
  auto add = [&](T other) {
    return value + other;
  };
  return add(value);
}
const char* raw = R"(void not_a_function() {)";
struct tm when() {
  return {};
}
}  // namespace a
"""


def names(text):
    return [(name.split("::")[-1], length) for name, _, length in check_sizes.functions_in(text)]


def test_functions_are_distinguished_from_everything_else_in_braces():
    assert names(TRICKY) == [("Scope", 3), ("operator==", 3), ("twice", 6), ("when", 3)]


def test_lines_are_those_an_editor_shows():
    assert check_sizes.functions_in("\n\nint f()\n{\n  return 1;\n}\n") == [("f", 4, 3)]


def file_of(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_function_beyond_the_limit_is_named(tmp_path):
    file_of(tmp_path, "libs/foundation/base/src/a.cpp", "void f() {\n" + "  g();\n" * 59 + "}\n")
    violations, _ = check_sizes.check(tmp_path)
    assert any("libs/foundation/base/src/a.cpp:1: f: 61 lines" in violation for violation in violations)


def test_a_source_and_a_header_beyond_the_limit_are_named(tmp_path):
    file_of(tmp_path, "libs/foundation/base/src/a.cpp", "int x;\n" * 401)
    file_of(tmp_path, "libs/foundation/base/include/a.hpp", "int x;\n" * 251)
    violations, _ = check_sizes.check(tmp_path)
    assert any("a.cpp: 401 lines" in violation for violation in violations)
    assert any("a.hpp: 251 lines" in violation for violation in violations)


def test_files_at_the_limit_pass(tmp_path):
    file_of(tmp_path, "libs/foundation/base/tests/a_test.cpp", "int x;\n" * 400)
    assert check_sizes.check(tmp_path)[0] == []


def test_a_folder_that_is_too_full_is_named(tmp_path):
    for number in range(26):
        file_of(tmp_path, f"libs/foundation/base/include/h{number}.hpp", "#pragma once\n")
    assert any("libs/foundation/base/include: 26 sources and headers" in violation for violation in check_sizes.check(tmp_path)[0])
    (tmp_path / "libs/foundation/base/include/h25.hpp").unlink()
    assert check_sizes.check(tmp_path)[0] == []


def test_folders_of_tests_are_held_to_it_too(tmp_path):
    for number in range(26):
        file_of(tmp_path, f"tests/e2e/test_{number}.py", "")
    assert check_sizes.check(tmp_path)[0] == ["tests/e2e: 26 sources and headers in one folder, at most 25"]


TABLE = """
const Rule kRules[] = {
    {"one", [](int x) { return x; }},
    {"two", [](const Facts& facts) -> std::optional<int> {
       if (facts.empty()) return {};
       return [&] { return facts.front(); }();
     }},
};
int plain[]{1, 2};
[[nodiscard]] int named() {
  const auto inner = [] {
    return 1;
  };
  return inner();
}
"""


def test_a_lambda_outside_of_functions_is_a_function_too():
    assert check_sizes.functions_in(TABLE) == [("lambda", 3, 1), ("lambda", 4, 4), ("named", 10, 6)]


@pytest.mark.parametrize("place", ["const auto f = [](int x) {", "const Rule kRules[] = {{1, [](int x) mutable -> int {"])
def test_a_long_lambda_is_named(tmp_path, place):
    end = "}}};" if "Rule" in place else "};"
    file_of(tmp_path, "libs/foundation/base/src/a.cpp", place + "\n" + "  g();\n" * 69 + end + "\n")
    violations, _ = check_sizes.check(tmp_path)
    assert any("libs/foundation/base/src/a.cpp:1: lambda: 71 lines" in violation for violation in violations)


@pytest.mark.parametrize("path", [
    "tests/truth/rows/a.cpp", "tests/consumer/project/a.cpp", "libs/foundation/base/src/a.cc", "libs/foundation/base/src/a.h", "libs/foundation/base/src/a.inc"])
def test_programs_beside_the_libraries_and_other_endings_are_read(tmp_path, path):
    file_of(tmp_path, path, "void f() {\n" + "  g();\n" * 400 + "}\n")
    violations, _ = check_sizes.check(tmp_path)
    assert any(f"{path}: 402 lines" in violation for violation in violations)
    assert any(f"{path}:1: f: 402 lines" in violation for violation in violations)
