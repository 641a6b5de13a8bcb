"""Commands of the pages for users: the program takes each, and what stands below one with `$` before it is what it prints.

`BATCHSCOPE_UPDATE_APPROVED=1 pytest tests/e2e/program/test_guide.py` writes anew what pages quote."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT
from verbs import VERBS

sys.path.append(str(ROOT / "tests/e2e/traces"))
from kineto import loader_bound  # noqa: E402

GUIDE = [ROOT / "README.md", ROOT / "docs/README.md", *sorted((ROOT / "docs/guide").rglob("*.md"))]
PAGES = [*GUIDE, *sorted((ROOT / "docs/reference").glob("*.md"))]
NO_SHELL = {"python", "cpp", "cmake", "csv", "json"}
UNKNOWN = "--no-such-flag"
# Without a plugin nothing real can be measured: these say what is wrong with their flags, or end for want of a model or a file.
END_AT_ONCE = {"profile", "tune", "compare", "noise-scale", "analyze", "report", "trace", "plan", "import", "trend"}


def test_the_guide_stays_short():
    """What is reference by nature belongs into docs/reference, or into the help of the program."""
    words = {page: len(page.read_text().split()) for page in GUIDE[2:] if page.name != "screens.md"}
    assert sum(words.values()) <= 10_300, words


def blocks(text, wanted):
    return [block for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if wanted(language)]


def indented(text):
    return re.findall(r"^ {4,}.*batchscope .*$", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)


def words_of(line):
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:  # a line of output, with an apostrophe
        return []


def commands_in(line):
    found, command = [], None
    for word in words_of(line):
        if word == "batchscope" or word.endswith("/batchscope"):
            command = []
            found.append(command)
        elif set(word) <= set("|&;>"):
            command = None
        elif command is not None:
            command.append(word)
    return found


def commands(text):
    """All calls of the program, without its name."""
    shells = blocks(text, lambda language: language not in NO_SHELL) + indented(text)
    lines = "\n".join(shells).replace("\\\n", " ").splitlines()
    return [command for line in lines for command in commands_in(line.removeprefix("$ "))]


def without_plugins(program, folder):
    return shutil.copy(program, folder / "batchscope")


def problem(cli, command):
    """What the program does not take of a command, or nothing."""
    verb = command[0]
    if verb in ("help", "completion") or verb.startswith("-"):
        done = cli.run(*command, check=None)
        return done.returncode and done.stderr
    end = command.index("--") if "--" in command else len(command)
    done = cli.run(*command[:end], UNKNOWN, *command[end:], check=None)
    if f"'{UNKNOWN}' is not a flag" not in done.stderr:
        return done.stderr
    if verb not in END_AT_ONCE or "--resume" in command or "--on-existing" in command:
        return ""
    done = cli.run(*command, check=None)
    return done.stderr if done.returncode == 2 else ""


# What the screens quote is run below; a heading of theirs reads like a command.
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "screens.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_the_program_takes_every_command(page, cli):
    cli.program = without_plugins(cli.program, cli.folder)
    failed = {shlex.join(command): why for command in commands(page.read_text()) if (why := problem(cli, command))}
    assert not failed


# Of nsys and ncu.
FOREIGN = {"--nvtx-push-pop-scope"}


@pytest.fixture(scope="module")
def flags(program):
    """{verb: its flags}"""
    shown = {verb: subprocess.run([program, *verb.split(), "--help-all"], capture_output=True, text=True, check=False).stdout for verb in (*VERBS, "trace", "monitor")}
    return {verb: set(re.findall(r"--[a-z][a-z0-9-]*", text)) for verb, text in shown.items()}


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: str(page.relative_to(ROOT)))
def test_flags_within_sentences_are_there(page, flags):
    """`--flag` of any verb, `VERB --flag` of that one."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    for quoted in re.findall(r"`([^`]+)`", text):
        verb = quoted.removeprefix("batchscope ").split()[0]
        there = flags.get(verb, set().union(*flags.values()) if verb.startswith("--") else None)
        if there is not None:
            assert set(re.findall(r"(?<!\S)--[a-z][a-z0-9-]*", quoted)) <= there | FOREIGN, quoted


def test_a_flag_and_a_value_that_do_not_exist_are_found(cli):
    cli.program = without_plugins(cli.program, cli.folder)
    page = "```\n$ batchscope profile -m x.pt \\\n  --nothing 3 && batchscope help nothing\n```\n\n    batchscope plan run.jsonl --rate fast\n"
    found = commands(page)
    assert found == [["profile", "-m", "x.pt", "--nothing", "3"], ["help", "nothing"], ["plan", "run.jsonl", "--rate", "fast"]]
    assert all(problem(cli, command) for command in found)
    assert not problem(cli, ["profile", "-m", "x.pt", "-b", "1-8"])


def inputs(page, folder):
    """The files that quoted commands read: the page's own table, recorded runs, a small trace, and a log of which every eighth step
    is long."""
    for run in (ROOT / "tests/fixtures/runs").rglob("*.jsonl"):
        if run.name in page:
            shutil.copy(run, folder)
    for table in blocks(page, lambda language: language == "csv")[:1]:
        (folder / "table.csv").write_text(table)
    loader_bound().write(folder / "trace.json.gz")
    log = (f"iter {step}: loss 3.5000, time {2000 if step % 8 == 0 else 125}.00ms, mfu 12.34%\n" for step in range(400))
    (folder / "train.log").write_text("".join(log))


def printed(cli, block):
    """The block with what its commands print now; only below the last one, as pages have it. `...` at its end stands for more."""
    shown = [line for line in block.splitlines() if line.startswith("$ ")]
    for line in shown:
        for command in commands_in(line.removeprefix("$ ")):
            done = cli.run(*command, check=None)
            output = done.stdout or done.stderr
    now = "\n".join(shown) + "\n" + output.strip("\n") + "\n"
    return "".join(now.splitlines(keepends=True)[:block.count("\n") - 1]) + "...\n" if block.endswith("\n...\n") else now


def timeless(text):
    """A log without the time of day is judged as one that ends now."""
    return re.sub(r"(\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\dZ?", "TIME", text)


QUOTING = [page for page in PAGES if blocks(page.read_text(), "console".__eq__)]


@pytest.mark.parametrize("page", QUOTING, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_is_quoted_is_what_the_program_prints(page, cli):
    text = page.read_text()
    inputs(text, cli.folder)
    for block in blocks(text, "console".__eq__):
        now = printed(cli, block)
        if "BATCHSCOPE_UPDATE_APPROVED" in os.environ:
            text = text.replace(f"```console\n{block}```", f"```console\n{now}```")
            page.write_text(text)
        else:
            assert timeless(block) == timeless(now)


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_on_the_pages_can_be_read_and_names_what_there_is(page):
    module = (ROOT / "python/batchscope/__init__.py").read_text()
    there = set(re.findall(r'"(\w+)"', module[module.index("_PLACES"):]))
    for block in blocks(page.read_text(), "python".__eq__):
        ast.parse(block)
        assert set(re.findall(r"\bbs\.(\w+)", block)) <= there


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_verbs_of_dev_are_there(page):
    there = set(re.findall(r"[\w-]+", re.search(r"^case \$verb in\n(.*?)^esac", (ROOT / "dev").read_text(), re.DOTALL | re.MULTILINE)[1]))
    assert set(re.findall(r"\./dev ([\w-]+)", page.read_text())) <= there
