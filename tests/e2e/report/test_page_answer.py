"""The page in a real browser: what leads it, what is folded, and that every kind of run is readable by everybody."""

import pathlib

import pytest

from report_browser import browser, fixture_page, open_report, report_of  # noqa: F401

ROOT = pathlib.Path(__file__).resolve().parents[3]
AXE = ROOT / "web/report/node_modules/axe-core/axe.min.js"
RUNS = ROOT / "tests/fixtures/runs"
GREEN = "rgb(29, 107, 52)"

# The kinds of runs that a report may be of, as run files.
KINDS = {"quiet": "ln_10_6_blocks_1_2_3_4_6_8_12_16", "noisy": "two_ways_20_100_12_blocks_1_8",
         "two_models": "kinds/two_models", "engines": "kinds/engines", "pipeline": "kinds/pipeline",
         "tuned": "kinds/tune_bounds", "imported": "kinds/import_table", "trained": "kinds/training",
         "causes": "kinds/traced", "one_size": "kinds/budget", "failed": "kinds/failures", "largest": "kinds/max_batch"}
FIXTURES = ["answered", "hopeless", "compared", "diagnosed", "device", "tuned"]


@pytest.fixture
def page_of_kind(report_of):
    return lambda kind: report_of(str(RUNS / f"{KINDS[kind]}.jsonl"))


def serious(page):
    """What axe-core finds that keeps somebody from reading or using the page."""
    if not AXE.exists():
        pytest.skip("no axe-core: npm ci in web/report")
    # The page's own policy lets no script in; a debugger may.
    page.page.context.new_cdp_session(page.page).send("Runtime.evaluate", {"expression": AXE.read_text()})
    found = page.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(one["id"], [node["target"] for node in one["nodes"]][:5], one["nodes"][0].get("failureSummary"))
            for one in found["violations"] if one["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", FIXTURES)
def test_no_serious_violation_of_accessibility(fixture_page, open_report, name, scheme):
    page = open_report(fixture_page(name), color_scheme=scheme)
    page.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert serious(page) == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_serious_violation_in_any_kind_of_run(page_of_kind, open_report, kind):
    assert serious(open_report(page_of_kind(kind))) == []


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
    assert not page.locator("#machine, #tables").first.get_by_role("table").first.is_visible()
    # A browser's search looks into closed details elements, and only there.
    assert page.eval_on_selector_all("section > .fold", "all => all.every(one => one.tagName === 'DETAILS')")
    assert page.eval_on_selector_all("[hidden]:not([hidden='until-found']):not(.note)", "all => all.length") == 0


def test_wide_tables_say_that_they_scroll(fixture_page, open_report):
    page = open_report(fixture_page("answered"), viewport={"width": 400, "height": 800})
    page.open("tables")
    page.page.locator("#tables .wide-hint").first.wait_for()
    wide = open_report(fixture_page("answered"), viewport={"width": 1600, "height": 800})
    wide.open("tables")
    assert wide.page.locator("#tables .wide-hint").count() == 0


def test_an_interval_does_not_set_the_scale(fixture_page, open_report):
    chart = open_report(fixture_page("hopeless")).chart("sizes")
    heights = [y for _, y in chart.places(colour="rgb(31, 78, 121)")]
    # Intervals from a fifth to five times: by them the points would be within a few pixels.
    assert max(heights) - min(heights) > 60
