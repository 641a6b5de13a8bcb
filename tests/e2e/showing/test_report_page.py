"""The HTML report in a real browser: what is drawn, said and reachable, and that it asks for nothing."""

import json
import math
import re

import numpy
import pytest

from report_browser import browser, fixture_page, open_report, report_of  # noqa: F401

LAW = "affine:2ms,10ms;anomaly=4:1.25;visit_sd=0.015"
# The views of the chart of all sizes, in their order.
SERIES = {"time per sample": "per_sample_ms", "throughput": "throughput_per_s", "efficiency": "efficiency",
          "slowdown": "relative_slowdown", "time of an iteration": "time_ms"}
BLUE, ANOMALY = "rgb(31, 78, 121)", "rgb(179, 18, 63)"


def profile(cli, law=LAW, name="run.jsonl", seed="1", flags=()):
    cli.run("profile", "--engine", "synthetic", "-m", law, "-b", "1,2,3,4,6,8", "--blocks", "12", "--seed", seed,
            "-o", name, *flags)
    return name


def analysis(cli, *runs):
    return json.loads(cli.run("analyze", *runs, "--format", "json").stdout)


@pytest.fixture
def report(cli, report_of):
    return report_of(profile(cli))


def residual(pixels, values):
    """Largest distance, in pixels, from the best straight line between values and pixels."""
    line = numpy.polyfit(values, pixels, 1)
    return max(abs(numpy.polyval(line, values) - pixels))


def test_every_chart_is_there(report, open_report):
    page = open_report(report)
    assert page.chart_names() == ["answer", "sizes", "residual", "visits", "time_breakdown", "forward_pass_boxplot"]
    for name in page.chart_names():
        assert page.chart(name).canvas.locator("svg path").count() > 10


@pytest.mark.parametrize("name", SERIES)
def test_points_are_where_the_numbers_put_them(cli, report, open_report, name):
    chart = open_report(report).chart("sizes")
    chart.show(name)
    rows = analysis(cli, "run.jsonl")["configs"]
    log_y = chart.figure.get_by_role("button", name="log y").get_attribute("aria-pressed") == "true"
    values = [math.log(row[SERIES[name]]) if log_y else row[SERIES[name]] for row in rows]
    places = chart.all_places(BLUE, ANOMALY)
    assert len(places) == len(rows) and len(chart.places(colour=ANOMALY)) == 1
    assert residual([x for x, _ in places], [math.log2(row["batch_size"]) for row in rows]) < 0.6
    assert residual([y for _, y in places], values) < 0.6
    assert numpy.polyfit(values, [y for _, y in places], 1)[0] < 0, "larger values stand higher"


@pytest.mark.parametrize("name", SERIES)
def test_the_table_beside_a_chart_has_its_numbers(cli, report, open_report, name):
    table = open_report(report).chart("sizes").table()
    rows = {row["batch_size"]: row for row in analysis(cli, "run.jsonl")["configs"]}
    assert table.keys() == rows.keys()
    for size, texts in table.items():
        text = texts[list(SERIES).index(name)]
        value = float(re.match(r"[-\d.]+", text)[0])
        assert value == pytest.approx(rows[size][SERIES[name]], rel=2e-3)
        assert ("proven" in text) == (rows[size]["verdict"] == "proven")


def test_boxes_are_the_exact_quartiles(cli, report, open_report):
    chart = open_report(report).chart("forward_pass_boxplot")
    for size, (text,) in chart.table().items():
        row = next(row for row in analysis(cli, "run.jsonl")["configs"] if row["batch_size"] == size)
        printed = [float(number) for number in re.findall(r"[\d.]+(?= to| ms|,)", text)]
        d = row["distribution"]
        exact = [d[key] for key in ("median_ms", "q1_ms", "q3_ms", "whisker_low_ms", "whisker_high_ms")]
        assert printed[:5] == pytest.approx(exact, rel=1e-3)


def test_boxes_are_drawn_at_their_quartiles(cli, report, open_report):
    page = open_report(report)
    page.open("more")
    chart = page.chart("forward_pass_boxplot")
    boxes = chart.canvas.locator("svg").evaluate("""svg => [...svg.querySelectorAll('path')]
        .filter(one => getComputedStyle(one).fill === 'rgb(31, 78, 121)')
        .map(one => one.getBoundingClientRect()).filter(box => box.width > 10)
        .map(box => [box.x, box.top, box.bottom]).sort((a, b) => a[0] - b[0])""")
    rows = analysis(cli, "run.jsonl")["configs"]
    assert len(boxes) == len(rows)
    edges, quartiles = [], []
    for (_, top, bottom), row in zip(boxes, rows):
        edges += [top, bottom]
        quartiles += [row["distribution"][key] / row["batch_size"] for key in ("q3_ms", "q1_ms")]
    assert residual(edges, quartiles) < 1


def test_phases_are_drawn_as_their_shares(fixture_page, open_report):
    chart = open_report(fixture_page("device")).chart("time_breakdown")
    bars = chart.canvas.locator("svg").evaluate("""svg => [...svg.querySelectorAll('path')]
        .filter(one => getComputedStyle(one).fill === 'rgb(31, 78, 121)')
        .map(one => one.getBoundingClientRect()).map(box => [box.x, box.height]).sort((a, b) => a[0] - b[0])""")
    assert len(bars) == len(chart.table())
    # forward takes four fifths at every size, and the axis reaches 108 %.
    assert [height for _, height in bars] == pytest.approx([bars[0][1]] * len(bars), rel=0.02)
    assert "sync" not in chart.figure.locator(".legend").inner_text()


def test_hover_shows_value_and_interval(report, open_report):
    chart = open_report(report).chart("sizes")
    places = chart.all_places(BLUE, ANOMALY)
    for (x, y), (size, texts) in zip(places, chart.table().items()):
        tip = chart.hover(x + 2, y + 15)
        tip.get_by_text(f"batch {size}", exact=True).wait_for()
        assert texts[0] in tip.inner_text() and "±" in texts[0]


def test_arrow_keys_step_through_the_sizes(report, open_report):
    chart = open_report(report).chart("sizes")
    chart.canvas.focus()
    table = chart.table()
    for size in table:
        chart.page.keyboard.press("ArrowRight")
        spoken = chart.figure.locator("[aria-live]").inner_text()
        assert spoken.startswith(f"Batch {size}.") and table[size][0] in spoken
        chart.figure.locator(".tip").get_by_text(f"batch {size}", exact=True).wait_for()
    chart.page.keyboard.press("Home")
    assert chart.figure.locator("[aria-live]").inner_text().startswith("Batch 1.")
    chart.page.keyboard.press("Escape")
    assert chart.figure.locator("[aria-live]").inner_text() == ""


def test_everything_is_reached_by_keyboard(report, open_report):
    page = open_report(report).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    unreachable = page.evaluate("""[...document.querySelectorAll('.canvas, button, a, summary, .scroll, input')]
        .filter(one => one.tabIndex < 0).length""")
    assert unreachable == 0
    unnamed = page.evaluate("""[...document.querySelectorAll('.canvas, button, input')].filter(one =>
        !(one.getAttribute('aria-label') || one.textContent || one.labels?.length)).length""")
    assert unnamed == 0
    page.locator(".canvas").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_log_and_linear(cli, report, open_report):
    chart = open_report(report).chart("sizes")
    chart.show("time of an iteration")
    rows = analysis(cli, "run.jsonl")["configs"]
    sizes, times = [row["batch_size"] for row in rows], [row["time_ms"] for row in rows]
    button = chart.figure.get_by_role("button", name="log y")
    for _ in range(2):
        log = button.get_attribute("aria-pressed") == "true"
        values = [math.log(time) for time in times] if log else times
        assert residual([y for _, y in chart.all_places(BLUE, ANOMALY)], values) < 0.6
        button.click()
    chart.press("log x")
    assert residual([x for x, _ in chart.all_places(BLUE, ANOMALY)], sizes) < 0.6


def test_dark_by_system_and_by_switch(report, open_report):
    background = "getComputedStyle(document.body).backgroundColor"
    dark = open_report(report, color_scheme="dark")
    light = open_report(report, color_scheme="light")
    assert dark.page.evaluate(background) != light.page.evaluate(background)
    light.page.get_by_label("dark").check()
    assert dark.page.evaluate(background) == light.page.evaluate(background)
    assert light.chart("sizes").places(colour=BLUE) == []
    assert len(light.chart("sizes").places(colour="rgb(125, 180, 234)")) == 5
    dark.page.get_by_label("light").check()
    assert len(dark.chart("sizes").places(colour=BLUE)) == 5


def test_narrow_screens_need_no_sideways_scrolling(report, open_report):
    page = open_report(report, viewport={"width": 400, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.evaluate("Math.max(...[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect().right))") <= 400


def test_paper_is_light_and_without_switches(report, open_report):
    page = open_report(report, color_scheme="dark")
    page.page.emulate_media(media="print")
    page.page.wait_for_function("document.querySelector('#chart-sizes svg').getBoundingClientRect().width < 700")
    assert page.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.page.locator("#tools").is_visible() and not page.page.locator(".switches").first.is_visible()
    assert len(page.chart("sizes").places(colour=BLUE)) == 5
    assert page.page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_downloads_are_the_analysis(cli, report, open_report, kind):
    page = open_report(report).page
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Download {kind.upper()}").click()
    text = open(waiting.value.path(), newline="").read()
    expected = cli.run("analyze", "run.jsonl", "--format", kind).stdout
    assert (text == expected) if kind == "csv" else (json.loads(text) == json.loads(expected))


def test_several_runs_in_the_same_charts(cli, report_of, open_report):
    runs = [profile(cli), profile(cli, LAW, "other.jsonl", seed="2")]
    page = open_report(report_of(*runs))
    chart = page.chart("sizes")
    rows = analysis(cli, *runs)["configs"]
    assert len(rows) == 12
    assert len(chart.places(colour=BLUE)) == 5 and len(chart.places(colour="rgb(217, 102, 10)")) == 5
    assert len(chart.places(colour=ANOMALY)) == 2
    assert all(len(texts) == 10 and all("±" in text for text in texts[:4]) for texts in chart.table().values())
    first = chart.figure.locator(".legend button").first
    first.click()
    assert first.get_attribute("aria-pressed") == "false"
    assert chart.places(colour=BLUE) == [] and len(chart.places(colour="rgb(217, 102, 10)")) == 5


HOSTILE = [
    "</script><img src=x onerror=alert(1)>", "</SCRIPT ><script>alert(1)</script>", "<!--<script>", "--><svg onload=alert(1)>",
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", '"><script>alert(1)</script>',
    "' onmouseover='alert(1)", '" onfocus="alert(1)" autofocus="', "`onerror=alert(1)`", "javascript:alert(1)",
    "<a href=javascript:alert(1)>x</a>", "<iframe srcdoc='<script>alert(1)</script>'>", "<object data=data:text/html,x>",
    "<style>*{display:none}</style>", "</style><script>alert(1)</script>", "</title><script>alert(1)</script>",
    "</textarea><b>bold</b>", "<base href=http://example.com/>", "<meta http-equiv=refresh content=0>",
    "<form action=http://example.com><input>", "<template><b>bold</b></template>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;b&#62;", "]]><![CDATA[<b>", "{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "\\u003cscript\\u003e",
    '\\"};alert(1);//', "__proto__", "constructor", "{a|b}{c|d}", "<link rel=stylesheet href=http://example.com/x.css>",
]

INJECTED = """document.querySelectorAll('img, iframe, object, base, link, form, template, textarea, body style, '
    + '[onload], [onerror], [onmouseover], [onfocus]').length"""


def test_hostile_names_stay_text(cli, report_of, open_report):
    assert len(HOSTILE) >= 30
    quoted = ['"' + name.replace('"', '""') + '"' for name in HOSTILE]
    rows = [f"{name},{size},{10 * size}" for name in quoted for size in (1, 2, 4)]
    (cli.folder / "table.csv").write_text("model,batch,latency_ms\n" + "\n".join(rows) + "\n")
    cli.run("import", "table.csv", "-o", "table.jsonl")
    page = open_report(report_of("table.jsonl"))
    assert page.page.evaluate(INJECTED) == 0
    chart = page.chart("sizes")
    for x, y in chart.places()[:3]:
        tip = chart.hover(x + 1, y + 1)
        tip.first.wait_for()
        assert all(name in tip.inner_text() for name in ("<img src=x onerror=alert(1)>", "</script>"))
    text = page.page.locator("#charts").text_content() + page.page.locator("#tables").text_content()
    missing = [name for name in HOSTILE if name not in text]
    assert missing == []


def test_hostile_words_of_a_run_file_stay_text(cli, report_of, open_report):
    lines = [json.loads(line) for line in (cli.folder / profile(cli)).read_text().splitlines()]
    name = HOSTILE[0]
    lines[0]["machine"].update(host=name, cpu=name, os=name)
    lines[0]["notes"], lines[0]["command_line"] = HOSTILE[:20], ["batchscope", *HOSTILE]
    for line in lines:
        for phase in line.get("phases", []):
            phase["name"] = name if phase["name"] == "forward" else phase["name"]
        if line["type"] == "config":
            line["model"] = name
    (cli.folder / "hostile.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = open_report(report_of("hostile.jsonl"))
    assert page.page.evaluate("document.querySelectorAll('img').length") == 0
    assert name in page.page.locator("h1").inner_text() and name in page.page.title()
    assert name in page.page.locator("#machine").text_content() and HOSTILE[2] in page.page.locator("#reproduce").text_content()


def test_an_imported_table_gets_the_full_report(cli, report_of, open_report):
    (cli.folder / "seed.csv").write_text("batch,latency_ms\n1,50.30\n2,140.09\n4,175.25\n8,504.16\n")
    cli.run("import", "seed.csv", "-o", "seed.jsonl", "--model", "distilbert")
    page = open_report(report_of("seed.jsonl"))
    assert page.chart_names() == ["answer", "sizes", "residual"]
    assert "suspect" in page.chart("sizes").table()[2][0]
    assert "batchscope profile -m distilbert" in page.page.locator("#next").inner_text()
    assert len(page.chart("sizes").places()) >= 4


def test_operations_are_drawn_and_listed_with_the_right_numbers(fixture_page, open_report):
    page = open_report(fixture_page("diagnosed"))
    page.open("more")
    page.open("operations")
    chart = page.chart("operations")
    # Self time of an iteration of 12 calls, over the batch size.
    assert chart.table()[8][0] == "3.60 ms, 12.0 calls per iteration" and chart.table()[1][0].startswith("0.400 ms")
    values = [math.log(ms / size) for size, ms in ((1, 0.4), (4, 1.7), (8, 28.8))]
    places = chart.places(colour=BLUE)
    assert residual([y for _, y in places], values) < 0.6 and len(places) == 3
    operations = page.page.locator("#operations")
    row = operations.get_by_role("row").filter(has_text="aten::copy_")
    assert "3.60" in row.inner_text() and "×12" in row.inner_text() and "11 %" in row.inner_text()
    assert "do not affect the scaling tables" in operations.inner_text()
    assert "inflates" in operations.inner_text() and "perf_event_paranoid" in operations.inner_text()
    assert "brgemm:avx512_core (matmul) runs at batch 8 only." in operations.inner_text()


def test_causes_are_listed_confirmed_first_with_what_to_set(fixture_page, open_report):
    page = open_report(fixture_page("diagnosed")).page
    assert page.locator("#causes h3").all_inner_texts() == ["Confirmed", "Suspected", "Ruled out"]
    first = page.locator("#causes li").first
    assert first.locator("code").inner_text() == "export GLIBC_TUNABLES=glibc.malloc.mmap_max=0"
    assert "time saved 12 % [10 %, 14 %]" in first.inner_text()


def test_hostile_operators_stay_text(fixture_page, open_report):
    page = open_report(fixture_page("hostile"))
    assert page.page.evaluate(INJECTED) == 0
    page.open("more")
    text = page.page.locator("#operations").text_content()
    # The two corpora differ in a few, and white space collapses in both.
    present = [name for name in HOSTILE if name in text]
    assert len(present) >= 30
    chart = page.chart("operations")
    for x, y in chart.places()[:2]:
        tip = chart.hover(x + 1, y + 1)
        tip.first.wait_for()
        assert "</script><img src=x onerror=alert(1)>" in tip.inner_text()


def test_memory_of_a_device_is_drawn(fixture_page, open_report):
    chart = open_report(fixture_page("device")).chart("memory")
    assert chart.table()[1024][1:] == ["23.6 GiB", "26.1 GiB"]
    assert len(chart.places()) >= 40


def tuned(cli, flags=()):
    law = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02;contention=0.05"
    cli.run("tune", "-m", law, "-b", "1-32", "--instances", "1,2", "--threads", "1", "--seed", "4", "--budget", "30m",
            "-q", "-o", "tune.jsonl", *flags)
    return json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)["tunings"][0]


@pytest.mark.parametrize("name, across", [("tuning_latency", "latency_ms"), ("tuning_memory", "memory_bytes")])
def test_the_points_of_a_search_are_where_they_were_measured(cli, report_of, open_report, name, across):
    if across == "memory_bytes":
        tuned(cli)
        lines = [json.loads(line) for line in (cli.folder / "tune.jsonl").read_text().splitlines()]
        sizes = {line["index"]: line["batch_size"] for line in lines if line["type"] == "config"}
        for line in lines:
            if line["type"] == "visit":
                line["memory"] = {"peak_rss_bytes": 2**20 * (300 + 10 * sizes[line["config"]])}
        (cli.folder / "tune.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        found = json.loads(cli.run("analyze", "tune.jsonl", "--format", "json").stdout)["tunings"][0]
    else:
        found = tuned(cli, ["--latency-budget", "70ms"])
    page = open_report(report_of("tune.jsonl"))
    chart = page.chart(name)
    front = found["fronts"]["latency" if across == "latency_ms" else "memory"]
    places = chart.places(colour=BLUE)
    assert len(places) == len(front) >= 3
    log = {axis: chart.figure.get_by_role("button", name=f"log {axis}").get_attribute("aria-pressed") == "true"
           for axis in "xy"}
    scaled = lambda values, axis: [math.log(value) if log[axis] else value for value in values]
    assert residual([x for x, _ in places], scaled([point[across] for point in front], "x")) < 0.6
    rates = scaled([point["throughput_per_s"] for point in front], "y")
    assert residual([y for _, y in places], rates) < 0.6
    legend = chart.figure.locator(".legend").inner_text()
    assert "recommended" in legend and "default" in legend
    assert ("budget 70 ms" in legend) == (across == "latency_ms")


def test_a_search_is_reported_with_its_table_and_by_keyboard(cli, report_of, open_report):
    found = tuned(cli)
    page = open_report(report_of("tune.jsonl"))
    section = page.page.locator("#tuning")
    assert found["recommendation"]["message"] in section.inner_text()
    assert f"{found['points_measured']} of {found['points_total']} points measured" in section.inner_text()
    assert "against the default" in section.inner_text()
    rows = section.locator("details.fold .scroll tbody tr").all_text_contents()
    assert len(rows) >= len(found["fronts"]["latency"])
    assert any("recommended" in row for row in rows)
    chart = page.chart("tuning_latency")
    names = chart.figure.locator("details tbody th").evaluate_all("cells => cells.map(cell => cell.textContent)")
    assert sorted(names) == sorted(point["setting"] for point in found["points"])
    chart.canvas.focus()
    for name in names[:3]:
        chart.page.keyboard.press("ArrowRight")
        assert chart.figure.locator("[aria-live]").inner_text().lower().startswith(name + ". ")
        chart.figure.locator(".tip").get_by_text(name, exact=True).wait_for()


@pytest.mark.parametrize("name", ["diagnosed", "hostile", "device", "tuned"])
def test_narrow_screens_have_room_for_long_names(fixture_page, open_report, name):
    page = open_report(fixture_page(name), viewport={"width": 400, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
