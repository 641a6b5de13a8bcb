"""What pages for readers share: rows of the README's example, and terms."""

import re

from conftest import ROOT

README = (ROOT / "README.md").read_text()


def test_the_guide_to_reports_shows_rows_of_the_example():
    guide = (ROOT / "docs/guide/measure/reading-a-report.md").read_text()
    table = next(block for block in re.findall(r"^```\n(.*?)^```", guide, re.DOTALL | re.MULTILINE) if "per sample" in block)
    assert set(table.splitlines()) <= set(README.splitlines())


def test_every_term_of_the_glossary_has_an_anchor_of_its_own():
    glossary = (ROOT / "docs/reference/glossary.md").read_text()
    rows = [line for line in glossary.splitlines() if line.startswith("| ") and not line.startswith("| here")]
    assert len(rows) > 35
    for row in rows:
        assert row.startswith('| <a id="'), row
    anchors = re.findall(r'<a id="([^"]+)"></a>', glossary)
    assert len(anchors) == len(set(anchors))
    assert {"jump-ratio", "knee", "departure", "visit", "block", "fitness", "p99", "cannot-tell"} <= set(anchors)
    linked = {anchor for page in (ROOT / "docs").rglob("*.md") for anchor in re.findall(r"glossary\.md#([\w-]+)", page.read_text())}
    assert linked <= set(anchors)
