"""The documents of plan, noise-scale, compare, trend and baseline against their published JSON Schemas.

The run file and the analysis have their own test beside the library that writes them.
"""

import json

import pytest

pytest.importorskip("jsonschema")

from published import load, published  # noqa: E402


def check(name, documents):
    """Every document agrees, damaged ones do not, and together they have every field that is published."""
    opened, closed = load(name)
    failures, seen = [], set()
    for document in documents:
        published.check_document(failures, opened, closed, document, opened.schema["required"], name)
        seen |= published.field_names(document)
    published.check(failures, documents and published.property_names(opened.schema) <= seen,
                    f"published but never written: {sorted(published.property_names(opened.schema) - seen)}")
    assert not failures


def test_a_plan(cli):
    cli.run("profile", "-m", "synthetic:affine:10ms,2ms;per_token=64;iteration_sd=0.01", "-b", "1,2,4,8",
            "--seq-lens", "16,128", "--env", "MALLOC_ARENA_MAX=1", "--blocks", "12", "-q", "-o", "run.jsonl")

    def planned(*arguments, code=0):
        asked = ["plan", "run.jsonl", "--format", "json", "--requests", "2000", *arguments]
        return json.loads(cli.run(*asked, check=code).stdout)

    check("plan", [
        planned("--rate", "40/s", "--p99", "200ms", "--lengths", "16-128:uniform"),
        planned("--rate", "40/s", "--seq-lens", "16"),
        planned("--rate", "68/s", "--p99", "40ms", "--seq-lens", "128", "--instances", "1", code=1),
    ])


@pytest.mark.model
def test_a_noise_scale(cli, models):
    path, inputs = models["mlp"]
    model = ["-m", path, *inputs]
    cli.run("profile", *model, "--mode", "train", "-b", "2,8", "--blocks", "2", "--iterations", "2", "--warmup", "1",
            "--threads", "1", "-q", "-o", "run.jsonl")
    asked = ["noise-scale", *model, "-b", "2", "--accumulation", "4", "--steps", "12", "--threads", "1", "--format", "json"]
    check("noise-scale", [json.loads(cli.run(*asked, *more).stdout) for more in ([], ["--run", "run.jsonl"])])


def test_versions_baselines_and_a_trend(cli):
    law = "synthetic:affine:2ms,10ms;process_sd=0.004;visit_sd=0.004"
    noisy = law.replace("0.004", "0.06")
    twins = [(law, law.replace("2ms,", "2.2ms,").replace("10ms", "11ms")), (noisy, noisy.replace("2ms,", "2.0ms,"))]
    reported = []
    for old, new in twins:
        done = cli.run("compare", old, new, "-b", "4", "--blocks", "12", "--seed", "3", "--overwrite", "-q", "--format",
                       "json", check=None)
        reported.append(json.loads(done.stdout))
    assert [document["verdict"] for document in reported] == ["slower", "cannot-tell"]
    check("compare", reported)

    def history(name, laws):
        """Run files of these laws, a day each, all of one model's name."""
        files = [f"{name}{i}.jsonl" for i in range(len(laws))]
        for i, (file, each) in enumerate(zip(files, laws)):
            cli.run("profile", "-m", each, "-b", "4", "--blocks", "2", "--seed", i + 1, "-q", "-o", file)
            path = cli.folder / file
            header, rest = path.read_text().split("\n", 1)
            header = json.loads(header) | {"created": f"2026-01-{i + 1:02}T00:00:00Z"}
            path.write_text(json.dumps(header) + "\n" + rest.replace(header["models"][0]["name"], "m"))
        return files

    runs = history("", [law + ";run_sd=0"] * 6 + [law.replace("2ms,10ms", "4ms,20ms") + ";run_sd=0.0"] * 6)
    rising = history("rising", [law.replace("2ms,10ms", f"{2 + 0.02 * i:.2f}ms,{10 + 0.1 * i:.1f}ms") for i in range(16)])
    other = cli.folder / "other.jsonl"
    header, rest = (cli.folder / "0.jsonl").read_text().split("\n", 1)
    header = json.loads(header)
    header["machine"]["cpu"] = "another"
    other.write_text(json.dumps(header) + "\n" + rest)
    check("trend", [json.loads(cli.run("trend", *names, "--format", "json").stdout)
                                for names in (runs, [*runs, "other.jsonl"], rising)])

    cli.run("baseline", "save", "main", *runs, "--commit", "abc")
    check("baselines", [json.loads(cli.run("baseline", "list", "--format", "json").stdout)])
