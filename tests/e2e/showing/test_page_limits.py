"""What a page may cost its reader, in bytes; that all of it is drawn in a window of any height. How soon, ./dev bench says."""

import pytest

from report_browser import Page, browser, fixture_page  # noqa: F401
from trace_view import TimelineView, trace_page

HEIGHTS = 300, 900, 2000, 5000, 20000
LARGEST = 6_000_000  # bytes


@pytest.mark.parametrize("name", ["answered", "diagnosed", "device", "tuned"])
def test_every_chart_is_drawn_in_a_window_of_any_height(browser, fixture_page, name):
    path = fixture_page(name)
    for height in HEIGHTS:
        page = Page(browser, path, viewport={"width": 1200, "height": height})
        for chart in page.chart_names():
            assert chart == "forest" or page.chart(chart).canvas.locator("svg path").count() > 4, (chart, height)
        page.close()


@pytest.mark.slow
def test_a_timeline_of_a_million_pieces_is_small_and_drawn(browser, cli):
    path = trace_page(cli, steps=100, kernels=10_000)  # two million events
    (cli.folder / "made.json").unlink()
    assert path.stat().st_size < LARGEST
    page = Page(browser, path)
    assert "as 9" in page.page.locator("#timeline .live .note").last.text_content(), "pieces are hundreds of thousands"
    TimelineView(page).drawn()
    page.close()
