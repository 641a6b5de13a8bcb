"""Completion for three shells: scripts that ask the program."""

import os
import shutil
import subprocess

import pytest

from verbs import VERBS, flags_of


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


def on_path(folder):
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}


def completed(cli, *words, path=None):
    """What bash offers for these words, the last of which is being typed."""
    (cli.folder / "script").write_text(cli.run("completion", "bash").stdout)
    driver = ('source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _batchscope batchscope "$2" "$1"; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    env = on_path(path or cli.program.parent)
    done = subprocess.run(["bash", "--norc", "-c", driver, "bash", *words], capture_output=True, text=True, cwd=cli.folder,
                          env=env, timeout=60, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


def test_bash_completes_verbs_and_flags(cli):
    assert completed(cli, "batchscope", "pro") == ["profile"]
    assert set(completed(cli, "batchscope", "")) >= {*(verb.split()[0] for verb in VERBS), "help", "--version"}
    assert completed(cli, "batchscope", "help", "doc") == ["doctor"]
    assert completed(cli, "batchscope", "profile", "--batch") == ["--batch-sizes"]
    assert completed(cli, "batchscope", "completion", "z") == ["zsh"]


def test_bash_completes_every_flag_of_every_verb(cli):
    for verb in VERBS:
        flags = flags_of(cli, verb)
        assert flags and set(completed(cli, "batchscope", *verb.split(), "--")) >= set(flags)


def test_bash_completes_the_verbs_of_a_group(cli):
    assert completed(cli, "batchscope", "basel") == ["baseline"]
    assert completed(cli, "batchscope", "baseline", "") == ["save", "list", "compare", "--help"]
    assert completed(cli, "batchscope", "baseline", "save", "--over") == ["--overwrite"]
    assert completed(cli, "batchscope", "baseline", "compare", "--format", "") == ["text", "json", "md"]


def test_asking_a_verb_for_its_flags_prints_nothing_else(cli):
    for verb in VERBS:
        done = cli.run("complete", "bash", *verb.split(), "--")
        assert all(line.startswith("-") for line in done.stdout.splitlines()) and done.stderr == ""


def test_bash_completes_values(cli):
    assert completed(cli, "batchscope", "profile", "--isolation", "") == ["config", "block", "none"]
    assert completed(cli, "batchscope", "profile", "--isolation", "=", "b") == ["block"]
    assert completed(cli, "batchscope", "profile", "--precision", "fp32,b") == ["fp32,bf16"]
    assert completed(cli, "batchscope", "profile", "--budget", "") == [""], "a time has nothing to offer"


def test_bash_completes_files_and_folders(cli):
    (cli.folder / "my run.jsonl").write_text("")
    (cli.folder / "my folder").mkdir()
    assert set(completed(cli, "batchscope", "analyze", "my")) == {"my run.jsonl", "my folder"}
    assert completed(cli, "batchscope", "report", "--output", "my r") == ["my run.jsonl"]


def test_bash_completes_models_and_runs_no_name(cli):
    fake = cli.folder / "bin"
    fake.mkdir()
    (fake / "batchscope").write_text("#!/bin/sh\necho mlp\necho 'mean$(touch seen)'\necho FILE\n")
    (fake / "batchscope").chmod(0o755)
    assert completed(cli, "batchscope", "profile", "-m", "m", path=fake) == ["mlp", "mean$(touch seen)"]
    assert not (cli.folder / "seen").exists()


@pytest.mark.model
def test_models_are_listed_for_completion(cli):
    assert {"distilbert", "mlp"} <= set(completed(cli, "batchscope", "profile", "-m", ""))
    assert completed(cli, "batchscope", "profile", "-m", "distilb") == ["distilbert"]


@needs("zsh")
def test_zsh_loads_its_script(cli):
    (cli.folder / "_batchscope").write_text(cli.run("completion", "zsh").stdout)
    load = "fpath=($PWD $fpath); autoload -Uz compinit && compinit -D -u && autoload -Uz +X _batchscope && print ${_comps[batchscope]}"
    done = subprocess.run(["zsh", "-f", "-c", load], capture_output=True, text=True, cwd=cli.folder, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("_batchscope\n", "")


@needs("zsh")
def test_zsh_completes(cli):
    (cli.folder / "_batchscope").write_text(cli.run("completion", "zsh").stdout)
    # The functions of zsh's that offer words, which need a terminal, print them instead.
    driver = ("_describe() { print -rl -- ${(P)2} }; _files() { print files $1 }; compset() { true }; compdef() { true }; "
              '_call_program() { shift; eval "$@" }; source ./_batchscope; words=("$@"); CURRENT=$#; _batchscope')

    def offered(*words):
        done = subprocess.run(["zsh", "-f", "-c", driver, "zsh", "batchscope", *words], capture_output=True, text=True,
                              cwd=cli.folder, env=on_path(cli.program.parent), timeout=60, check=False)
        assert done.stderr == ""
        return [each.split(":")[0] for each in done.stdout.splitlines()]

    assert {"profile", "baseline", "help"} <= set(offered(""))
    assert "--batch-sizes" in offered("profile", "--batch")
    assert offered("profile", "--isolation", "") == ["config", "block", "none"]
    assert offered("baseline", "") == ["save", "list", "compare", "--help"]
    assert offered("report", "--output", "my\\ r") == ["files"]
    assert offered("profile", "--budget", "") == []


@needs("fish")
def test_fish_completes(cli):
    (cli.folder / "batchscope.fish").write_text(cli.run("completion", "fish").stdout)
    (cli.folder / "my run.jsonl").write_text("")

    def offered(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source batchscope.fish; complete -C '{line}'"],
                              capture_output=True, text=True, cwd=cli.folder, env=on_path(cli.program.parent), timeout=60, check=True)
        return [each.split("\t")[0] for each in done.stdout.splitlines()]

    assert offered("batchscope pro") == ["profile"]
    assert "--batch-sizes" in offered("batchscope profile --batch")
    assert offered("batchscope profile --isolation ") == ["block", "config", "none"]
    assert offered("batchscope profile --isolation=b") == ["--isolation=block"]
    assert offered("batchscope baseline sa") == ["save"]
    assert offered("batchscope baseline save --over") == ["--overwrite"]
    assert "--margin" in offered("batchscope baseline compare --mar")
    assert "--margin" in offered("batchscope compare --mar")
    assert offered("batchscope report --output my") == ["my run.jsonl"]
    assert offered("batchscope report --output=my") == ["--output=my run.jsonl"]
    assert offered("batchscope profile --budget ") == []


@needs("shellcheck")
def test_the_bash_script_is_sound(cli):
    (cli.folder / "script").write_text(cli.run("completion", "bash").stdout)
    done = subprocess.run(["shellcheck", "script"], capture_output=True, text=True, cwd=cli.folder, timeout=60, check=False)
    assert done.stdout == ""
