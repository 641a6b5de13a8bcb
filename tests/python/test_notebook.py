"""What a notebook shows."""

import re
import xml.etree.ElementTree as ET

import pytest
from conftest import MODEL

import batchscope as bs


def row(size, group=0, **more):
    throughput = {"throughput_per_s": 80.0 + size, "throughput_ci_low": 79.0 + size, "throughput_ci_high": 81.0 + size}
    return {"model": "m", "batch_size": size, "time_ms": 12.0, "n": 12, "verdict": "ok",
            "group": group} | throughput | more


def shown(configs, **raw):
    answer = {"lines": ["Use batch 6.", "  batchscope next"]}
    return bs.Analysis({"answer": answer, "configs": configs, **raw})._repr_html_()


def test_the_answer_comes_first_then_the_table_then_the_chart():
    page = shown([row(1), row(6)], groups=[{"best_sizes": [6]}])
    places = [page.index(part) for part in ("<strong>Use batch 6.</strong>", "<pre", "<table", "ok, best", "<svg")]
    assert places == sorted(places)


def test_it_is_well_formed_and_loads_nothing():
    page = shown([row(1), row(64)])
    ET.fromstring(page)
    assert not re.search(r"<script|<link|<img|@import|url\(|src=|href=", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_words_take_the_colours_of_the_notebook_and_the_picture_brings_its_own():
    words, _, svg = shown([row(1), row(2)]).partition("<svg")
    assert not re.search(r'(fill|stroke|background|color)[=:]\s*"?(black|white|#)', words)
    assert "prefers-color-scheme: dark" in svg and 'class="ground"' in svg


def test_every_text_is_escaped():
    bad = "<script>alert('x')</script>&"
    rows = [row(1, model=bad, verdict=bad), row(2, model="other", group=1)]
    page = bs.Analysis({"answer": {"lines": [bad, "  " + bad]}, "configs": rows,
                        "groups": [{"label": bad}, {"label": bad}]})._repr_html_()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 5
    ET.fromstring(page)


def test_points_are_where_the_numbers_are():
    rows = [row(1), row(2), row(4)]
    svg = shown(rows).partition("<svg")[2]
    assert len(re.findall('class="line interval', svg)) == 3
    ticks = [(float(y), float(text)) for y, text in re.findall(r'tick-up" x="[^"]*" y="([^"]*)"[^>]*>([^<]*)<', svg)]
    (start, low), (end, high) = ticks[0], ticks[-1]
    points = re.findall(r'translate\([^ ]* ([^)]*)\)"><path[^>]*>\s*<title>batch (\d+):', svg)
    found = {int(size): low + (float(y) + 4.5 - start) / (end - start) * (high - low) for y, size in points}
    assert found == pytest.approx({each["batch_size"]: each["throughput_per_s"] for each in rows}, rel=1e-3)


@pytest.mark.parametrize("configs", [
    [], [row(1)], [row(1, throughput_per_s=None)], [row(1, throughput_ci_low=None)], [row(1, batch_size=None)],
    [row(size, group=size) for size in range(1, 12)], [row(2 ** power) for power in range(12)],
    [row(1, throughput_per_s=1e-9, throughput_ci_low=0.0, throughput_ci_high=None)],
])
def test_whatever_is_missing_is_left_out(configs):
    ET.fromstring(shown(configs))


def test_axes_that_differ_have_columns():
    page = shown([row(1, threads=1), row(1, threads=2)])
    assert ">threads<" in page
    assert ">threads<" not in shown([row(1, threads=1), row(2, threads=1)])


def test_a_long_table_is_cut_and_says_so():
    assert "10 more rows" in shown([row(size) for size in range(1, 71)])


def test_a_run_shows_its_analysis():
    run = bs.profile(MODEL, batch_sizes=[1, 2], blocks=3, threads=1, progress=False)
    page = run._repr_html_()
    assert page == run.analyze()._repr_html_()
    ET.fromstring(page)
