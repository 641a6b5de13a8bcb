"""The page in a real browser: what leads it, what is folded, and that nothing of it is blank or overlaps."""

import re

import pytest

from conftest import ROOT
from kinds_of_runs import KINDS, RUNS, page_of_kind  # noqa: F401
from report_browser import browser, fixture_page, open_report, report_of  # noqa: F401

GREEN = "rgb(29, 107, 52)"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_run_fits_a_narrow_screen(page_of_kind, open_report, kind):
    page = open_report(page_of_kind(kind), viewport={"width": 400, "height": 800}).page
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


OVERLAPS = """() => [...document.querySelectorAll('figure .canvas svg')].flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].filter(one => one.textContent.trim() !== '')
      .map(one => [one.textContent, one.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
      .filter(([, b]) => over(a, b)).map(([other]) => `${svg.closest('figure').id}: ${one} | ${other}`));
})"""


@pytest.mark.parametrize("kind", KINDS)
def test_no_labels_overlap_on_a_narrow_screen(page_of_kind, open_report, kind):
    page = open_report(page_of_kind(kind), viewport={"width": 400, "height": 800}).page
    assert page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("kind", KINDS)
def test_axes_and_legends_say_something(page_of_kind, open_report, kind):
    page = open_report(page_of_kind(kind)).page
    texts = page.eval_on_selector_all("figure .canvas svg text", "all => all.map(one => one.textContent)")
    assert [text for text in texts if "00000" in text or "99999" in text or "NaN" in text] == []
    entries = page.eval_on_selector_all(".legend li", "all => all.map(one => one.textContent.trim())")
    assert "" not in entries


@pytest.mark.parametrize("height", [300, 900, 5000, 20000])
def test_nothing_is_blank_however_tall_the_window(fixture_page, open_report, height):
    page = open_report(fixture_page("diagnosed"), viewport={"width": 1200, "height": height})
    for name in page.chart_names():
        if name != "forest":
            assert page.chart(name).canvas.locator("svg path").count() > 4, name


def test_the_answer_leads(fixture_page, open_report):
    page = open_report(fixture_page("answered")).page
    assert page.locator("main h2").first.inner_text() == "Use batch 4"
    assert page.locator(".badge").first.inner_text() == "Verified"
    assert page.locator(".tile").count() == 3
    box = page.locator("#chart-answer .canvas").bounding_box()
    assert box["y"] < 900 and "batch 4, best" in page.locator("#chart-answer .canvas svg").inner_html()


def test_a_run_that_cannot_tell_shows_no_green_and_names_no_size(fixture_page, open_report):
    page = open_report(fixture_page("hopeless"), color_scheme="light").page
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    green = page.evaluate(f"""[...document.querySelectorAll('body *')].filter(one => {{
        const style = getComputedStyle(one);
        return [style.color, style.backgroundColor, style.fill, style.stroke].includes('{GREEN}');
    }}).length""")
    assert green == 0
    answer = page.locator("#answer").inner_text()
    assert "Cannot tell" in answer and "best:" not in answer and "recommended" not in answer
    assert "best" not in page.locator("#charts").inner_text()


def test_compared_models_lead_with_their_ratios(fixture_page, open_report):
    page = open_report(fixture_page("compared")).page
    rows = page.locator("#answer .forest tbody tr:not(.scale)")
    assert rows.count() == 2 and "bf16 against fp32" in rows.first.inner_text()
    assert page.locator("#answer .forest .margin").count() == 2


def test_a_finding_leads_to_what_it_means(fixture_page, open_report):
    page = open_report(fixture_page("answered")).page
    meaning = page.locator("#explained-scaling-dominated")
    assert not meaning.is_visible()
    page.locator(".card-kind a").first.click()
    meaning.wait_for()
    assert page.evaluate("document.activeElement !== null") and meaning.is_visible()


def test_what_is_folded_is_printed(fixture_page, open_report):
    page = open_report(fixture_page("answered")).page
    table = page.locator("#tables table").first
    assert not table.is_visible()
    page.emulate_media(media="print")
    table.wait_for()
    assert page.locator("#chart-forward_pass_boxplot svg path").count() > 10
    page.emulate_media(media="screen")
    table.wait_for(state="hidden")


def test_what_is_folded_is_found_by_a_search(fixture_page, open_report):
    page = open_report(fixture_page("answered")).page
    # A browser's search looks into closed details elements, and only there.
    assert page.eval_on_selector_all("section > .fold", "all => all.every(one => one.tagName === 'DETAILS')")
    assert page.eval_on_selector_all("[hidden]:not([hidden='until-found']):not(.note)", "all => all.length") == 0
    assert not page.get_by_text("Severity.").first.is_visible()
    # A link to words searches for them as the search box does, and no script reaches that.
    found = open_report(fixture_page("answered"), fragment="#:~:text=Severity").page
    found.wait_for_selector("#explanations > details[open]")
    assert found.get_by_text("Severity.").first.is_visible()


@pytest.mark.parametrize("anchor, fold", [("tables", "tables"), ("term-visit", "explanations")])
def test_a_link_opens_the_fold_that_it_leads_to(fixture_page, open_report, anchor, fold):
    assert not open_report(fixture_page("answered")).page.locator(f"#{fold} > details[open]").count()
    page = open_report(fixture_page("answered"), fragment=f"#{anchor}").page
    page.wait_for_selector(f"#{fold} > details[open]")
    page = open_report(fixture_page("answered")).page
    page.locator(f"a[href='#{anchor}']").first.click()
    page.wait_for_selector(f"#{fold} > details[open]")
    assert page.locator(f"#{anchor}").is_visible()


def test_what_a_term_means_is_in_the_glossary_too(fixture_page, open_report):
    page = open_report(fixture_page("answered")).page
    reported = " ".join(page.locator("#explanations dd").all_text_contents())
    anchors = re.findall(r"docs/reference/glossary\.md#([\w-]+)", reported)
    glossary = (ROOT / "docs/reference/glossary.md").read_text()
    assert {"visit", "jump-ratio"} <= set(anchors) and all(f'<a id="{anchor}">' in glossary for anchor in anchors)
    assert page.locator("footer a").count() == len(anchors)


# For every table in sight: [it is wider than its place, it says so].
WIDE = """() => [...document.querySelectorAll('#tables .scroll')].filter((one) => one.clientWidth > 0).map((one) =>
    [one.scrollWidth > one.clientWidth + 1, one.previousElementSibling?.classList.contains('wide-hint') === true])"""


@pytest.mark.parametrize("width", [400, 1600])
def test_tables_wider_than_their_place_say_that_they_scroll(fixture_page, open_report, width):
    page = open_report(fixture_page("answered"), viewport={"width": width, "height": 800})
    page.open("tables")
    page.page.locator("#tables .scroll").first.wait_for()
    tables = page.page.evaluate(WIDE)
    assert tables and all(is_wide == says_so for is_wide, says_so in tables)
    assert width > 400 or any(is_wide for is_wide, _ in tables)


def test_an_interval_does_not_set_the_scale(fixture_page, open_report):
    chart = open_report(fixture_page("hopeless")).chart("sizes")
    heights = [y for _, y in chart.places(colour="rgb(31, 78, 121)")]
    # Intervals from a fifth to five times: by them the points would be within a few pixels.
    assert max(heights) - min(heights) > 60


CALM = "synthetic:affine:2ms,10ms;process_sd=0.004;visit_sd=0.004"


def test_compare_writes_a_page_that_leads_with_its_answer(cli, report_of, open_report):
    report_of(str(RUNS / "screens/ab.jsonl"))
    slower = CALM.replace("2ms,10ms", "2.2ms,11ms")
    cli.run("compare", CALM, slower, "-b", "4,8", "--blocks", 12, "--seed", 3, "-o", "page.html", check=5)
    reported = cli.run("compare", "compare.jsonl", check=5).stdout
    page = open_report(cli.folder / "page.html").page
    headline = page.locator("main h2").first.inner_text()
    assert "is slower than" in headline and " ".join(reported.split()).startswith(headline)
    rows = page.locator("#answer .forest tbody tr:not(.scale)")
    assert rows.count() == 2 and "slower, beyond the margin" in rows.first.inner_text()
    assert "the margin (2 % more time)" in page.locator("#answer .forest .note").inner_text()


@pytest.mark.parametrize("kind", ["two_models", "engines"])
def test_a_report_of_what_was_compared_leads_with_the_margin(report_of, open_report, kind):
    run = str(RUNS / f"{KINDS[kind]}.jsonl")
    for flags, margin in (((), "2 %"), (("--margin", "5%"), "5 %")):
        page = open_report(report_of(run, name=f"{margin[0]}.html", flags=flags)).page
        assert f"the margin ({margin} more time)" in page.locator("#answer .forest .note").inner_text()
        assert page.locator("#answer .forest .margin").count() > 0


def test_two_runs_lead_with_the_margin(cli, report_of, open_report):
    runs = [f"{name}.jsonl" for name in "ab"]
    for seed, run in enumerate(runs):
        cli.run("profile", "-m", CALM, "-b", "4,8", "--blocks", 6, "--seed", seed + 1, "-q", "-o", run)
    assert open_report(report_of(*runs)).page.locator("#answer .forest .margin").count() == 2
