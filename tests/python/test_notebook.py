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


def test_it_takes_the_colours_of_the_notebook():
    svg = shown([row(1), row(2)]).partition("<svg")[2]
    assert 'fill="currentColor"' in svg and 'stroke="currentColor"' in svg
    assert not re.search(r'(fill|stroke|background)[=:]\s*"?(black|white|#000|#fff)', svg)


def test_every_text_is_escaped():
    bad = "<script>alert('x')</script>&"
    rows = [row(1, model=bad, verdict=bad), row(2, model="other", group=1)]
    page = bs.Analysis({"answer": {"lines": [bad, "  " + bad]}, "configs": rows,
                        "groups": [{"label": bad}, {"label": bad}]})._repr_html_()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 5
    ET.fromstring(page)


def test_intervals_are_bars():
    assert len(re.findall(r"<line [^>]*stroke=\"#3b82f6\"", shown([row(1), row(2), row(4)]))) == 3


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
