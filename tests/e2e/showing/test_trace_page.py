"""The page of a trace in a real browser: that its timeline shows what the device did, in every way to look at it."""

import json
import re

import pytest

from made_trace import LOADER, LOADING_US, kernel_us
from report_browser import browser, open_report  # noqa: F401
from trace_view import TimelineView, microseconds, trace_page

LANE = 100  # pixels from the top, within the first lane
FIRST = LOADING_US + 1  # when the first kernel starts
HOSTILE = "</script><img src=x onerror=alert(1)><!--<script>"


@pytest.fixture
def made(cli, open_report):
    return TimelineView(open_report(trace_page(cli)))


def test_the_page_leads_with_the_answer(cli, open_report):
    page = open_report(trace_page(cli)).page
    summary = json.loads(cli.run("trace", "made.json", "--format", "json").stdout)
    assert page.locator("#answer .setting").text_content() == summary["message"]
    assert page.locator("#findings .card").count() == len(summary["findings"])
    assert page.locator("section").evaluate_all("all => all.map(one => one.id)") == [
        "answer", "devices", "findings", "timeline", "places", "gaps", "steps", "kernels", "operators", "reading", "explanations"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_timeline_is_drawn_where_the_times_put_it(cli, open_report, scheme):
    view = TimelineView(open_report(trace_page(cli), color_scheme=scheme))
    loading, compute = view.colour("data-loading"), view.colour("compute")
    assert loading != compute
    assert view.pixel(LOADING_US / 2, LANE) == loading
    duration, pause = kernel_us(0)
    view.show(FIRST - 5, FIRST + 25)
    assert view.pixel(FIRST - 2.5, LANE) == loading != view.pixel(FIRST - 1.5, LANE)
    assert view.pixel(FIRST + 0.5, LANE) == view.pixel(FIRST + duration - 0.5, LANE) == compute
    assert view.pixel(FIRST + duration + pause / 2, LANE) not in (loading, compute)
    assert view.pixel(FIRST + duration + pause + 0.5, LANE) == compute


def test_another_theme_paints_anew(made):
    before = made.pixel(LOADING_US / 2, LANE)
    made.page.get_by_label("dark").check()
    assert made.drawn().pixel(LOADING_US / 2, LANE) == made.colour("data-loading") != before


def test_pointing_tells_part_start_duration_and_share(cli, made):
    wall = json.loads(cli.run("trace", "made.json", "--format", "json").stdout)["devices"][0]["wall_ns"] / 1e3
    made.show(FIRST - 5, FIRST + 25)
    text = made.hover(FIRST + 1, LANE).text_content()
    assert text.startswith("compute") and "from0.401" in text and "for3.00 µs" in text
    share = float(re.search(r"([\d.]+) % of the device", text).group(1))
    assert share == pytest.approx(100 * 3 / wall, abs=0.06)
    made.page.mouse.move(0, 0)
    assert not made.page.locator(".tip.floating").is_visible()


def test_pointing_at_many_pieces_tells_their_shares(cli, open_report):
    view = TimelineView(open_report(trace_page(cli, steps=10, kernels=3000)))
    busy, waits = map(sum, zip(*map(kernel_us, range(350))))  # as kernels follow each other, again and again
    for time in (5_000, 100_000, 250_000):
        text = view.hover(time, LANE).text_content()
        shares = {name: int(share) for name, share in re.findall(r"(compute|idle: launch)(\d+) %", text)}
        assert shares == {"compute": pytest.approx(100 * busy / (busy + waits), abs=4),
                          "idle: launch": pytest.approx(100 * waits / (busy + waits), abs=4)}
        top, bottom = 64, 155
        assert view.pixel(time, bottom) == view.colour("compute") != view.pixel(time, top), "busy at the bottom"


def test_a_wheel_scrolls_unless_it_is_to_zoom(made):
    x, y = made.at(LOADING_US / 2, LANE)
    made.page.mouse.move(x, y)
    before, place = made.view(), made.frame.bounding_box()["y"]
    made.page.evaluate("window.scrolled = new Promise((done) => addEventListener('scroll', () => done(null), { once: true })), null")
    made.page.mouse.wheel(0, 60)
    made.page.evaluate("window.scrolled")
    assert made.frame.bounding_box()["y"] < place and made.view() == before
    made.page.mouse.move(x, made.at(0, LANE)[1])
    made.page.keyboard.down("Control")
    made.page.mouse.wheel(0, -300)
    made.page.keyboard.up("Control")
    start, end = made.view()
    assert end - start < 0.7 * (before[1] - before[0])
    assert made.x(LOADING_US / 2) == pytest.approx(x - made.frame.bounding_box()["x"], abs=1), "what is pointed at stays"


def test_once_it_has_the_focus_the_wheel_alone_zooms(made):
    made.page.mouse.click(*made.at(LOADING_US / 2, LANE))
    made.page.keyboard.press("0")
    full = made.view()
    made.page.mouse.wheel(0, -300)
    assert made.view()[1] - made.view()[0] < full[1] - full[0]


def test_buttons_and_keys_zoom_and_move(made):
    full = made.view()
    for _ in range(3):
        made.page.get_by_role("button", name="Zoom in").click()
    start, end = made.view()
    assert (start + end) / 2 == pytest.approx(sum(full) / 2) and end - start < 0.3 * full[1]
    made.page.get_by_role("button", name="Later").click()
    assert made.view()[0] > start
    made.page.get_by_role("button", name="Earlier").click()
    assert made.view()[0] == pytest.approx(start)
    made.page.get_by_role("button", name="Show all").click()
    assert made.view() == full
    made.press("+", "+")
    nearer = made.view()
    assert nearer[1] - nearer[0] < 0.5 * full[1]
    assert made.press("PageDown").view()[0] > nearer[0]
    assert made.press("-", "0").view() == full


def test_dragging_moves_what_is_shown(made):
    made.show(500, 700)
    before = made.view()
    x, y = made.at(600, LANE)
    made.page.mouse.move(x, y)
    made.page.mouse.down()
    made.page.mouse.move(x + 30, y)
    made.page.mouse.move(x + 100, y)
    made.page.mouse.up()
    assert made.view()[0] < before[0] and made.x(600) == pytest.approx(x + 100 - made.frame.bounding_box()["x"], abs=1.5)


def test_the_ruler_fills_the_view_with_a_segment(made):
    assert made.show(450, 620).view() == pytest.approx([450, 620], abs=3)


def test_a_step_is_shown_by_its_name(made):
    made.page.mouse.click(*made.at(900, 30))
    steps = made.view()
    row = made.page.locator("table.steps tbody tr").nth(1)
    assert row.locator("button").text_content() == "1"
    made.page.get_by_role("button", name="Show all").click()
    row.locator("button").click()
    assert made.view() == steps


def test_two_fingers_zoom(cli, open_report):
    page = open_report(trace_page(cli), has_touch=True)
    view = TimelineView(page)
    x, y = view.at(LOADING_US / 2, LANE)
    touch = page.context.new_cdp_session(page.page)

    def send(kind, *places):
        points = [{"x": place, "y": y, "id": index} for index, place in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = view.view()
    send("touchStart", x - 30, x + 30)
    for apart in (40, 60, 90, 120):
        send("touchMove", x - apart, x + apart)
    send("touchEnd")
    start, end = view.view()
    assert (before[1] - before[0]) / (end - start) == pytest.approx(4, rel=0.4)
    assert start < LOADING_US / 2 < end


def test_the_minimap_moves_what_is_shown(made):
    made.show(450, 620)
    wall = made.page.evaluate("JSON.parse(document.getElementById('timeline-data').textContent).wall") / 1e3
    box = made.page.locator(".minimap").bounding_box()
    y = box["y"] + box["height"] / 2
    made.page.mouse.click(box["x"] + 0.75 * box["width"], y)
    start, end = made.view()
    assert (start + end) / 2 == pytest.approx(0.75 * wall, rel=0.01) and end - start == pytest.approx(170, abs=3)
    made.page.mouse.move(box["x"] + 0.75 * box["width"], y)
    made.page.mouse.down()
    made.page.mouse.move(box["x"] + 0.5 * box["width"], y, steps=4)
    made.page.mouse.up()
    assert sum(made.view()) / 2 == pytest.approx(0.5 * wall, rel=0.02)


def test_keys_step_from_piece_to_piece_and_say_what_it_is(made):
    made.show(FIRST - 30, FIRST + 70)
    made.press("ArrowRight")
    assert made.spoken().startswith("idle: data loading")
    assert microseconds(made.press("ArrowRight").spoken()) == pytest.approx(2), "from the loader to the launch"
    for index in range(12):
        duration, pause = kernel_us(index)
        made.press("ArrowRight")
        assert made.spoken().startswith("compute, from") and microseconds(made.spoken()) == pytest.approx(duration)
        made.press("ArrowRight")
        assert made.spoken().startswith("idle: launch, from") and microseconds(made.spoken()) == pytest.approx(pause)
    made.press("ArrowLeft")
    assert microseconds(made.spoken()) == pytest.approx(kernel_us(11)[0])
    assert made.page.locator(".tip.floating").is_visible()
    made.press("Enter")
    start, end = made.view()
    assert end - start == pytest.approx(1.4 * kernel_us(11)[0], rel=0.01)
    assert made.press("Escape").spoken() == ""


def test_keys_reach_other_devices(cli, open_report):
    view = TimelineView(open_report(trace_page(cli, devices=2)))
    view.show(FIRST - 30, FIRST + 70)
    view.press("ArrowRight")
    assert view.spoken().startswith("GPU 0")
    assert view.press("ArrowDown").spoken().startswith("GPU 1")


def test_a_long_idle_time_is_shown_with_what_the_host_did(cli, made):
    gap = json.loads(cli.run("trace", "made.json", "--format", "json").stdout)["devices"][0]["largest_gaps"][0]
    made.page.locator("table.gaps tbody button").first.click()
    start, end = made.view()
    length = gap["duration_ns"] / 1e3
    assert end - start == pytest.approx(1.7 * length, rel=0.01)
    assert made.pixel((start + end) / 2, LANE - 20) == made.colour("data-loading")
    detail = made.page.locator("#timeline .detail")
    printed = dict(zip(detail.locator("dt").all_text_contents(), detail.locator("dd").all_text_contents(), strict=True))
    assert printed == {"host call": gap["call"], "source": gap["source"], "on": "thread 4711 of process 4711"}
    assert printed["host call"] == LOADER and printed["source"] == "train.py(12): load"
    assert "data loading 9" in detail.text_content()


def test_memory_is_reported_at_each_moment(cli, open_report):
    view = TimelineView(open_report(trace_page(cli, memory=True)))
    memory = 42 + 22 + 96 + 8 + 22 + 20
    view.show(LOADING_US - 20, LOADING_US + 80)
    for index in range(5):
        text = view.hover(LOADING_US + 10 * index + 5, memory).text_content()
        assert f"allocated{index + 1}.00 MB" in text and "reserved9.00 MB" in text


def test_tables_are_sorted_by_any_column(cli, open_report):
    page = open_report(trace_page(cli)).page
    table = page.locator("#operators table")
    table.locator("th button", has_text="calls").first.click()
    calls = [int(text) for text in table.locator("tbody tr td:nth-child(4)").all_text_contents()]
    assert calls == sorted(calls, reverse=True) and len(set(calls)) > 1
    assert table.locator("th[aria-sort=descending]").text_content() == "calls"
    table.locator("th button", has_text="calls").first.click()
    assert [int(text) for text in table.locator("tbody tr td:nth-child(4)").all_text_contents()] == sorted(calls)
    table.locator("th button", has_text="name").click()
    names = table.locator("tbody th").all_text_contents()
    assert names == sorted(names, key=str.lower)


def test_what_to_try_is_copied(cli, open_report):
    opened = open_report(trace_page(cli))
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened.page
    page.locator(".try button").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator(".try code").first.text_content()


def test_downloads_are_those_of_the_program(cli, open_report):
    page = open_report(trace_page(cli)).page
    with page.expect_download() as csv:
        page.get_by_role("button", name="Download CSV").click()
    assert csv.value.path().read_text() == cli.run("trace", "made.json", "--format", "csv").stdout
    with page.expect_download() as made:
        page.get_by_role("button", name="Download JSON").click()
    assert json.loads(made.value.path().read_text()) == json.loads(cli.run("trace", "made.json", "--format", "json").stdout)


def test_a_hostile_name_stays_text(cli, open_report):
    view = TimelineView(open_report(trace_page(cli, kernel=HOSTILE, loader=HOSTILE + " DataLoader", source=HOSTILE)))
    assert HOSTILE in view.page.locator("#kernels tbody th").first.text_content()
    view.page.locator("table.gaps tbody button").first.click()
    assert HOSTILE in view.page.locator("#timeline .detail").text_content()
    start, end = view.view()
    assert HOSTILE in view.hover((start + end) / 2, LANE).text_content()
    assert view.page.locator("img").count() == 0


def test_without_a_script_there_are_the_picture_and_the_tables(cli, open_report):
    page = open_report(trace_page(cli, memory=True), drawn=False, java_script_enabled=False).page
    picture = page.locator("svg.time-picture")
    assert picture.is_visible() and picture.bounding_box()["height"] > 80
    assert picture.locator("path[fill='url(#part-data-loading)']").count() == 1
    for table, rows in {"gaps": 20, "steps": 4, "kernels": 1, "memory": 1}.items():
        assert page.locator(f"#{table} tbody tr").count() == rows


@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_screen(cli, open_report, width):
    name = "void at::native::" + "very_long_kernel_name_" * 20
    page = open_report(trace_page(cli, kernel=name, devices=2, memory=True), viewport={"width": width, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("table.gaps tbody button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_paper_has_the_picture_and_all_rows(made):
    picture = made.page.locator("svg.time-picture")
    assert not picture.is_visible() and made.live.is_visible()
    made.page.emulate_media(media="print")
    assert picture.is_visible() and not made.live.is_visible()
    assert made.page.locator("#reading dl").is_visible()
