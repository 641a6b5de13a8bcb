"""A real browser for the HTML report, and what its pages must never do."""

import os
import pathlib
import shutil
import subprocess

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def _browser_path():
    named = os.environ.get("BATCHSCOPE_CHROMIUM")
    return named or next((path for path in map(shutil.which, BROWSERS) if path), None)


def missing(what):
    """Skips what a person's machine may lack; a CI, which sets its own up, is not to pass for want of it."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)


# Of each module: two at a time are one too many for a process.
@pytest.fixture(scope="module")
def browser():
    try:
        from playwright import sync_api
    except ImportError:
        missing("no playwright: requirements/tests.txt")
    path = _browser_path()
    if not path:
        missing("no Chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        running.close()


class Page:
    """One page in the browser; .close() fails when it said anything or asked for anything. `drawn`: whether its charts are
    waited for; `fragment`: what follows its address."""

    def __init__(self, browser, path, drawn=True, fragment="", **options):
        self.context = browser.new_context(accept_downloads=True, **({"viewport": {"width": 1280, "height": 900}} | options))
        self.page = self.context.new_page()
        self.printed, self.requests, self.address = [], [], pathlib.Path(path).resolve().as_uri()
        self.page.on("console", lambda message: self.printed.append(message.text))
        self.page.on("pageerror", lambda error: self.printed.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.printed.append("dialog: " + dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective))")
        self.page.goto(self.address + fragment)
        if drawn:
            self.page.wait_for_selector("html[data-drawn]")

    def chart(self, name):
        return Chart(self.page, name)

    def chart_names(self):
        return self.page.eval_on_selector_all("figure.chart", "all => all.map(one => one.id.slice('chart-'.length))")

    def open(self, section):
        """Unfolds a part of the page, as a reader does."""
        fold = self.page.locator(f"#{section} > details.fold")
        if fold.get_attribute("open") is None:
            fold.locator(":scope > summary").click()

    def close(self):
        self.context.close()
        assert self.printed == []
        strangers = [url for url in self.requests
                     if url.split("#")[0] != self.address and not url.startswith("blob:" "file:")]
        assert strangers == []


class Chart:
    def __init__(self, page, name):
        self.page, self.figure = page, page.locator(f"#chart-{name}")
        self.canvas = self.figure.locator(".canvas")

    def table(self):
        """{batch size: [texts]} of the table beside the chart."""
        rows = self.figure.locator("details tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.children].map(cell => cell.textContent))")
        return {int(row[0]): row[1:] for row in rows}

    def places(self, symbol="path", colour=None):
        """Centres of the marks that were drawn in a colour, in pixels, from left to right."""
        return self.canvas.locator("svg").evaluate(PLACES, [symbol, colour])

    def all_places(self, *colours):
        """Centres of the marks of several colours, from left to right."""
        return sorted(place for colour in colours for place in self.places(colour=colour))

    def show(self, view):
        """Chooses one of several ways to see the same measurements."""
        self.figure.locator(".switches select").select_option(label=view)

    def press(self, name):
        self.figure.get_by_role("button", name=name, exact=True).click()

    def hover(self, x, y):
        self.canvas.scroll_into_view_if_needed()
        box = self.canvas.bounding_box()
        self.page.mouse.move(box["x"] + x, box["y"] + y)
        return self.figure.locator(".tip")


PLACES = """(svg, [symbol, colour]) => {
  const origin = svg.getBoundingClientRect();
  const found = [];
  for (const mark of svg.querySelectorAll(symbol)) {
    const style = getComputedStyle(mark);
    if (colour && style.fill !== colour) continue;
    const box = mark.getBoundingClientRect();
    if (box.width < 4 || box.width > 14 || Math.abs(box.width - box.height) > 2) continue;
    found.push([box.x + box.width / 2 - origin.x, box.y + box.height / 2 - origin.y]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}"""


@pytest.fixture
def open_report(browser):
    pages = []

    def open_one(path, **options):
        pages.append(Page(browser, path, **options))
        return pages[-1]

    yield open_one
    for page in pages:
        page.close()


@pytest.fixture
def report_of(cli):
    """Writes the HTML report of run files; skips where the build has none."""

    def write(*runs, name="report.html", flags=()):
        done = cli.run("report", *runs, "-o", name, *flags, check=None)
        if "no HTML report" in done.stderr:
            missing("built without the HTML report")
        assert done.returncode == 0, done.stderr
        return cli.folder / name

    return write


@pytest.fixture
def fixture_page(cli):
    """The page of a summary made by hand, for what no quick run shows: diagnosed, hostile, device."""
    writer = cli.program.parent / "report_fixture_pages"
    if not writer.exists():
        missing("built without tests")
    done = subprocess.run([writer, cli.folder], capture_output=True, text=True, check=False)
    if done.returncode:
        missing(done.stdout.strip())
    return lambda name: cli.folder / f"{name}.html"
