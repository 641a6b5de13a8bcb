"""That everybody can read the pages: axe-core, and the contrast of what it does not see, the texts of drawings."""

import pytest

from conftest import ROOT
from kinds_of_runs import KINDS, page_of_kind  # noqa: F401
from report_browser import browser, fixture_page, missing, open_report, report_of  # noqa: F401
from trace_view import TimelineView, trace_page

AXE = ROOT / "web/report/node_modules/axe-core/axe.min.js"
FIXTURES = ["answered", "hopeless", "compared", "diagnosed", "device", "tuned"]
SCHEMES = ["light", "dark"]
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


def serious(page):
    """What axe-core finds that keeps somebody from reading or using the page."""
    if not AXE.exists():
        missing("no axe-core: npm ci in web/report")
    # The page's own policy lets no script in; a debugger may.
    page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE.read_text()})
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(one["id"], [node["target"] for node in one["nodes"]][:5], one["nodes"][0].get("failureSummary"))
            for one in found["violations"] if one["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", FIXTURES)
def test_no_serious_violation_of_accessibility(fixture_page, open_report, name, scheme):
    page = open_report(fixture_page(name), color_scheme=scheme).page
    unfold(page)
    assert serious(page) == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_serious_violation_in_any_kind_of_run(page_of_kind, open_report, kind):
    assert serious(open_report(page_of_kind(kind)).page) == []


# Texts of drawings with less contrast than they need: how much, what they say, and their colour. Drawings are hidden from
# axe-core, since what they show is told in words beside them.
FAINT = """(least) => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = parts(getComputedStyle(at).backgroundColor);
      if (found.length >= 3 && (found[3] ?? 1) === 1) return found;
    }
    return [255, 255, 255];
  };
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  };
  const texts = [...document.querySelectorAll('svg text')].filter((text) => text.textContent.trim() !== '');
  const measured = texts.map((text) => {
    const { fill, fillOpacity, opacity } = getComputedStyle(text);
    const ratio = Number(fillOpacity) * Number(opacity) < 1 ? 0 : contrast(parts(fill), behind(text));
    return [ratio, text.textContent, fill];
  });
  return { texts: texts.length, faint: measured.filter(([ratio]) => !(ratio >= least)) };
}"""


def faint(page):
    found = page.evaluate(FAINT, LEAST_CONTRAST)
    assert found["texts"] > 5
    return found["faint"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", FIXTURES)
def test_texts_of_drawings_are_distinct_from_what_is_behind_them(fixture_page, open_report, name, scheme):
    page = open_report(fixture_page(name), color_scheme=scheme).page
    unfold(page)
    assert faint(page) == []


def test_a_faint_text_is_found(fixture_page, open_report):
    page = open_report(fixture_page("answered"), color_scheme="light").page
    page.evaluate("document.querySelector('.canvas svg text').setAttribute('fill', '#999999')")
    assert [colour for _, _, colour in faint(page)] == ["rgb(153, 153, 153)"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_of_a_trend_is_readable_by_everybody(cli, open_report, scheme):
    for seed in range(12):
        slower = "2.4ms,12ms" if seed > 5 else "2ms,10ms"
        cli.run("profile", "-m", f"synthetic:affine:{slower};visit_sd=0.002", "-b", "4,8", "--blocks", 3, "--seed", seed + 1,
                "-q", "-o", f"c{seed}.jsonl")
        text = (cli.folder / f"c{seed}.jsonl").read_text().replace("2.4ms,12ms", "2ms,10ms")
        (cli.folder / f"c{seed}.jsonl").write_text(text)
    cli.run("trend", *[f"c{seed}.jsonl" for seed in range(12)], "-o", "trend.html")
    page = open_report(cli.folder / "trend.html", drawn=False, color_scheme=scheme).page
    assert page.locator("svg rect.rise").count() > 0
    assert serious(page) == [] and faint(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("script", [True, False])
def test_the_page_of_a_trace_is_readable_by_everybody(cli, open_report, scheme, script):
    opened = open_report(trace_page(cli, devices=2, memory=True), drawn=script, color_scheme=scheme, java_script_enabled=script)
    if script:
        unfold(opened.page)
        opened.page.locator("table.gaps tbody button").first.click()
        TimelineView(opened).drawn()
        assert serious(opened.page) == []
        opened.page.emulate_media(media="print")
    # The picture, which is in sight without a script and on paper.
    assert faint(opened.page) == []
