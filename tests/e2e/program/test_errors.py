"""Every expected failure: a clear message on standard error, how to mend it, the right exit code."""

import json
import os
import stat

import pytest

QUIET = "synthetic:affine:2ms,1ms"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "Usage"),
        (["fly"], "not a verb"),
        (["profile", "--no-such-flag"], "batchscope help profile"),
        (["profile"], "no model"),
        (["profile", "-m", QUIET, "-b", "1:8"], "--batch-sizes"),
        (["profile", "-m", QUIET, "-b", "0"], "--batch-sizes"),
        (["profile", "-m", QUIET, "-b", "x"], "--batch-sizes"),
        (["profile", "-m", QUIET, "--precision", "fp31"], "--precision"),
        (["profile", "-m", QUIET, "--device", "cuda:7"], "--device"),
        (["profile", "-m", QUIET, "--mode", "sleep"], "--mode"),
        (["profile", "-m", QUIET, "--budget", "10"], "--budget"),
        (["profile", "-m", QUIET, "--memory-limit", "many"], "--memory-limit"),
        (["profile", "-m", QUIET, "--memory-limit", "2"], "no unit"),
        (["tune", "-m", QUIET, "--memory-limit", "2"], "give a unit: 2GiB"),
        (["profile", "-m", QUIET, "--seq-lens", "64"], "--seq-lens"),
        (["profile", "-m", QUIET, "--resume", "--overwrite"], "--overwrite"),
        (["profile", "-m", QUIET, "--blocks", "6", "--target", "1%"], "--target"),
        (["profile", "-m", QUIET, "--iterations", "3", "--min-visit-time", "1s"], "--iterations"),
        (["profile", "-m", QUIET, "--isolation", "none", "--memory-limit", "1GiB"], "--isolation"),
        (["profile", "-m", QUIET, "--optimizer", "sgd"], "--mode train"),
        (["profile", "-m", QUIET, "--checkpointing", "on"], "--mode train"),
        (["profile", "-m", QUIET, "--checkpointing", "maybe", "--mode", "train"], "off,on"),
        (["profile", "-m", QUIET, "--checkpointing", "off,on", "--mode", "train"], "transformer"),
        (["profile", "-m", "synthetic:parabola:1ms"], "parabola"),
        (["analyze", "run.jsonl", "--format", "pdf"], "--format"),
        (["profile", "--resume", "-o", "absent.jsonl"], "no run to resume"),
        (["profile", "-m", QUIET, "--engine", "abacus"], "abacus"),
        (["profile", "-m", QUIET, "-m", QUIET], "appears twice"),
        (["profile", "-m", QUIET, "-b", "2147483648"], "too large"),
        (["worker", "x"], "profile"),
        (["chart", "x"], "analyze"),
    ],
)
def test_usage(cli, arguments, words):
    done = cli.run(*arguments, check=2)
    assert words in done.stderr + done.stdout
    assert "terminate called" not in done.stderr


def test_plugins_are_looked_for_where_the_environment_says_then_beside_the_program(cli):
    env = os.environ | {"BATCHSCOPE_PLUGIN_PATH": "/absent::/away"}
    printed = cli.run("profile", "-m", QUIET, "--engine", "abacus", check=2, env=env).stderr
    assert "searched /absent, /away, /" in printed
    assert "/lib/batchscope/plugins, " in printed


def test_no_overwriting_unless_asked(cli):
    (cli.folder / "run.jsonl").write_text("precious\n")
    done = cli.run("profile", "-m", QUIET, "-b", "1", "--blocks", "2", "-o", "run.jsonl", check=2)
    assert "--on-existing overwrite" in done.stderr
    assert (cli.folder / "run.jsonl").read_text() == "precious\n"
    cli.run("profile", "-m", QUIET, "-b", "1", "--blocks", "2", "-o", "run.jsonl", "--overwrite")
    cli.run("analyze", "run.jsonl", "-o", "run.jsonl", check=2)


GOOD_HEADER = {"type": "header", "schema_version": 1, "tool_version": "0.1.0"}


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "empty"),
        (b"\x00\x01\x02\xff" * 100, ""),
        (b'{"type":"head', ""),
        (b'{"type":"visit"}\n', "header"),
        (json.dumps({**GOOD_HEADER, "schema_version": 99}).encode() + b"\n", "99"),
        (b"PK\x03\x04 a zip file", ""),
    ],
)
def test_a_run_file_that_is_none(cli, content, words):
    (cli.folder / "run.jsonl").write_bytes(content)
    done = cli.run("analyze", "run.jsonl", check=3)
    assert "run.jsonl" in done.stderr and words in done.stderr
    assert "terminate called" not in done.stderr


@pytest.mark.parametrize("path", ["absent.jsonl", "."])
def test_a_path_that_cannot_be_read(cli, path):
    cli.run("analyze", path, check=3)


def test_a_truncated_run_file_is_read_as_far_as_it_goes(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    full = (cli.folder / "run.jsonl").read_bytes()
    (cli.folder / "torn.jsonl").write_bytes(full[: len(full) * 2 // 3])
    done = cli.run("analyze", "torn.jsonl", "--format", "json")
    assert any("incomplete" in warning for warning in json.loads(done.stdout)["warnings"])


def test_a_line_of_an_unknown_type_is_counted_not_fatal(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    with (cli.folder / "run.jsonl").open("a") as file:
        file.write('{"type":"hologram","x":1}\n{"type":"visit","config":"zero"}\n')
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert any("hologram" in warning for warning in document["warnings"])


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_keeps_what_was_measured_and_the_run_can_go_on(cli):
    disk = cli.folder / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=64k none {disk} 2>/dev/null") != 0:
        pytest.skip("mounting is not permitted here")
    try:
        arguments = ["-m", QUIET, "-b", "1-6", "--iterations", "200", "--seed", "1"]
        done = cli.run("profile", *arguments, "--blocks", "40", "-o", "disk/run.jsonl", check=1)
        assert "disk/run.jsonl" in done.stderr and "space" in done.stderr
        lines = (disk / "run.jsonl").read_text().splitlines()
        assert all(json.loads(line) for line in lines)
        os.system(f"mount -o remount,size=64m none {disk}")
        cli.run("profile", *arguments, "--resume", "-o", "disk/run.jsonl")
        visits = {}
        for line in (disk / "run.jsonl").read_text().splitlines():
            record = json.loads(line)
            if record["type"] == "visit":
                visits[(record["block"], record["config"])] = record["attempt"]
        assert len(visits) == 40 * 6
    finally:
        os.system(f"umount -l {disk}")


def test_a_folder_that_cannot_be_written(cli):
    (cli.folder / "file").write_text("")
    done = cli.run("profile", "-m", QUIET, "-b", "1", "--blocks", "2", "-o", "file/run.jsonl", check=1)
    assert "file" in done.stderr and "folder" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(cli):
    folder = cli.folder / "locked"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = cli.run("profile", "-m", QUIET, "-b", "1", "--blocks", "2", "-o", "locked/run.jsonl", check=1)
    assert "locked/run.jsonl" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_read_only_file_system(cli):
    disk = cli.folder / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o ro none {disk} 2>/dev/null") != 0:
        pytest.skip("mounting is not permitted here")
    try:
        done = cli.run("profile", "-m", QUIET, "-b", "1", "--blocks", "2", "-o", "disk/run.jsonl", check=1)
        assert "disk/run.jsonl" in done.stderr
    finally:
        os.system(f"umount -l {disk}")


def test_help_and_version_go_to_standard_output(cli):
    assert "profile" in cli.run("--help").stdout
    assert "0." in cli.run("--version").stdout
    for verb in ("profile", "analyze", "import", "doctor"):
        done = cli.run(verb, "--help")
        assert "--" in done.stdout and done.stderr == ""


def test_an_input_is_never_the_output(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    (cli.folder / "link.jsonl").symlink_to("run.jsonl")
    (cli.folder / "t.csv").write_text("batch,latency_ms\n1,2\n2,3\n")
    for name in ("run.jsonl", "link.jsonl"):
        full = (cli.folder / "run.jsonl").read_bytes()
        cli.run("analyze", "run.jsonl", "-o", name, "--overwrite", check=2)
        assert (cli.folder / "run.jsonl").read_bytes() == full
    cli.run("import", "t.csv", "-o", "t.csv", "--overwrite", check=2)
    assert (cli.folder / "t.csv").read_text().startswith("batch,")
    assert "scaling" in cli.run("analyze", "run.jsonl", "-o", "-").stdout.lower() or not (cli.folder / "-").exists()
    assert "same file" in cli.run("analyze", "run.jsonl", "link.jsonl").stderr


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--seed", "-1"], "seed"),
        (["--memory-limit", "0"], "--memory-limit"),
        (["-o", "-"], "file"),
        (["--target", "2"], "3% or 0.03"),
    ],
)
def test_values_that_cannot_be_meant(cli, arguments, words):
    assert words in cli.run("profile", "-m", QUIET, "-b", "1", *arguments, check=2).stderr


def test_nothing_to_compare_is_no_pass(cli):
    cli.run("profile", "-m", QUIET, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    assert "in one run" in cli.run("analyze", "run.jsonl", "--fail-on-regression", "3%", check=2).stderr
    for gate in ("--fail-on", "--fail-on-regression"):  # an unset variable must not open it
        cli.run("analyze", "run.jsonl", gate, "", check=2)
    assert "3% or 0.03" in cli.run("analyze", "run.jsonl", "--fail-on-regression", "3", check=2).stderr


@pytest.mark.parametrize("content, code", [('bloks = 3\n', 2), ("%%% what is this\n", 3)])
def test_a_config_file_with_mistakes(cli, content, code):
    (cli.folder / "sweep.toml").write_text(content)
    cli.run("profile", "-m", QUIET, "--config", "sweep.toml", check=code)


def test_a_run_file_without_visits(cli):
    cli.run("profile", "-m", f"{QUIET};oom_above=0", "-b", "1", "--blocks", "2", "-o", "run.jsonl", check=1)
    assert "no measurements" in cli.run("analyze", "run.jsonl", check=3).stderr


def test_control_characters_do_not_reach_the_terminal(cli):
    assert "\x1b" not in cli.run("analyze", "\x1b[31mred.jsonl", check=3).stderr


@pytest.mark.parametrize("name, shown", [(b"\x1b]0;gone\x07", "\\x1b]0;gone\\x07"), (b"\xc2\x9b2J", "\\x9b2J")])
def test_control_characters_of_a_table_are_spelt_out(cli, name, shown):
    # On two devices, or their names would tell nothing apart.
    rows = b"".join(b"%d,%d,%s\n" % (size, 3 + size, device) for device in (name, b"cpu") for size in (1, 2, 4))
    (cli.folder / "table.csv").write_bytes(b"batch,time_ms,device\n" + rows)
    done = cli.run("tune", "--replay", "table.csv", "--explain")
    assert shown in done.stdout
    document = cli.run("tune", "--replay", "table.csv", "--format", "json").stdout
    for text in (done.stdout, done.stderr, document):
        assert not any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in text)
    assert json.loads(document)["points"][0]["device"] == name.decode()
