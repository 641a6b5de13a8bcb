"""--huge-pages: transparent huge pages of the visits as an axis, from the flag to what is compared and exported."""

import json
import pathlib

import pytest

from conftest import read_lines

LAW = "synthetic:affine:5ms,2ms"
GIVEN = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
NEVER = not GIVEN.exists() or "[never]" in GIVEN.read_text()
given = pytest.mark.skipif(NEVER, reason="this system gives no huge pages")


@given
def test_it_is_an_axis_of_every_output(cli):
    cli.run("profile", "-m", LAW, "-b", "4,8", "--huge-pages", "on,off", "--blocks", "3", "-o", "run.jsonl")
    header, *records = read_lines(cli.folder / "run.jsonl")
    assert header["axes"]["huge_pages"] == "on,off"
    assert [(r["huge_pages"], r["batch_size"]) for r in records if r["type"] == "config"] == [
        (True, 4), (True, 8), (False, 4), (False, 8)]
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert {(c["axis"], c["base"], c["other"]) for c in document["comparisons"]} == {("huge_pages", "on", "off")}
    assert [group["key"]["huge_pages"] for group in document["groups"]] == [True, False]
    assert "huge pages off" in " ".join(cli.run("analyze", "run.jsonl").stdout.split())
    columns, *rows = cli.run("analyze", "run.jsonl", "--format", "csv").stdout.splitlines()
    assert columns.endswith(",huge_pages") and [row.rsplit(",", 1)[1] for row in rows] == ["on", "on", "off", "off"]
    planned = cli.run("plan", "run.jsonl", "--rate", "10/s", check=3)
    assert "huge_pages off or on" in planned.stderr


# The diagnosis reads what the kernel gave. glibc asks for huge pages where the variable says so.
@given
@pytest.mark.model
def test_workers_have_none_when_they_are_off(cli):
    cli.run("profile", "-m", "mlp", "-b", "256", "--threads", "1", "--blocks", "1", "--iterations", "3", "--warmup", "1",
            "--env", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", "--huge-pages", "on,off", "--diagnose", "--only", "memory",
            "--verify-causes", "off", "--verify", "off", "-q", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    huge = {r["index"]: r["huge_pages"] for r in records if r["type"] == "config" and "huge_pages" in r}
    seen = {True: set(), False: set()}
    for record in records:
        if record["type"] == "visit" and "huge_page_bytes" in record.get("diagnosis", {}):
            seen[huge[record["config"]]].add(record["diagnosis"]["huge_page_bytes"])
    assert seen[False] == {0}
    assert seen[True] and min(seen[True]) > 0


@given
def test_tune_exports_it(cli):
    cli.run("tune", "-m", LAW, "-b", "4,8", "--instances", "1", "--threads", "1", "--huge-pages", "off",
            "--export", "env=pick.env", "--export", "yaml=pick.yaml", "--export", "triton=config.pbtxt")
    assert "HUGE_PAGES=off" in (cli.folder / "pick.env").read_text().splitlines()
    assert 'huge_pages: "off"' in (cli.folder / "pick.yaml").read_text().splitlines()
    assert '# measured with "huge pages off"' in (cli.folder / "config.pbtxt").read_text()


@pytest.mark.parametrize("typed, printed", [
    (["--huge-pages", "maybe"], "'maybe' is not one of its values"),
    (["--huge-pages", "off", "--isolation", "none"], "visits in this process keep its setting"),
])
def test_what_cannot_be_is_stated(cli, typed, printed):
    refused = cli.run("profile", "-m", LAW, "-b", "4", "-o", "run.jsonl", *typed, check=2)
    assert printed in refused.stderr and "--huge-pages" in refused.stderr
    assert not (cli.folder / "run.jsonl").exists()
