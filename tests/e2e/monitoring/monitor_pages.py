"""Pages of logs that a monitor never wrote, and their charts in a browser."""

import subprocess

import pytest

from conftest import _program
from report_browser import missing


@pytest.fixture(scope="module")
def monitor_page(tmp_path_factory):
    """By name: healthy, trained, million, week, without_gpu, lost_gpu, hostile, empty."""
    writer, folder = _program().parent / "monitor_fixture_pages", tmp_path_factory.mktemp("pages")
    if not writer.exists():
        missing("built without tests")

    def page(name):
        path = folder / f"{name}.html"
        if not path.exists():
            done = subprocess.run([writer, folder, name], capture_output=True, text=True, check=False)
            if done.returncode:
                missing(done.stdout.strip())
        return path

    return page


class Charts:
    """What all charts show, in seconds from the start."""

    def __init__(self, page):
        self.page, self.tools = page, page.locator(".timeline-tools")

    def drawn(self):
        """Once the next frame is there."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")
        return self

    def view(self):
        self.drawn()
        return [float(self.tools.get_attribute(f"data-{end}")) / 1e3 for end in ("from", "to")]

    def frame(self, name):
        frame = self.page.locator(f"#chart-{name} .frame")
        # To the middle: what stays at the top of the window would cover it there.
        frame.evaluate("one => one.scrollIntoView({ block: 'center' })")
        return frame

    def at(self, name, time, height=0.5):
        left, right, top = 58, 12, 10
        start, end = self.view()
        box = self.frame(name).bounding_box()
        x = box["x"] + left + (time - start) / (end - start) * (box["width"] - left - right)
        return x, box["y"] + top + height * 168

    def hover(self, name, time, height=0.5):
        self.page.mouse.move(*self.at(name, time, height))
        return self.page.locator(f"#chart-{name} .tip")

    def drag(self, name, start, end):
        (x, y), (to, _) = self.at(name, start), self.at(name, end)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to) / 2, y)
        self.page.mouse.move(to, y)
        self.page.mouse.up()
        return self.drawn()

    def press(self, name, *keys):
        self.frame(name).focus()
        for key in keys:
            self.page.keyboard.press(key)
        return self.drawn()

    def spoken(self, name):
        return self.page.locator(f"#chart-{name} .spoken").text_content()

    def tints(self, name, start, end, colour):
        """How many columns of pixels between two times have a pixel of the colour of a variable."""
        self.drawn()
        box = self.frame(name).bounding_box()
        ends = [self.at(name, time)[0] - box["x"] for time in (start, end)]
        return self.page.locator(f"#chart-{name} canvas").evaluate(TINTS, [*ends, colour])


TINTS = """(canvas, [from, to, variable]) => {
  const wanted = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  let found = 0;
  for (let x = Math.round(from); x < Math.round(to); x += 1) {
    const { data } = context.getImageData(x, 0, 1, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      const near = Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 40;
      if (near && data[at + 3] > 200) {
        found += 1;
        break;
      }
    }
  }
  return found;
}"""
