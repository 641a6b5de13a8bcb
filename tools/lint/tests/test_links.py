import subprocess

import check_links
import pytest


def check(root, text):
    (root / "other.md").write_text('# A heading: `with` [more](x.md)\n\n<a id="term"></a>a term\n\n## Once\n')
    (root / "doc.md").write_text("# Own\n\n" + text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return [each for each in check_links.check(root) if each.startswith("doc.md")]


@pytest.mark.parametrize("link", ["other.md", "other.md#a-heading-with-more", "other.md#term", "#own", "https://a.example/b#c"])
def test_a_place_that_is_there_passes(tmp_path, link):
    assert check(tmp_path, f"[words]({link})\n") == []


@pytest.mark.parametrize("link", ["none.md", "other.md#none", "#none"])
def test_a_place_that_is_not_there_is_named(tmp_path, link):
    (violation,) = check(tmp_path, f"[words]({link})\n")
    assert link in violation


def test_code_is_no_link(tmp_path):
    assert check(tmp_path, "```\n[x](none.md)\n```\n\n`[x](none.md)`\n") == []
