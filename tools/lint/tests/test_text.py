import check_text
import pytest


def check(root, text, name="a.md"):
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return check_text.check(root, [file])


@pytest.mark.parametrize("text", [
    "see /" + "work/main\n", "in /" + "root/.cache\n", "from pypi" + ".org\n", "/tmp/" + "build-x\n",
    "space \n", "tab\there\n", "return\r\n", "no end"])
def test_what_does_not_belong_is_named_with_its_line(tmp_path, text):
    violations = check(tmp_path, "first\n" + text)
    assert violations
    assert violations[0].startswith("a.md")


@pytest.mark.parametrize("text", ["libs/work/x\n", "../root/x\n", "https://www.apache.org/licenses/\n"])
def test_what_only_appears_alike_passes(tmp_path, text):
    assert check(tmp_path, text) == []


def test_fixtures_may_hold_any_whitespace(tmp_path):
    assert check(tmp_path, "a\tb \r\n", "tests/fixtures/a.csv") == []
