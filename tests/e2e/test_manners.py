"""How the program behaves at a shell: help, completion, the man page, pipes that nobody reads on, colours."""

import json
import os
import pty
import re
import select
import shutil
import subprocess

import pytest

LAW = "synthetic:affine:2ms,1ms"
NOISY = "synthetic:affine:2ms,1ms;visit_sd=0.2"
VERBS = ("profile", "analyze", "tune", "report", "plan", "noise-scale", "import", "doctor", "embed", "completion", "man")


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


@pytest.fixture
def run_file(cli):
    cli.run("profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    return "run.jsonl"


# Help


def test_the_help_of_a_verb_is_found_in_two_ways(cli):
    listed = cli.run("help").stdout
    for verb in VERBS:
        assert re.search(rf"^  {verb} ", listed, re.MULTILINE)
        assert cli.run("help", verb).stdout == cli.run(verb, "--help").stdout


def test_the_usual_flags_come_first(cli):
    text = cli.run("help", "profile").stdout
    headings = re.findall(r"^(\w[\w ,]+):$", text, re.MULTILINE)
    assert headings[0] == "Usual flags" and headings[-1] == "Other flags" and len(headings) > 5
    assert text.index("--batch-sizes SIZES") < text.index("--optimizer")
    assert all(len(line) <= 100 for line in text.splitlines())


# Messages about what was typed


@pytest.mark.parametrize("arguments, words", [
    (["profle"], "did you mean profile?"),
    (["help", "anlyze"], "did you mean analyze?"),
    (["profile", "-m", LAW, "--batchsizes", "1"], "did you mean --batch-sizes?"),
    (["profile", "-m", LAW, "--isolation", "blok"], "did you mean block?"),
    (["profile", "-m", LAW, "--precision", "fp23"], "did you mean fp32?"),
    (["profile", "-m", LAW, "--blocks", "many"], "a whole number from 1 to 100000"),
    (["profile", "-m", LAW, "--blocks"], "--blocks: needs a value"),
    (["profile", "-m", LAW, "--blocks", "2", "--blocks", "3"], "--blocks: is given 2 times (give it once)"),
    (["profile", "-m", LAW, "--only", "memory"], "add --diagnose, or leave it out"),
    (["embed", "--texts", "a.txt"], "--model: is missing (add --model MODEL;"),
    (["doctor", "now"], "'now' belongs to no flag"),
    (["completion", "tcsh"], "choose one of bash, zsh, fish"),
])
def test_a_message_says_how_to_mend_it(cli, arguments, words):
    said = cli.run(*arguments, check=2).stderr
    assert words in said and len(said.splitlines()) == 1


@pytest.mark.model
def test_a_model_that_is_misspelt_is_recognised(cli):
    said = cli.run("profile", "-m", "distilbret", "-b", "1", check=2).stderr
    assert "did you mean distilbert?" in said


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
    assert set(completed(cli, "batchscope", "")) >= {*VERBS, "help", "--version"}
    assert completed(cli, "batchscope", "help", "doc") == ["doctor"]
    assert completed(cli, "batchscope", "profile", "--batch") == ["--batch-sizes"]
    assert completed(cli, "batchscope", "completion", "z") == ["zsh"]


def test_bash_completes_every_flag_of_every_verb(cli):
    for verb in VERBS:
        flags = re.findall(r"^  (?:-\w, |    )(--[\w-]+)", cli.run("help", verb).stdout, re.MULTILINE)
        assert flags and set(completed(cli, "batchscope", verb, "--")) >= set(flags)


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
    load = "fpath=(. $fpath); autoload -Uz compinit && compinit -D -u && autoload -Uz +X _batchscope && print ${_comps[batchscope]}"
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
    for verb in VERBS:
        for flag in re.findall(r"^  (?:-\w, |    )(--[\w-]+)", cli.run("help", verb).stdout, re.MULTILINE):
            assert flag in page
    assert page.startswith(".TH BATCHSCOPE 1 ")


# A reader that goes away


def to_nobody(cli, *arguments):
    """Exit code and messages of a call whose output nobody reads."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run([str(cli.program), *arguments], stdout=write, stderr=subprocess.PIPE, text=True, cwd=cli.folder,
                              timeout=300, check=False)
    finally:
        os.close(write)
    return done.returncode, done.stderr


def test_every_verb_is_silent_where_nobody_reads(cli, run_file):
    (cli.folder / "t.csv").write_text("batch,latency_ms\n1,2\n2,3\n")
    calls = [["--help"], ["--version"], *(["help", verb] for verb in VERBS), ["completion", "bash"], ["man"],
             ["analyze", run_file, "-q"], ["analyze", run_file, "-q", "--format", "json"], ["doctor"],
             ["plan", run_file, "--rate", "10/s", "-q"], ["tune", "--replay", "t.csv", "-q"],
             ["profile", "-m", LAW, "-b", "1", "--dry-run"]]
    for arguments in calls:
        code, said = to_nobody(cli, *arguments)
        assert code == 141 and "error" not in said and "standard output" not in said, arguments


def test_head_gets_its_lines_and_nothing_is_said(cli, run_file):
    done = subprocess.run(["bash", "-c", f"{cli.program} man | head -n 1; echo ${{PIPESTATUS[0]}}"], capture_output=True,
                          text=True, cwd=cli.folder, timeout=60, check=True)
    assert done.stdout.startswith(".TH BATCHSCOPE") and done.stderr == ""
    assert done.stdout.splitlines()[1] in ("0", "141"), "0 where all of it went into the pipe first"


def test_a_run_is_whole_where_nobody_reads(cli):
    code, said = to_nobody(cli, "profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "-o", "alone.jsonl")
    assert code == 141 and "error" not in said
    lines = [json.loads(line) for line in (cli.folder / "alone.jsonl").read_text().splitlines()]
    assert sum(line["type"] == "visit" for line in lines) == 12 and lines[-1]["type"] == "end"
    both = subprocess.run(["bash", "-c", f"{cli.program} profile -m '{LAW}' -b 1,2 --blocks 6 -o both.jsonl 2>&1 | true"],
                          cwd=cli.folder, timeout=300, check=True)
    assert both.returncode == 0
    assert json.loads((cli.folder / "both.jsonl").read_text().splitlines()[-1])["type"] == "end"


def test_a_gate_answers_all_the_same(cli):
    cli.run("profile", "-m", LAW + ";anomaly=4:1.5", "-b", "1-8", "--blocks", "12", "-o", "odd.jsonl")
    assert to_nobody(cli, "analyze", "odd.jsonl", "-q", "--fail-on", "high")[0] in (5,)


# Colours


def at_terminal(cli, *arguments, **variables):
    """What a call writes to a terminal."""
    master, slave = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")} | {"TERM": "xterm"} | variables
    with subprocess.Popen([str(cli.program), *arguments], stdin=slave, stdout=slave, stderr=slave, cwd=cli.folder, env=env) as process:
        os.close(slave)
        text = b""
        while select.select([master], [], [], 60)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:  # the terminal is closed
                break
            if not part:
                break
            text += part
        process.wait(60)
    os.close(master)
    return text.decode()


def test_colours_stand_where_a_terminal_wants_them(cli, run_file):
    calls = (["help", "profile"], ["analyze", run_file], ["profle"])
    for arguments in calls:
        assert "\x1b[" in at_terminal(cli, *arguments)
        assert "\x1b[" not in at_terminal(cli, *arguments, NO_COLOR="1")
        assert "\x1b[" not in at_terminal(cli, *arguments, TERM="dumb")
        assert "\x1b[" not in cli.run(*arguments, check=None).stdout


def test_a_dumb_terminal_gets_whole_lines(cli):
    arguments = ("profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "--overwrite", "-o", "run.jsonl")
    assert "\r\x1b[K" in at_terminal(cli, *arguments)
    said = at_terminal(cli, *arguments, TERM="dumb")
    assert "\x1b" not in said and "block 6/6" in said


# What a run says of itself before and while it measures


def test_a_target_out_of_reach_is_told_at_once(cli):
    done = cli.run("profile", "-m", NOISY, "-b", "1,2,4", "--target", "0.1%", "--seed", "3", "-o", "run.jsonl", "--format", "json")
    lines = done.stderr.splitlines()
    told = next(index for index, line in enumerate(lines) if "out of reach" in line)
    assert "12 blocks give ±" in lines[told] and "not ±0.1 %" in lines[told] and "--target" in lines[told]
    assert any(line.startswith("block 4/") for line in lines[told:]), "while the run goes on"
    assert any("out of reach" in warning for warning in json.loads(done.stdout)["warnings"])
    events = [json.loads(line) for line in (cli.folder / "run.jsonl").read_text().splitlines() if '"event"' in line]
    assert any("out of reach" in event.get("what", event.get("message", "")) for event in events)


def test_virtual_time_needs_no_quiet_machine(cli):
    done = cli.run("profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "--wait-for-quiet", "60s", "-o", "run.jsonl")
    assert "machine" not in done.stderr
    assert "--wait-for-quiet" in cli.run("profile", "-m", LAW, "--wait-for-quiet", "long", check=2).stderr


@pytest.mark.model
@pytest.mark.parametrize("verb", ["profile", "tune"])
def test_a_run_says_first_how_the_machine_is(cli, verb):
    more = ["--blocks", "1"] if verb == "profile" else ["--points", "1", "--verify-blocks", "0", "--instances", "1"]
    done = cli.run(verb, "-m", "mlp", "-b", "1", "--iterations", "3", "--threads", "1", *more, "-o", "run.jsonl", check=None)
    first = done.stderr.splitlines()[0]
    assert re.match(r"(warning: )?machine: (quiet|not quiet: )", first)
    events = [line for line in (cli.folder / "run.jsonl").read_text().splitlines() if '"before the first visit' in line]
    assert len(events) == ("not quiet" in first)
