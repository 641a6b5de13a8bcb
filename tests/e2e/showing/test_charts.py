"""`analyze --charts`: what a reader measures in a picture is what the JSON says."""

import json
import math
import re
import xml.etree.ElementTree as ET

import pytest

SVG = "{http://www.w3.org/2000/svg}"
LAW = "affine:2ms,10ms;anomaly=4:1.25;visit_sd=0.015"


def named(root, look):
    return [one for one in root.iter() if look in one.get("class", "").split()]


def place(point):
    return tuple(float(one) for one in re.findall(r"[-0-9.]+", point.get("transform")))


def reader(ticks, along):
    """From a place to a value, by the first and the last tick; a third says whether that is linear."""
    marks = [(along(tick), float(tick.text)) for tick in ticks]
    (start, low), (end, high) = marks[0], marks[-1]

    def at(where, to, back):
        return back(to(low) + (where - start) / (end - start) * (to(high) - to(low)))

    def linear(where):
        return at(where, float, float)

    def logarithmic(where):
        return at(where, math.log, math.exp)

    fits = all(linear(where) == pytest.approx(value, abs=1e-3 * (high - low)) for where, value in marks)
    return linear if fits else logarithmic


def points_of(path):
    """Batch size: value, as drawn."""
    root = ET.parse(path).getroot()
    value = reader(named(root, "tick-up"), lambda tick: float(tick.get("y")) - 4.5)
    found = {}
    for point in named(root, "point"):
        title = point.find(f".//{SVG}title")
        if title is not None:
            found[int(re.match(r"batch (\d+)", title.text)[1])] = value(place(point)[1])
    return found


@pytest.mark.parametrize("law, sizes", [
    (LAW, "1,2,3,4,6,8"),
    ("affine:2us,10us", ",".join(str(size) for size in range(1, 21))),
    ("affine:200s,1s", "1,2,64"),
    ("affine:2ms,10ms", "7"),
])
def test_points_are_where_the_numbers_are(cli, law, sizes):
    cli.run("profile", "--engine", "synthetic", "-m", law, "-b", sizes, "--blocks", "4", "--seed", "1", "-o", "run.jsonl")
    analysis = json.loads(cli.run("analyze", "run.jsonl", "--charts=charts", "--format", "json").stdout)
    for name, field in {"forward_pass_time": "time_ms", "throughput": "throughput_per_s",
                        "forward_time_per_sample": "per_sample_ms"}.items():
        expected = {config["batch_size"]: config[field] for config in analysis["configs"]}
        assert points_of(cli.folder / f"charts/{name}.svg") == pytest.approx(expected, rel=2e-3)


def test_texts_do_not_lie_on_each_other(cli):
    cli.run("profile", "--engine", "synthetic", "-m", LAW, "-b", ",".join(str(size) for size in range(1, 21)), "--blocks",
            "4", "--seed", "1", "-o", "run.jsonl")
    cli.run("analyze", "run.jsonl", "--charts=charts")
    for path in (cli.folder / "charts").glob("*.svg"):
        ticks = named(ET.parse(path).getroot(), "tick-across")
        ends = [(float(tick.get("x")), 4.5 * len(tick.text)) for tick in ticks]
        assert all(x + half <= after - wide for (x, half), (after, wide) in zip(ends, ends[1:])), path


def test_a_converter_makes_png(cli, tmp_path):
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "rsvg-convert").write_text('#!/bin/sh\n/bin/cp "$3" "$2"\n')
    (bin / "rsvg-convert").chmod(0o755)
    cli.run("profile", "--engine", "synthetic", "-m", LAW, "-b", "1,2", "--blocks", "2", "--seed", "1", "-o", "run.jsonl")
    cli.run("analyze", "run.jsonl", "--charts=charts", env={"PATH": str(bin)})
    names = {path.name for path in (cli.folder / "charts").iterdir()}
    assert {name.replace(".svg", ".png") for name in names} <= names
