"""`batchscope tune --export`: what servers and programs of one's own are given."""

import json
import re
import shlex

LAW = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02"


def write_table(cli, law, largest):
    rows = "\n".join(f"{size},{law(size)}" for size in range(1, largest + 1))
    (cli.folder / "table.csv").write_text("batch,latency_ms\n" + rows + "\n")
    return "table.csv"


def tune(cli, *arguments):
    return json.loads(cli.run("tune", *arguments, "--format", "json").stdout)


def parse_pbtxt(text):
    """Protobuf's text format, as far as a config.pbtxt needs it: repeated names make lists."""
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    tokens = re.findall(r'"(?:\\.|[^"\\])*"|[\w.+-]+|[{}\[\]:,]', text)
    position = 0

    def value():
        nonlocal position
        token = tokens[position]
        if token == "{":
            position += 1
            made = message("}")
            position += 1
            return made
        if token == "[":
            position += 1
            items = []
            while tokens[position] != "]":
                items.append(value())
                position += tokens[position] == ","
            position += 1
            return items
        position += 1
        return json.loads(token) if token[0] in '"0123456789-' else token

    def message(end):
        nonlocal position
        made = {}
        while position < len(tokens) and tokens[position] != end:
            name = tokens[position]
            position += 1
            position += tokens[position] == ":"
            made[name] = value()
        return made

    return message(None)


def test_exports_parse_and_hold_the_pick(cli):
    table = write_table(cli, lambda size: 10 + size, largest=16)
    formats = {"triton": "config.pbtxt", "yaml": "pick.yaml", "env": "pick.env"}
    exports = [word for name, file in formats.items() for word in ("--export", f"{name}={file}")]
    pick = tune(cli, "--replay", table, "--latency-budget", "60ms", *exports)["recommendation"]
    text = {name: (cli.folder / file).read_text() for name, file in formats.items()}

    triton = parse_pbtxt(text["triton"])
    assert triton["max_batch_size"] == pick["batch_size"] == 16
    assert triton["dynamic_batching"]["preferred_batch_size"][-1] == 16
    # 60 ms less two batches of 26 ms.
    assert triton["dynamic_batching"]["max_queue_delay_microseconds"] == 8000
    assert triton["instance_group"] == [{"count": 1, "kind": "KIND_CPU"}]

    def lines(text, separator):
        rows = [line.split(separator, 1) for line in text.splitlines() if not line.startswith("#")]
        return {name: value.strip() for name, value in rows}

    assert lines(text["yaml"], ":")["batch_size"] == "16"
    assert lines(text["env"], "=")["BATCH_SIZE"] == "16"


def test_a_size_that_its_split_beats_is_neither_good_nor_preferred(cli):
    arguments = ["-b", "1,2,4,8,16", "--threads", "1", "--instances", "1", "--budget", "2m", "--seed", "3"]
    done = cli.run("tune", "-m", "synthetic:affine:10ms,5ms;anomaly=8:1.6;iteration_sd=0.02", *arguments,
                   "--export", "triton=config.pbtxt")
    assert "(estimated, not verified): 1, 2, 4, 16." in done.stdout
    triton = parse_pbtxt((cli.folder / "config.pbtxt").read_text())
    assert triton["dynamic_batching"]["preferred_batch_size"] == [2, 4, 16]


def test_an_export_alone_on_standard_output_is_what_a_shell_runs(cli):
    table = write_table(cli, lambda size: 10 + size, largest=16)
    done = cli.run("tune", "--replay", table, "--export", "tei")
    command = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    assert len(command) == 1
    words = shlex.split(command[0])
    assert words[0] == "text-embeddings-router"
    assert words[words.index("--max-batch-requests") + 1] == "16"
    assert "Use batch 16" in done.stderr
    for gone in ("kserve", "torchserve=out.yaml"):
        assert "yaml, env, triton or tei" in cli.run("tune", "--replay", table, "--export", gone, check=2).stderr
    assert cli.run("tune", "--replay", table, "--export", "tei", "--format", "json", check=2).stderr


def test_a_server_that_runs_nothing_of_the_grid_is_reported_at_once(cli):
    assert "accepts no texts" in cli.run("tune", "-m", LAW, "--export", "tei", check=2).stderr
    assert not list(cli.folder.glob("*.jsonl"))


def test_what_a_run_has_verified_is_exported_as_that(cli):
    search = ["-m", "synthetic:affine:5ms,1ms", "-b", "1,2,4,8", "--threads", "1", "--instances", "1", "--seed", "4"]
    for bounds in ([], ["--memory-limit", "2GiB"]):
        made = tune(cli, *search, "--budget", "10m", *bounds, "-q", "-o", "tune.jsonl", "--overwrite")["recommendation"]
        assert made["verified"] and made["fresh_visits"] >= 6
        again = tune(cli, "--replay", "tune.jsonl", "--export", "yaml=pick.yaml")["recommendation"]
        assert [again[key] for key in ("batch_size", "verified", "fresh_visits")] == [
            made[key] for key in ("batch_size", "verified", "fresh_visits")]
        assert f"verified: true\nfresh_visits: {made['fresh_visits']}\n" in (cli.folder / "pick.yaml").read_text()
        (cli.folder / "pick.yaml").unlink()
