"""What is made of the flags: completion for three shells, and the man page."""

import os
import re
import shutil
import subprocess

import pytest

from verbs import VERBS, flags_of


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


# Completion


def completed(cli, *words, path=None):
    """What bash offers for these words, the last of which is being typed."""
    (cli.folder / "script").write_text(cli.run("completion", "bash").stdout)
    driver = ('source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _batchscope batchscope "$2" "$1"; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    env = os.environ | {"PATH": f"{path or cli.program.parent}:{os.environ['PATH']}"}
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


@pytest.mark.parametrize("shell, first, group", [
    ("bash", "# Completion of batchscope for bash", "'baseline save')"),
    ("zsh", "#compdef batchscope\n", "'baseline:save, list, compare'"),
    ("fish", "# Completion of batchscope for fish", "__fish_seen_subcommand_from baseline; and __fish_seen_subcommand_from save"),
])
def test_a_script_holds_nothing_but_itself_and_knows_the_verbs_of_a_group(cli, shell, first, group):
    done = cli.run("completion", shell)
    assert done.stdout.startswith(first) and group in done.stdout and done.stderr == ""
    assert "Usage:" not in done.stdout


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
    (fake / "batchscope").write_text("#!/bin/sh\necho mlp\necho 'mean$(touch seen)'\n")
    (fake / "batchscope").chmod(0o755)
    assert completed(cli, "batchscope", "profile", "-m", "m", path=fake) == ["mlp", "mean$(touch seen)"]
    assert not (cli.folder / "seen").exists()


@pytest.mark.model
def test_models_are_listed_for_completion(cli):
    assert {"distilbert", "mlp"} <= set(cli.run("completion", "models").stdout.split())
    assert completed(cli, "batchscope", "profile", "-m", "distilb") == ["distilbert"]


@needs("zsh")
def test_zsh_loads_its_script(cli):
    (cli.folder / "_batchscope").write_text(cli.run("completion", "zsh").stdout)
    load = "fpath=($PWD $fpath); autoload -Uz compinit && compinit -D -u && autoload -Uz +X _batchscope && print ${_comps[batchscope]}"
    done = subprocess.run(["zsh", "-f", "-c", load], capture_output=True, text=True, cwd=cli.folder, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("_batchscope\n", "")


@needs("fish")
def test_fish_completes(cli):
    (cli.folder / "batchscope.fish").write_text(cli.run("completion", "fish").stdout)

    def offered(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source batchscope.fish; complete -C '{line}'"],
                              capture_output=True, text=True, cwd=cli.folder, timeout=60, check=True)
        return [each.split("\t")[0] for each in done.stdout.splitlines()]

    assert offered("batchscope pro") == ["profile"]
    assert "--batch-sizes" in offered("batchscope profile --batch")
    assert offered("batchscope profile --isolation ") == ["block", "config", "none"]
    assert offered("batchscope baseline sa") == ["save"]
    assert offered("batchscope baseline save --over") == ["--overwrite"]
    assert "--margin" in offered("batchscope baseline compare --mar")
    assert "--margin" in offered("batchscope compare --mar")


@needs("shellcheck")
def test_the_bash_script_is_sound(cli):
    (cli.folder / "script").write_text(cli.run("completion", "bash").stdout)
    done = subprocess.run(["shellcheck", "script"], capture_output=True, text=True, cwd=cli.folder, timeout=60, check=False)
    assert done.stdout == ""


# The man page


@needs("groff")
def test_the_man_page_is_set_without_a_warning(cli):
    page = cli.run("man").stdout
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-rLL=100n"], input=page, capture_output=True, text=True,
                          timeout=60, check=True, env=os.environ | {"GROFF_NO_SGR": "1"})
    assert done.stderr == ""
    text = re.sub(".\b", "", done.stdout)
    for verb in VERBS:
        assert f"BATCHSCOPE {verb.upper()}" in text
    for flag in ("--batch-sizes", "--wait-for-quiet", "--fail-on-regression"):
        assert flag in text
    for title in ("NAME", "SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES"):
        assert re.search(rf"^{title}$", text, re.MULTILINE)


@needs("mandoc")
def test_the_man_page_is_sound(cli):
    done = subprocess.run(["mandoc", "-Tlint", "-Werror"], input=cli.run("man").stdout, capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 0, done.stdout


def test_the_man_page_has_every_flag(cli):
    page = cli.run("man").stdout.replace("\\-", "-")
    assert page.startswith(".TH BATCHSCOPE 1 ")
    for verb in VERBS:
        own = page.split(f'.SH "BATCHSCOPE {verb.upper()}"')[1].split("\n.SH ")[0]
        assert not [flag for flag in flags_of(cli, verb) if flag not in own]
