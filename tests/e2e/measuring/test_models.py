"""Real models through LibTorch: the built-in ones, TorchScript and AOTInductor files, right and wrong."""

import json

import pytest

from conftest import read_lines

pytestmark = pytest.mark.model

SHORT = ["--blocks", "1", "--iterations", "3", "--threads", "1", "-q"]


def profile(cli, models, name, *arguments, **options):
    path, inputs = models[name]
    return cli.run("profile", "-m", path, *inputs, *arguments, "-o", "run.jsonl", **options)


def visits(cli):
    return [record for record in read_lines(cli.folder / "run.jsonl") if record["type"] == "visit"]


def events(cli):
    """Of visits: that the machine was busy before the first one says nothing about a model."""
    return [record for record in read_lines(cli.folder / "run.jsonl")
            if record["type"] == "event" and not record["message"].startswith("before the first visit")]


PARAMETERS = {"distilbert": 66362880, "minilm-l6": 22713216, "bert-base": 109482240, "resnet50": 25557032}


def test_the_models_are_described(cli):
    text = cli.run("profile", "--list-models").stdout
    for name, count in PARAMETERS.items():
        assert any(line.split()[:2] == [name, str(count)] for line in text.splitlines()), text
    assert "mlp" in text


@pytest.mark.parametrize("name", [*PARAMETERS, "mlp"])
def test_a_built_in_model_runs(cli, name):
    length = [] if name in ("resnet50", "mlp") else ["--seq-lens", "16"]
    cli.run("profile", "-m", name, "-b", "1,2", *length, *SHORT, "-o", "run.jsonl")
    assert len(visits(cli)) == 2
    header = read_lines(cli.folder / "run.jsonl")[0]
    if name in PARAMETERS:
        assert header["models"][0]["parameters"] == PARAMETERS[name]
    for visit in visits(cli):
        phases = {phase["name"]: phase for phase in visit["phases"]}
        assert "forward" in phases and "prepare" in phases
        inside = sum(phase["host_ns"] for name, phase in phases.items() if name != "prepare")
        assert inside <= sum(visit["samples_ns"]) * 1.01
        assert visit["usage"]["minor_faults"] >= 0
        assert visit["memory"]["peak_rss_bytes"] > 10_000_000


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
def test_training_has_its_phases_and_a_finite_loss(cli, optimizer):
    cli.run("profile", "-m", "mlp", "-b", "4", "--mode", "train", "--optimizer", optimizer, *SHORT, "-o", "run.jsonl")
    for visit in visits(cli):
        assert {"forward", "loss", "backward", "optimizer"} <= {phase["name"] for phase in visit["phases"]}
        assert abs(visit["loss"]) < 1e6


@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
def test_precisions(cli, precision):
    cli.run("profile", "-m", "mlp", "-b", "4", "--precision", precision, *SHORT, "-o", "run.jsonl")
    assert len(visits(cli)) == 1


@pytest.mark.parametrize("name", ["mlp", "tokens", "tuple-out", "dict-out", "package"])
def test_a_model_file_runs(cli, models, name):
    length = ["--seq-lens", "16"] if name == "tokens" else []
    profile(cli, models, name, "-b", "1,2,3", *length, *SHORT)
    assert len(visits(cli)) == 3
    assert events(cli) == []


def test_a_file_is_known_by_its_content_when_a_run_goes_on(cli, models):
    path, inputs = models["mlp"]
    copy = cli.folder / "model.pt"
    copy.write_bytes(path.read_bytes())
    cli.run("profile", "-m", copy, *inputs, "-b", "1", *SHORT, "-o", "run.jsonl")
    lines = (cli.folder / "run.jsonl").read_text().splitlines()
    (cli.folder / "run.jsonl").write_text("\n".join(lines[:-2]) + "\n")
    copy.write_bytes(models["tuple-out"][0].read_bytes())
    done = cli.run("profile", "--resume", "-o", "run.jsonl", check=3)
    assert "model" in done.stderr and "--force" in done.stderr


@pytest.mark.parametrize(
    "name, size, kind, words",
    [
        ("throws-at-2", 2, "error", "two samples are refused"),
        ("segfaults-at-3", 3, "crash", "SIGSEGV"),
        ("huge-at-8", 8, "out-of-memory", "memory"),
        ("hangs-at-2", 2, "timeout", ""),
    ],
)
def test_a_size_that_fails_costs_itself_only(cli, models, name, size, kind, words):
    profile(cli, models, name, "-b", f"1,{size}", "--blocks", "3", "--iterations", "3", "--timeout", "5s", "-q")
    troubles = [event for event in events(cli) if event["kind"] == kind]
    assert troubles and words in troubles[0]["message"]
    assert [visit["config"] for visit in visits(cli)] == [0, 0, 0]


def test_the_memory_limit_stops_a_model(cli, models):
    profile(cli, models, "one-gib-at-8", "-b", "1,8", "--blocks", "3", "--iterations", "3", "--memory-limit", "1GiB", "-q")
    assert {event["kind"] for event in events(cli)} >= {"out-of-memory"}
    assert [visit["config"] for visit in visits(cli)] == [0, 0, 0]


@pytest.mark.parametrize(
    "name, inputs, words",
    [
        ("mlp", ["--input", "y:Bx64"], "x"),
        ("mlp", ["--input", "x:Bx63"], ""),
        ("mlp", ["--input", "x:Bx64", "--input", "z:B"], ""),
        ("tokens", ["--input", "input_ids:BxS:float32", "--input", "attention_mask:BxS:int64=1"], ""),
    ],
)
def test_wrong_inputs_are_named(cli, models, name, inputs, words):
    done = cli.run("profile", "-m", models[name][0], *inputs, "-b", "1", "--blocks", "2", "-o", "run.jsonl", check=None)
    assert done.returncode in (1, 2, 3)
    assert words in done.stderr and "--input" in done.stderr
    assert "terminate called" not in done.stderr


@pytest.mark.parametrize(
    "file, content, code",
    [
        ("noise.pt", b"\x00\x01\x02 not a model", 3),
        ("empty.pt", b"", 3),
        ("noise.pt2", b"PK\x03\x04 half a zip", 3),
        ("model.onnx", b"x", 3),
    ],
)
def test_a_file_that_is_no_model(cli, file, content, code):
    (cli.folder / file).write_bytes(content)
    done = cli.run("profile", "-m", cli.folder / file, "--input", "x:Bx64", "-b", "1", "-o", "run.jsonl", check=code)
    assert file in done.stderr
    assert not (cli.folder / "run.jsonl").exists()


def test_a_state_dict_is_distinguished_from_a_model(cli, models):
    done = profile(cli, models, "state-dict", "-b", "1", check=3)
    assert "state_dict.pt" in done.stderr


@pytest.mark.parametrize(
    "name, printed",
    [
        ("mlp", "x float32 [B, 64]"),
        ("tokens", "input_ids int64 [B, S] of 0 to 999, attention_mask int64 [B, S] of 1"),
        ("picture", "x float32 [B, 3, 24, 40]"),
        ("package", "x float32 [B, 64]"),
    ],
)
def test_inputs_that_nobody_typed_are_inferred_stated_and_recorded(cli, models, name, printed):
    path, inputs = models[name]
    length = ["--seq-lens", "16"] if name == "tokens" else []
    done = cli.run("profile", "-m", path, "-b", "1,2", *length, *SHORT[:-1], "-o", "run.jsonl")
    line = f"inputs: {printed}; inferred from {path.name} and a trial call; --input overrides"
    assert [each for each in done.stderr.splitlines() if "inputs:" in each] == [line]
    header = read_lines(cli.folder / "run.jsonl")[0]
    assert header["models"][0]["inputs"] == inputs[1::2]
    assert len(visits(cli)) == 2
    cli.run("report", "run.jsonl", "-o", "report.md")
    assert inputs[1] in (cli.folder / "report.md").read_text().replace("\\", "")  # Markdown escapes underscores
    lines = (cli.folder / "run.jsonl").read_text().splitlines()
    (cli.folder / "run.jsonl").write_text("\n".join(lines[:-2]) + "\n")
    again = cli.run("profile", "--resume", "-o", "run.jsonl")
    assert "inputs:" not in again.stderr
    assert len({(visit["config"], visit["block"]) for visit in visits(cli)}) == 2


@pytest.mark.parametrize(
    "name, known, flag",
    [
        ("any-picture", "accepted any number for N and M", "--input x:Bx3xNxM"),
        ("steady", "accepted any number for N", "--input x:BxNx256"),
        ("dict-out", "forward(Tensor x)", "--input x:BxN"),
    ],
)
def test_a_file_that_says_too_little_is_usage_with_what_it_says(cli, models, name, known, flag):
    done = cli.run("profile", "-m", models[name][0], "-b", "1", "-o", "run.jsonl", check=2)
    assert known in done.stderr and flag in done.stderr
    assert not (cli.folder / "run.jsonl").exists()


def test_a_model_that_crashes_when_it_is_tried_costs_a_worker_only(cli, models):
    done = cli.run("profile", "-m", models["segfaults"][0], "-b", "1", "-o", "run.jsonl", check=1)
    assert "SIGSEGV" in done.stderr and "--input x:Bx64" in done.stderr
    assert not (cli.folder / "run.jsonl").exists()


def test_what_is_no_model_is_input_without_being_reported_inputs_too(cli, models):
    done = cli.run("profile", "-m", models["state-dict"][0], "-b", "1", check=3)
    assert "state_dict.pt" in done.stderr


def test_an_absent_model_is_input_and_an_unknown_name_usage(cli):
    cli.run("profile", "-m", "absent.pt", "--input", "x:Bx1", check=3)
    done = cli.run("profile", "-m", "gpt-9", check=2)
    assert "distilbert" in done.stderr


def test_the_doctor_sees_torch(cli):
    document = json.loads(cli.run("doctor", "--format", "json").stdout)
    torch = next(check for check in document["checks"] if check["name"] == "torch")
    assert torch["status"] == "ok" and "2." in torch["value"]
