"""The page of a trace in a browser, and what its timeline shows."""

import re

from made_trace import write_trace
from report_browser import Page, missing


def trace_page(cli, name="made", **made):
    """The page of a trace that never happened."""
    write_trace(cli.folder / f"{name}.json", **made)
    done = cli.run("trace", f"{name}.json", "-o", f"{name}.html", check=None)
    if "no HTML report" in done.stderr:
        missing("built without the HTML report")
    assert done.returncode == 0, done.stderr
    return cli.folder / f"{name}.html"


class TimelineView:
    """Times are in microseconds from the start of the timeline."""

    def __init__(self, page):
        self.page = page.page if isinstance(page, Page) else page
        self.frame, self.live = self.page.locator(".frame"), self.page.locator("#timeline .live")
        self.frame.scroll_into_view_if_needed()

    def drawn(self):
        """Once the next frame is there."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")
        return self

    def view(self):
        self.drawn()
        return [float(self.live.get_attribute(f"data-{end}")) / 1e3 for end in ("from", "to")]

    def x(self, time):
        start, end = self.view()
        return (time - start) / (end - start) * self.frame.bounding_box()["width"]

    def at(self, time, y):
        box = self.frame.bounding_box()
        return box["x"] + self.x(time), box["y"] + y

    def pixel(self, time, y):
        """The colour of the drawing there, as a browser writes it."""
        place = """([x, y]) => {
          const copy = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
          const context = copy.getContext('2d', { willReadFrequently: true });
          context.drawImage(document.querySelector('canvas.lanes'), -x, -y);
          return [...context.getImageData(0, 0, 1, 1).data];
        }"""
        red, green, blue, _ = self.page.evaluate(place, [round(self.x(time)), y])
        return f"#{red:02x}{green:02x}{blue:02x}"

    def colour(self, part):
        return self.page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--part-{part}').trim()")

    def hover(self, time, y):
        self.page.mouse.move(*self.at(time, y))
        return self.page.locator(".tip.floating")

    def press(self, *keys):
        self.frame.focus()
        for key in keys:
            self.page.keyboard.press(key)
        return self.drawn()

    def show(self, start, end):
        """By dragging along the ruler."""
        (x, y), (to, _) = self.at(start, 8), self.at(end, 8)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to) / 2, y)
        self.page.mouse.move(to, y)
        self.page.mouse.up()
        return self.drawn()

    def spoken(self):
        return self.page.locator("#timeline .spoken").text_content()


def microseconds(text):
    """'for 3.00 µs' as 3.0."""
    value, unit = re.search(r"for ([\d.]+) (ns|µs|ms|s)\b", text).groups()
    return float(value) * {"ns": 1e-3, "µs": 1, "ms": 1e3, "s": 1e6}[unit]
