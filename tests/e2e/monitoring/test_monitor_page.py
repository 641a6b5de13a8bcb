"""The page of a monitor's log in a real browser: that it leads with what is wrong, and that its charts show what was told."""

import pytest

from monitor_pages import Charts, monitor_page  # noqa: F401
from report_browser import browser, open_report  # noqa: F401
from test_page_access import serious, unfold

SCHEMES = ["light", "dark"]
NAMES = ["healthy", "trained", "week", "without_gpu", "lost_gpu", "hostile", "empty"]
CLOCK_FELL = (700, 950)  # seconds from the start, of the page "trained"
CHANGED = 1204  # from when its steps take longer
LOST = 120  # of the page "lost_gpu"
SILENT = (199, 260)
LARGEST = 3_000_000  # bytes


@pytest.fixture
def charts(monitor_page, open_report):
    return lambda name, **options: Charts(open_report(monitor_page(name), **options).page)


def test_the_page_leads_with_what_is_wrong_since_when(monitor_page, open_report):
    page = open_report(monitor_page("trained")).page
    assert page.locator("#answer h2").text_content() == "Steps take 23 % longer since step 12000"
    printed = page.locator("#answer .setting").text_content()
    assert "2026-10-01 12:20:0" in printed and "still active at the end of the log" in printed and "4 more are over" in printed
    assert page.locator("section").evaluate_all("all => all.map(one => one.id)") == [
        "answer", "findings", "timeline", "training", "gpus", "reading"]
    assert page.locator("#findings .card").count() == 5


@pytest.mark.parametrize("name", ["healthy", "trained", "week", "million"])
def test_the_page_of_a_long_log_is_small_and_drawn(monitor_page, open_report, name):
    assert monitor_page(name).stat().st_size < LARGEST
    open_report(monitor_page(name))


def test_of_a_healthy_machine_it_says_what_was_looked_at(monitor_page, open_report):
    page = open_report(monitor_page("healthy")).page
    assert page.locator("#answer h2").text_content() == "No problems found"
    assert "GPU busy" in page.locator("#answer .setting").text_content()
    assert page.locator("#gpus tbody tr").count() == 8
    assert page.locator("#chart-power .legend button").count() == 8


@pytest.mark.parametrize("scheme", SCHEMES)
def test_lines_are_drawn_where_something_was_reported(charts, scheme):
    shown = charts("lost_gpu", color_scheme=scheme)
    third, fourth = "--line-2", "--line-3"
    shown.page.locator("#chart-power .legend button").evaluate_all("all => [0, 1, 3].forEach(at => all[at].click())")
    assert shown.tints("power", 5, LOST - 5, third) > 40
    assert shown.tints("power", LOST + 5, 395, third) == 0, "it is lost"
    shown.page.locator("#chart-power .legend button").evaluate_all("all => [2, 3].forEach(at => all[at].click())")
    assert shown.tints("power", SILENT[1] + 5, 395, fourth) > 40
    assert shown.tints("power", SILENT[0] + 3, SILENT[1] - 3, fourth) == 0, "the monitor stood still"


def test_pointing_tells_values_time_and_step(charts):
    shown = charts("trained")
    text = shown.hover("sm-clock", 800).text_content()
    assert "2026-10-01 12:13:" in text and "GPU 11200 MHz" in text and "GPU 019" in text
    text = shown.hover("loss", 600).text_content()
    assert "step 5" in text and "training" in text
    shown.page.mouse.move(0, 0)
    assert not shown.page.locator("#chart-loss .tip").is_visible()


def test_dragging_across_one_chart_zooms_all(charts):
    shown = charts("trained")
    full = shown.view()
    assert shown.drag("power", *CLOCK_FELL).view() == pytest.approx(CLOCK_FELL, abs=6)
    assert "1200 MHz (1200 to 1200)" not in shown.hover("sm-clock", 800).text_content()
    assert "4 min 1" in shown.page.locator(".range").text_content()
    shown.page.mouse.dblclick(*shown.at("loss", 800))
    assert shown.view() == full


def test_buttons_and_keys_zoom_and_move(charts):
    shown = charts("trained")
    full = shown.view()
    for _ in range(3):
        shown.page.get_by_role("button", name="Zoom in").click()
    start, end = shown.view()
    assert (start + end) / 2 == pytest.approx(sum(full) / 2) and end - start < 0.3 * full[1]
    shown.page.get_by_role("button", name="Later").click()
    assert shown.view()[0] > start
    shown.page.get_by_role("button", name="Earlier").click()
    assert shown.view()[0] == pytest.approx(start)
    shown.page.get_by_role("button", name="Show all").click()
    assert shown.view() == full
    assert shown.press("power", "+", "+").view()[1] < full[1]
    assert shown.press("power", "0").view() == full


def test_a_wheel_scrolls_unless_it_is_to_zoom(charts):
    shown = charts("trained")
    shown.page.mouse.move(*shown.at("power", 800))
    before = shown.view()
    shown.page.evaluate("window.scrolled = new Promise((done) => addEventListener('scroll', () => done(null), { once: true })), null")
    shown.page.mouse.wheel(0, 60)
    shown.page.evaluate("window.scrolled")
    assert shown.view() == before
    shown.page.mouse.move(*shown.at("power", 800))
    shown.page.keyboard.down("Control")
    shown.page.mouse.wheel(0, -300)
    shown.page.keyboard.up("Control")
    start, end = shown.view()
    assert end - start < 0.7 * (before[1] - before[0]) and start < 800 < end


def test_keys_step_and_say_what_is_there(charts):
    shown = charts("healthy")
    shown.press("power", "Home")
    assert shown.spoken("power").startswith("2026-10-01 12:00:00 UTC, GPU 0 ")
    shown.press("power", "ArrowRight", "ArrowRight")
    assert shown.spoken("power").startswith("2026-10-01 12:00:02 UTC, GPU 0 ")
    assert " W" in shown.spoken("power")
    assert shown.press("power", "Escape").spoken("power") == ""


def test_findings_are_bars_and_cards_lead_to_them(charts):
    shown = charts("trained")
    tip = shown.hover("findings", 800, height=0.2)
    assert "slowed down by its temperature" in tip.text_content() and "4 min 10 s" in tip.text_content()
    shown.page.locator("#finding-2").get_by_role("button", name="Show over time").click()
    start, end = shown.view()
    assert start == pytest.approx(CLOCK_FELL[0] - 0.35 * 250, abs=1) and end == pytest.approx(CLOCK_FELL[1] + 0.35 * 250, abs=1)
    shown.press("findings", "0", "Home")
    assert shown.spoken("findings").startswith("One step took 12 times as long")


def test_a_line_can_be_hidden(charts):
    shown = charts("trained")
    assert shown.tints("sm-clock", 710, 940, "--line-1") > 20
    shown.page.locator("#chart-sm-clock").get_by_role("button", name="GPU 1").click()
    assert shown.tints("sm-clock", 710, 940, "--line-1") == 0
    assert "GPU 1" not in shown.hover("sm-clock", 800).text_content()


def test_a_single_peak_of_a_week_is_seen(charts):
    shown = charts("week")
    text = shown.hover("temperature", 7 * 86400 / 3).text_content()
    assert "to 97.0" in text or "97.0" in text
    assert shown.page.locator("#timeline > .note").last.text_content().startswith("Each point covers up to 605 consecutive readings")


def test_every_chart_has_its_numbers_as_a_table(charts):
    shown = charts("trained")
    for figure in shown.page.locator("#timeline figure:not(#chart-findings)").all():
        assert figure.locator("details.numbers tbody tr").count() == 13
    row = shown.page.locator("#chart-sm-clock tbody tr").nth(0).locator("td").all_text_contents()
    assert row[1].endswith("1200 to 1980")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(monitor_page, open_report, name, width):
    page = open_report(monitor_page(name), viewport={"width": width, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_a_script_there_are_all_tables(monitor_page, open_report):
    page = open_report(monitor_page("trained"), drawn=False, java_script_enabled=False).page
    assert page.locator("#chart-power tbody tr").count() == 13
    assert page.locator("#timeline").get_by_text("does not run").is_visible()


def test_on_paper_all_is_there_in_the_colours_of_paper(charts):
    shown = charts("trained", color_scheme="dark")
    shown.page.emulate_media(media="print")
    shown.drawn()
    assert shown.page.locator("#reading").get_by_text("train.py").is_visible()
    assert shown.tints("power", 0, 2000, "--line-0") > 100


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_readable_by_everybody(monitor_page, open_report, name, scheme):
    page = open_report(monitor_page(name), color_scheme=scheme).page
    unfold(page)
    assert serious(page) == []
