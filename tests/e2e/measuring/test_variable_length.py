"""profile --seq-lens with a mix of lengths: what is measured, recorded, and told."""

import csv
import io
import json

import pytest

from conftest import read_lines

QUIET = "process_sd=0.0005;visit_sd=0.0005;iteration_sd=0.0005;warmup=0"
LAW = "synthetic:affine:2ms,1ms;per_token=64;" + QUIET
MIX = "16-128:lognormal(48,0.6)"


def of_type(records, kind):
    return [record for record in records if record["type"] == kind]


def batches(config):
    size = config["batch_size"]
    lengths = config["lengths"]
    return [lengths[i : i + size] for i in range(0, len(lengths), size)]


def padded(config):
    return sum(config["batch_size"] * max(batch) for batch in batches(config))


def test_every_batch_size_sees_the_same_traffic_and_the_file_says_which(cli):
    cli.run("profile", "-m", LAW, "-b", "1,4,8", "--seq-lens", MIX, "--blocks", "3", "--seed", "5", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    configs = of_type(records, "config")
    assert records[0]["axes"]["seq_len"] == MIX
    assert all(c["length_mix"] == MIX and "seq_len" not in c for c in configs)
    assert len({tuple(sorted(c["lengths"])) for c in configs}) == 1
    assert len({tuple(c["lengths"]) for c in configs}) == 3
    for visit in of_type(records, "visit"):
        config = configs[visit["config"]]
        cycle = len(batches(config))
        assert visit["iterations_per_sample"] == cycle
        assert len(visit["warmup_ns"]) % cycle == 0 and len(visit["samples_ns"]) >= 3
        assert visit["tokens"] == {"real": sum(config["lengths"]), "padded": padded(config), "iterations": cycle}
        law = 2e6 + 1e6 * padded(config) / cycle / 64
        assert all(abs(sample / law - 1) < 0.01 for sample in visit["samples_ns"])


def test_the_analysis_tells_the_share_of_padding(cli):
    cli.run("profile", "-m", LAW, "-b", "1,8", "--seq-lens", MIX, "--blocks", "3", "-o", "run.jsonl")
    configs = of_type(read_lines(cli.folder / "run.jsonl"), "config")
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert len(document["groups"]) == 1
    one, eight = document["configs"]
    assert one["tokens"]["padding"] == 0
    share = 1 - sum(configs[1]["lengths"]) / padded(configs[1])
    assert eight["tokens"]["padding"] == pytest.approx(share) and share > 0.2
    tokens = sum(configs[1]["lengths"]) / len(configs[1]["lengths"])
    assert eight["tokens"]["real_per_s"] == pytest.approx(tokens * eight["throughput_per_s"])
    rows = list(csv.DictReader(io.StringIO(cli.run("analyze", "run.jsonl", "--format", "csv").stdout)))
    assert rows[1]["length_mix"] == MIX and float(rows[1]["padding"]) == pytest.approx(share)
    text = cli.run("analyze", "run.jsonl").stdout
    assert "padding" in text and MIX in text


def test_one_length_is_reported_without_padding(cli):
    cli.run("profile", "-m", LAW, "-b", "1,2", "--seq-lens", "64", "--blocks", "2", "-o", "run.jsonl")
    assert "padding" not in cli.run("analyze", "run.jsonl").stdout
    assert "padding" not in cli.run("analyze", "run.jsonl", "--format", "csv").stdout
    records = read_lines(cli.folder / "run.jsonl")
    assert not any("tokens" in visit for visit in of_type(records, "visit"))
    assert not any("lengths" in config for config in of_type(records, "config"))


def test_the_same_seed_makes_the_same_batches(cli):
    def lengths(seed, name):
        cli.run("profile", "-m", LAW, "-b", "4", "--seq-lens", MIX, "--blocks", "1", "--seed", seed, "-o", name)
        return of_type(read_lines(cli.folder / name), "config")[0]["lengths"]

    first = lengths(1, "a.jsonl")
    assert first == lengths(1, "b.jsonl")
    assert first != lengths(2, "c.jsonl")


def test_a_mix_is_beside_lengths(cli):
    lens = f"32,{MIX},64"
    plan = json.loads(cli.run("profile", "-m", LAW, "-b", "4", "--seq-lens", lens, "--dry-run", "--format", "json").stdout)
    assert [config.get("seq_len", config.get("length_mix")) for config in plan["configs"]] == [32, 64, MIX]
    text = cli.run("profile", "-m", LAW, "-b", "4", "--seq-lens", lens, "--dry-run").stdout
    assert "8 batches per cycle, padding" in text


def test_a_resumed_run_takes_the_lengths_from_its_file(cli):
    (cli.folder / "lengths.txt").write_text("# queries\n12\n7\n30\n")
    arguments = ["profile", "-m", LAW, "-b", "1,2", "--seq-lens", "file:lengths.txt", "--blocks", "4", "-o", "run.jsonl"]
    cli.run(*arguments, "--seed", "1")
    lines = (cli.folder / "run.jsonl").read_text().splitlines(keepends=True)
    configs = of_type([json.loads(line) for line in lines], "config")
    assert set(configs[0]["lengths"]) == {7, 12, 30}
    (cli.folder / "run.jsonl").write_text("".join(lines[:6]))
    (cli.folder / "lengths.txt").write_text("99\n")
    changed = cli.run(*arguments, "--resume", check=2)
    assert "lengths differ" in changed.stderr
    cli.run("profile", "--resume", "-o", "run.jsonl")
    records = read_lines(cli.folder / "run.jsonl")
    assert of_type(records, "config") == configs
    assert {v["tokens"]["real"] for v in of_type(records, "visit")} == {sum(c["lengths"]) for c in configs}


@pytest.mark.parametrize(
    "lens, code, words",
    [
        ("16-128:lognormal(48)", 2, "a median and a standard deviation"),
        ("16-128:gamma(2,3)", 2, "lognormal"),
        ("16:128", 2, "ambiguous"),
        ("file:nowhere.txt", 3, "nowhere.txt"),
    ],
)
def test_what_is_no_mix_is_explained(cli, lens, code, words):
    done = cli.run("profile", "-m", LAW, "--seq-lens", lens, "-o", "run.jsonl", check=code)
    assert words in done.stderr
    assert not (cli.folder / "run.jsonl").exists()


def test_a_law_that_knows_no_tokens_has_no_lengths(cli):
    done = cli.run("profile", "-m", LAW.replace("per_token=64;", ""), "--seq-lens", MIX, "-o", "run.jsonl", check=2)
    assert "per_token=64" in done.stderr


@pytest.mark.model
def test_a_real_model_is_fed_padded_batches(cli):
    cli.run("profile", "-m", "minilm-l6", "--seq-lens", "4-16:lognormal(8,0.5)", "-b", "1,2",
            "--threads", "1", "--blocks", "1", "--iterations", "3", "-o", "run.jsonl")  # fmt: skip
    records = read_lines(cli.folder / "run.jsonl")
    configs = of_type(records, "config")
    visits = of_type(records, "visit")
    assert len(visits) == 2
    for visit in visits:
        config = configs[visit["config"]]
        cycle = len(batches(config))
        assert visit["iterations_per_sample"] == cycle and len(visit["samples_ns"]) == 3
        assert visit["tokens"]["padded"] == padded(config)
        forward = next(phase for phase in visit["phases"] if phase["name"] == "forward")
        assert forward["count"] == 3 * cycle
    assert "adding" in cli.run("analyze", "run.jsonl").stdout
