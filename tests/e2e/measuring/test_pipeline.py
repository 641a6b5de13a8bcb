"""`profile --pipeline embed`: texts in, vectors out, by phases."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from conftest import ROOT, _program, read_lines

MODEL = "all-minilm-l6-v2"
SHORT = ["--blocks", "1", "--iterations", "3", "--warmup", "1", "--seed", "3", "--threads", "1", "-q", "-o", "run.jsonl"]
STORE = os.environ | {"BATCHSCOPE_MODELS": os.environ.get("BATCHSCOPE_MODELS", str(ROOT / "models"))}
EMBED = ["profile", "--pipeline", "embed", "-m", MODEL, *SHORT]


@pytest.fixture
def embed(cli):
    """Runs `profile --pipeline embed` on the real model; the visits that it made."""
    folder = STORE["BATCHSCOPE_MODELS"]
    if not os.path.exists(f"{folder}/{MODEL}/model.json"):
        pytest.skip(f"no {MODEL} in {folder}: ./dev models makes it")

    def run(*arguments):
        cli.run(*EMBED, *arguments, "--overwrite", env=STORE)
        return [each for each in read_lines(cli.folder / "run.jsonl") if each["type"] == "visit"]

    return run


@pytest.mark.parametrize("flags, word", [
    (["--texts", "x.txt"], "--pipeline embed"),
    (["--order", "sorted"], "--pipeline embed"),
    (["--pipeline", "embed", "--padding", "some"], "multiple:8"),
    (["--pipeline", "embed", "--texts", "synthetic:what"], "--texts"),
    (["--pipeline", "embed", "--texts", "synthetic:lognormal(48,0.6)", "--text-lengths", "9"], "--text-lengths"),
    (["--pipeline", "embed", "--text-lengths", "0"], "--text-lengths"),
    (["--pipeline", "embed", "--tokenizer-threads", "0"], "--tokenizer-threads"),
    (["--pipeline", "embed", "--sort-window", "64"], "--sort-window"),
    (["--pipeline", "embed", "--order", "sorted", "--sort-window", "0"], "--sort-window"),
    (["--pipeline", "other"], "embed"),
])
def test_what_contradicts_is_refused(cli, flags, word):
    done = cli.run("profile", "-m", "minilm-l6", *flags, *SHORT, check=2)
    assert word in done.stderr


@pytest.mark.parametrize("content, word", [(b"", "text"), (b"fine\nna\xefve\n", "texts.txt:2"), (None, "texts.txt")])
def test_texts_that_cannot_be_read_are_wrong_input(cli, content, word):
    if content is not None:
        (cli.folder / "texts.txt").write_bytes(content)
    done = cli.run("profile", "-m", "minilm-l6", "--pipeline", "embed", "--texts", "texts.txt", *SHORT, check=3)
    assert word in done.stderr


@pytest.mark.model
def test_a_model_without_a_tokenizer_is_refused(cli):
    done = cli.run("profile", "-m", "minilm-l6", "--pipeline", "embed", *SHORT, check=2)
    assert "--tokenizer" in done.stderr


@pytest.mark.model
def test_phases_sum_to_the_iteration(cli, embed):
    visits = embed("-b", "1,4", "--text-lengths", "20")
    for visit in visits:
        names = [phase["name"] for phase in visit["phases"]]
        assert [name for name in names if name in ("tokenize", "pad", "forward", "pool")] == ["tokenize", "pad", "forward", "pool"]
    document = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    for row in document["configs"]:
        assert row["tokens"]["padding"] == 0
    table = cli.run("analyze", "run.jsonl", "--details").stdout
    assert "tokenize" in table and "generated texts" in table


@pytest.mark.model
def test_sorting_and_a_budget_leave_less_padding(embed):
    mix = ["-b", "8", "--texts", "synthetic:4-64:lognormal(12,0.8)"]
    visits = embed(*mix, "--order", "arrival,sorted", "--token-budget", "2048")
    shares = [1 - visit["tokens"]["real"] / visit["tokens"]["padded"] for visit in visits]
    assert max(shares) > 0.5 and min(shares) < max(shares) - 0.2
    split = embed(*mix, "--token-budget", "128")[0]
    assert 1 - split["tokens"]["real"] / split["tokens"]["padded"] < max(shares)


def padding_of(visit):
    return 1 - visit["tokens"]["real"] / visit["tokens"]["padded"]


@pytest.mark.model
def test_the_sort_window_decides_how_much_padding_is_left(cli, embed):
    (cli.folder / "texts.txt").write_text("".join(f"{'word ' * (1 + n * 7 % 20)}\n" for n in range(100)))
    visits = embed("-b", "4", "--texts", "texts.txt", "--order", "arrival,sorted", "--sort-window", "all,16,100")
    pipelines = [each["pipeline"] for each in read_lines(cli.folder / "run.jsonl") if each["type"] == "config"]
    assert [(each.get("sort_window"), each.get("sort_all")) for each in pipelines] == [(1, None), (100, True), (16, None)]
    arrival, everything, some = (next(padding_of(each) for each in visits if each["config"] == index) for index in range(3))
    assert everything < 0.1 and everything + 0.02 < some < arrival
    table = cli.run("analyze", "run.jsonl").stdout
    assert "all 100 texts" in table and "within 16 texts" in table
    rows = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)["configs"]
    assert {row["pipeline"].get("sort_window") for row in rows} == {1, 16, 100}
    cli.run("report", "run.jsonl", "-o", "page.html")
    assert "all 100 texts" in (cli.folder / "page.html").read_text()


@pytest.mark.model
def test_runs_of_other_sort_windows_are_not_compared(cli, embed):
    (cli.folder / "texts.txt").write_text("one\ntwo words\n")
    embed("-b", "1", "--texts", "texts.txt", "--order", "sorted")
    lines = (cli.folder / "run.jsonl").read_text()
    recorded = '"sort_window":2,"sort_all":true,'
    assert lines.count(recorded) == 1
    compared = []
    for name, window in ("same", recorded), ("other", '"sort_window":8,'), ("before", ""):
        (cli.folder / f"{name}.jsonl").write_text(lines.replace(recorded, window))
        document = json.loads(cli.run("analyze", "run.jsonl", f"{name}.jsonl", "--format", "json").stdout)
        compared.append(len(document["comparisons"]))
    assert compared == [1, 0, 0]


@pytest.mark.model
def test_texts_of_a_file_are_measured(cli, embed):
    (cli.folder / "texts.txt").write_text("".join(f"{'word ' * n}\n" for n in range(1, 60)) + "\n" + "x" * 1_000_000 + "\n")
    visits = embed("-b", "4", "--texts", "texts.txt")
    assert all(8 <= visit["tokens"]["iterations"] <= 16 for visit in visits)


@pytest.mark.model
def test_lengths_beyond_the_model_are_refused(cli, embed):
    done = cli.run(*EMBED, "--text-lengths", "513", "--overwrite", check=2)
    assert "512" in done.stderr


@pytest.mark.model
def test_a_redacted_report_hides_where_the_texts_are(cli, embed):
    secret = cli.folder / "secretplace"
    secret.mkdir()
    (secret / "texts.txt").write_text("one\ntwo words\n")
    embed("-b", "1", "--texts", str(secret / "texts.txt"))
    cli.run("report", "run.jsonl", "-o", "page.html", "--redact")
    assert "secretplace" not in (cli.folder / "page.html").read_text()


@pytest.mark.model
def test_engines_are_compared_on_texts_of_a_file(cli, embed):
    if not (_program().parent.parent / "lib/libbatchscope_openvino.so").exists():
        pytest.skip("built without the openvino plugin")
    lines = (ROOT / "data/texts/mixed.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (cli.folder / "texts.txt").write_text("".join(lines[::20]), encoding="utf-8")
    embed("-b", "1", "--texts", "texts.txt", "--engine", "torch,openvino")
    outputs = [each for each in read_lines(cli.folder / "run.jsonl") if each["type"] == "outputs"]
    assert [each["cosine"] > 0.9999 for each in outputs] == [True]
    assert "on the same input the outputs differ" in " ".join(cli.run("analyze", "run.jsonl").stdout.lower().split())


@pytest.mark.model
@pytest.mark.parametrize("lines", [["fine", ""], ["x" * 100_000]])
def test_odd_texts_are_measured(cli, embed, lines):
    (cli.folder / "texts.txt").write_text("\n".join(lines) + "\n")
    assert len(embed("-b", "1,2", "--texts", "texts.txt")) == 2


@pytest.mark.model
@pytest.mark.parametrize("arguments, exit_code, word", [
    (["--text-lengths", "1"], 2, "an empty one has 2"),
    (["--text-lengths", "100", "--max-length", "50"], 2, "cuts at 50"),
    (["--mode", "train"], 2, "does not train"),
    (["--tokenizer", "absent.xml"], 3, "absent.xml"),
    (["--tokenizer", "junk.xml"], 3, "junk.xml"),
])
def test_what_cannot_be_tokenized_is_refused_before_anything_is_measured(cli, embed, arguments, exit_code, word):
    (cli.folder / "junk.xml").write_text("no tokenizer")
    done = cli.run(*EMBED, "-b", "1", *arguments, check=exit_code, env=STORE)
    assert word in done.stderr
    assert not (cli.folder / "run.jsonl").exists()


@pytest.fixture(scope="module")
def openvino_models(tmp_path_factory):
    if not (_program().parent.parent / "lib/libbatchscope_openvino.so").exists():
        pytest.skip("built without the openvino plugin")
    folder = tmp_path_factory.mktemp("openvino")
    subprocess.run([sys.executable, ROOT / "tests/fixtures/make_openvino_models.py", folder], check=True, timeout=600)
    return folder


@pytest.mark.model
@pytest.mark.parametrize("model, exit_code, word", [
    ("encoder.xml", 3, "has 30522 tokens, but the model only 50"),
    ("fixed.xml", 2, "exactly 4"),
])
def test_models_that_texts_do_not_fit_are_refused(cli, embed, openvino_models, model, exit_code, word):
    tokenizer = pathlib.Path(STORE["BATCHSCOPE_MODELS"]) / MODEL / "tokenizer.xml"
    done = cli.run("profile", "--pipeline", "embed", "-m", openvino_models / model, "--engine", "openvino", "--tokenizer",
                   tokenizer, *SHORT, check=exit_code)
    assert word in done.stderr


@pytest.mark.model
def test_a_run_is_not_resumed_with_other_texts(cli, embed):
    texts = cli.folder / "texts.txt"
    texts.write_text("one\ntwo words\n")
    embed("-b", "1", "--texts", "texts.txt")
    lines = (cli.folder / "run.jsonl").read_text().splitlines(keepends=True)
    (cli.folder / "run.jsonl").write_text("".join(lines[:3]))
    texts.write_text("something else\n")
    done = cli.run("profile", "--resume", "-q", "-o", "run.jsonl", check=3, env=STORE)
    assert "the hash of the texts" in done.stderr


@pytest.mark.model
def test_runs_over_other_texts_are_not_compared(cli, embed):
    (cli.folder / "texts.txt").write_text("one\ntwo words\n")
    embed("-b", "1,2", "--texts", "texts.txt")
    (cli.folder / "run.jsonl").rename(cli.folder / "first.jsonl")
    (cli.folder / "texts.txt").write_text("one\nthree other words\n")
    embed("-b", "1,2", "--texts", "texts.txt")
    assert "different texts" in " ".join(cli.run("analyze", "first.jsonl", "run.jsonl").stdout.split())
