import check_messages
import pytest


def written(root, code, name="libs/base/src/a.cpp"):
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(code)
    return check_messages.messages(root).get(name, [])


@pytest.mark.parametrize("code, said", [
    ('f("the file exists");', ["the file exists"]),
    ('f("the file "\n  "exists");', ["the file exists"]),
    ('f("the file "  // why\n  "exists");', ["the file exists"]),
    ('f("the file", "exists already");', ["the file", "exists already"]),
    ('fmt::format("{:.3g} blocks of {} are left", a, b);', ["{} blocks of {} are left"]),
    ('f("take \\"this\\" one\\n");', ['take "this" one']),
    ('f("within \\u00b1{} of it");', ["within ±{} of it"]),
    ('#include "two words.hpp"\n', []),
    ('f("word");', []),
    ('// "not a literal"\n', []),
    ('f("<b>some words</b>");', []),
    ('f("twice the same"); g("twice the same");', ["twice the same"])])
def test_sentences_are_found(tmp_path, code, said):
    assert written(tmp_path, code) == said


def test_tests_and_other_folders_say_nothing(tmp_path):
    assert written(tmp_path, 'f("some words");', "libs/base/tests/a_test.cpp") == []
    assert written(tmp_path, 'f("some words");', "examples/a.cpp") == []


def test_a_page_that_is_not_up_to_date_is_told_with_what_is_new(tmp_path):
    written(tmp_path, 'f("some words");')
    page = tmp_path / check_messages.PAGE
    page.parent.mkdir(parents=True)
    page.write_text(check_messages.page(check_messages.messages(tmp_path)))
    assert check_messages.check(tmp_path) == ([], 1)
    written(tmp_path, 'f("other words");')
    violations, count = check_messages.check(tmp_path)
    assert count == 1 and "- other words" in violations[0]
