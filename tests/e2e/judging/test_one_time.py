"""What stopped a run, its table, a search and its replay tell the same times of the same visits (ADR 0017)."""

import json

import pytest

from conftest import read_lines

EXACT = 1e-9
SIZES = [1, 2, 3, 4, 6, 8, 12, 16]


def law(slow, factor=1.5, sizes=SIZES, rest="visit_sd=0.002;process_sd=0.002"):
    """The first `slow` iterations of each visit take `factor` times as long."""
    return f"synthetic:affine:2ms,1ms;{rest}" + "".join(f";slow_start={size}:{slow}:{factor}" for size in sizes)


def document(cli, *arguments):
    return json.loads(cli.run(*arguments, "--format", "json").stdout)


def edited(cli, name, cut, blocks=1000):
    """The first blocks of the run, not ended; the first visits of each configuration are cut to so many iterations."""
    seen = {}
    lines = []
    for record in read_lines(cli.folder / name):
        if record["type"] == "end" or record.get("block", 0) >= blocks:
            continue
        if record["type"] == "visit":
            place = seen[record["config"]] = seen.get(record["config"], -1) + 1
            if record["purpose"] == "measure" and place < len(cut):
                record["warmup_ns"] = []
                record["samples_ns"] = record["samples_ns"][:cut[place]]
        lines.append(json.dumps(record) + "\n")
    (cli.folder / "cut.jsonl").write_text("".join(lines))
    return "cut.jsonl"


def by_size(rows):
    return {row["batch_size"]: row for row in rows}


def hold_together(rows, points, exact=EXACT):
    """Rows of a table against the points of a search."""
    rows = by_size(rows)
    for size, point in by_size(points).items():
        for name in ["time_ms", "mean_ms", "throughput_per_s"]:
            assert point[name] == pytest.approx(rows[size][name], rel=exact), (size, name)


def hold_profile(cli, name, arguments=()):
    """What `profile` printed of a run file against its analysis and its replay; returns the rows of the table."""
    printed = document(cli, "profile", "-o", name, *arguments, "-q")
    rows = document(cli, "analyze", name)["configs"]
    reported = by_size(printed["configs"])
    assert reported.keys() == by_size(rows).keys()
    for row in rows:
        mine = reported[row["batch_size"]]
        assert mine["n"] == row["n"]
        assert mine["time_ms"]["value"] == pytest.approx(row["time_ms"], rel=EXACT)
        assert mine["mean_ms"]["value"] == pytest.approx(row["mean_ms"], rel=EXACT)
        assert mine["throughput_per_s"] == pytest.approx(row["throughput_per_s"], rel=EXACT)
        for end in ["low", "high"]:
            for which in ["time", "mean"]:
                ours, theirs = mine[which + "_ms"].get("ci_" + end), row[f"{which}_ci_{end}_ms"]
                assert (ours is None) == (theirs is None) and (ours is None or ours == pytest.approx(theirs, rel=EXACT))
    replayed = document(cli, "tune", "--replay", name, "--noise", "0", "--points", len(rows))["points"]
    assert len(replayed) == len(rows)
    hold_together(rows, replayed)
    return rows


def test_of_one_block_that_begins_slowly(cli):
    rows = hold_profile(cli, "run.jsonl", ["-m", law(12), "-b", ",".join(map(str, SIZES)), "--blocks", "1",
                                           "--iterations", "15", "--seed", "3"])
    # The eight visits together tell how long they warm up.
    assert by_size(rows)[1]["mean_ms"] == pytest.approx(3, rel=0.01)
    # Once more, in words.
    again = ["-m", law(12), "-b", ",".join(map(str, SIZES)), "--blocks", "1", "--iterations", "15", "--seed", "3"]
    text = cli.run("profile", *again, "-o", "again.jsonl", "-q").stdout
    for row in rows:
        assert f"{row['time_ms']:.4g} ms, " in text and f"{row['throughput_per_s']:.4g} samples/s, n=1" in text
    assert "on average" not in text


@pytest.mark.parametrize("blocks", [2, 3, 8])
def test_of_several_blocks(cli, blocks):
    rows = hold_profile(cli, "run.jsonl", ["-m", law(5, rest="visit_sd=0.03;slow_iteration=4:3"), "-b", "1,2,4,8", "--blocks",
                                           blocks, "--iterations", "12", "--seed", "5"])
    # Two visits say nothing of how far others may lie.
    assert all((row["time_ci_low_ms"] is None) == (blocks < 3) for row in rows)
    assert any(row["mean_ms"] > 1.03 * row["time_ms"] for row in rows)


@pytest.mark.parametrize("cut", [[6, 6], [6] * 5, [6, 9, 7, 20]], ids=["few", "most", "uneven"])
def test_of_visits_too_short_for_their_warm_up(cli, cut):
    """Those that are still warming are left out, or where they are most of them, stay: everywhere alike."""
    cli.run("profile", "-m", law(12), "-b", "1,2,4,8", "--blocks", "8", "--iterations", "20", "--seed", "7", "-o",
            "run.jsonl", "-q")
    rows = hold_profile(cli, edited(cli, "run.jsonl", cut, 7), ["--resume"])
    few = 2 * len([each for each in cut if each < 14]) <= 8
    assert (by_size(rows)[1]["n"] < 8) == few


@pytest.mark.parametrize("objective", ["throughput", "latency"])
@pytest.mark.parametrize("cut", [[], [6]], ids=["whole", "cut"])
def test_of_a_search(cli, objective, cut):
    sizes = [1, 2, 4, 8, 16]
    # Some iterations take long, so that the mean is another figure than the typical iteration.
    slow = law(14, sizes=sizes, rest="visit_sd=0.01;process_sd=0.01;slow_iteration=9:3")
    found = document(cli, "tune", "-m", slow, "-b", ",".join(map(str, sizes)), "--instances", "1", "--iterations", "20",
                     "--budget", "200s", "--objective", objective, "--seed", "4", "-q", "-o", "run.jsonl")
    name = edited(cli, "run.jsonl", cut) if cut else "run.jsonl"
    analysis = document(cli, "analyze", name)
    rows, points = analysis["configs"], analysis["tunings"][0]["points"]
    if not cut:
        hold_together(rows, found["points"])
    hold_together(rows, points)
    assert {point["batch_size"]: point["visits"] for point in points} == {row["batch_size"]: row["n"] for row in rows}
    replayed = document(cli, "tune", "--replay", name, "--noise", "0", "--objective", objective, "--points", len(rows))
    hold_together(rows, replayed["points"])
    assert any(point["mean_ms"] > 1.03 * point["time_ms"] for point in points)
    for point in [*points, *replayed["points"], analysis["tunings"][0]["recommendation"]]:
        assert point["throughput_per_s"] == pytest.approx(1e3 * point["batch_size"] / point["mean_ms"], rel=EXACT)
