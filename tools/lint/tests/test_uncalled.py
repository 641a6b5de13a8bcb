import check_uncalled

HEADER = """
#pragma once
inline constexpr double kShare = 0.5;
// int commented(int x);
Result<std::vector<int>> called(const char* text);
struct Counter {
  explicit Counter(int start);
  int count() const { return count_; }
  const int* spare() const;
  bool operator==(const Counter& other) const;
  int count_ = 0;
};
"""


def write(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def found(root, kept=()):
    return [violation.split(": nothing")[0] for violation in check_uncalled.check(root, kept)[0]]


def project(root, user):
    write(root, "libs/foundation/base/include/a.hpp", HEADER)
    write(root, "libs/foundation/base/src/a.cpp", "Result<std::vector<int>>\ncalled(const char* text) {\n  return {};\n}\n"
                                       "const int* Counter::spare() const { return nullptr; }\n")
    write(root, "libs/foundation/base/tests/a_test.cpp", "TEST(A, B) { called(kShare); Counter(1).spare(); c.count(); }\n")
    write(root, user, "int main() { return 2 * called(kShare)[c.count()] + *c.spare(); }\n")


def test_functions_and_constants_are_distinguished_from_everything_else():
    names = [name for name, _ in check_uncalled.declarations_in(check_uncalled.without_comments_and_strings(HEADER))]
    assert names == ["kShare", "called", "count", "spare"]


def test_uses_are_no_declarations():
    for use in ("return f(x);", "y = 2 * f(x);", "a && f(x);", "a > f(x);", "else f(x);", "do f(x); while (a);",
                "if (a) f(x);", "a = b ? f(x) : f(y);", "return kShare[0];", "call(kShare)", "if constexpr (a) f(x);"):
        assert check_uncalled.declarations_in(use) == [], use


def test_what_only_tests_use_is_named_with_its_place(tmp_path):
    project(tmp_path, "libs/foundation/base/tests/b_test.cpp")
    assert found(tmp_path) == [f"libs/foundation/base/include/a.hpp:{line}: {name}"
                               for line, name in ((3, "kShare"), (5, "called"), (8, "count"), (9, "spare"))]


def test_a_use_in_any_program_is_enough(tmp_path):
    for user in ("libs/program/cli/src/main.cpp", "plugins/torch/src/b.cpp", "benchmarks/b.cpp", "tests/truth/b.cpp"):
        project(tmp_path / user, user)
        assert found(tmp_path / user) == []


def test_a_name_in_a_comment_or_a_string_is_no_use(tmp_path):
    project(tmp_path, "libs/program/cli/src/main.cpp")
    write(tmp_path, "libs/program/cli/src/main.cpp", '// spare()\nint main() { puts("spare()"); called(kShare); c.count(); }\n')
    assert found(tmp_path) == ["libs/foundation/base/include/a.hpp:9: spare"]


def test_what_is_kept_is_passed_over_until_it_is_used(tmp_path):
    project(tmp_path, "libs/program/cli/src/main.cpp")
    assert found(tmp_path, {"spare": "reason"}) == ["KEPT: spare: in use, or gone; take it off the list"]
    write(tmp_path, "libs/program/cli/src/main.cpp", "int main() { called(kShare); c.count(); }\n")
    assert found(tmp_path, {"spare": "reason"}) == []


TYPES = """
#pragma once
enum class Colour { red, green = 2, blue };
struct Ignored;
template <class Value, class Other>
struct Box {
  Box(Value value) : value_(value) {}
  int volume() const { return spare_ + value_; }
  Value value_;
  int spare_ = 0, unread = 1;
  std::map<std::string, int> counts{};
};
struct Unused final : public Box<int, int> {
  Unused* next = nullptr;
};
"""


def test_types_fields_and_enumerators_that_nobody_uses_are_named(tmp_path):
    write(tmp_path, "libs/foundation/base/include/a.hpp", TYPES)
    write(tmp_path, "libs/foundation/base/src/a.cpp", "int f() { Box box(Colour::red); return box.counts[1] + box.volume(); }\n")
    write(tmp_path, "libs/foundation/base/tests/a_test.cpp", "TEST(A, B) { Unused a; a.next = Colour::green; b.unread; Colour::blue; }\n")
    assert found(tmp_path) == [f"libs/foundation/base/include/a.hpp:{line}: {name}" for line, name in
                               ((10, "unread"), (13, "Unused"), (14, "next"), (3, "blue"), (3, "green"))]


def test_what_calls_itself_alone_is_dead(tmp_path):
    write(tmp_path, "libs/foundation/base/include/a.hpp", "int depth(int x);\nint width(int x);\n")
    write(tmp_path, "libs/foundation/base/src/a.cpp", "int depth(int x) { return x > 0 ? depth(x - 1) : 0; }\n"
                                           "int width(int x) { return width(x - 1); }\nint y = width(2);\n")
    assert found(tmp_path) == ["libs/foundation/base/include/a.hpp:1: depth"]


def test_headers_of_plugins_are_read_too(tmp_path):
    write(tmp_path, "plugins/torch/src/a.hpp", "int depth(int x);\n")
    assert found(tmp_path) == ["plugins/torch/src/a.hpp:1: depth"]
