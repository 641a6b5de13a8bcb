"""What a reader meets first fits a screen, in sentences that are read once; no message is a page."""

import json
import re
import sys

import pytest

from conftest import MOST_OF_A_MESSAGE, ROOT

sys.path.append(str(ROOT / "tools/lint"))
from check_words import sentences_of, words_of  # noqa: E402

# docs/guide/screens.md holds them; tests/e2e/program/test_guide.py compares it with what the program prints.
SCREENS = dict(re.findall(r"^```console\n(?:\$ .*\n)*\$ batchscope (.*)\n((?s:.*?))^```$",
                          (ROOT / "docs/guide/screens.md").read_text(), re.MULTILINE))
RUNS = sorted((ROOT / "tests/fixtures/runs").rglob("*.jsonl"))
# What comes behind the first screen: lists of findings, warnings, advice.
DETAILS = re.compile(r"^(- |What to change|Warnings|Settings)", re.MULTILINE)
MOST_LINES = 24
LINES_OF_ANSWER = 6
MOST_WORDS = 25


def answer_of(screen):
    """Its first lines as running text, without commands and tables."""
    lines = [line for line in screen.splitlines()[:LINES_OF_ANSWER] if not re.match(r" *batchscope | *─|.*\S {3,}\S", line)]
    return re.sub(r"\n {2}(?=\S)", " ", "\n".join(lines))


def test_there_is_a_screen_of_each_verb():
    assert {"analyze", "profile", "compare", "tune", "plan", "trace", "monitor", "import"} <= {each.split()[0] for each in SCREENS}


@pytest.mark.parametrize("command", SCREENS)
def test_a_first_screen_is_short_and_its_sentences_are(command):
    screen = SCREENS[command]
    assert len(DETAILS.split(screen)[0].splitlines()) <= MOST_LINES
    assert all(len(words_of(each)) <= MOST_WORDS for each in sentences_of(answer_of(screen)))
    assert all(len(line) <= MOST_OF_A_MESSAGE for line in screen.splitlines() if line.startswith(("error: ", "warning: ", "note: ")))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.stem)
def test_no_message_about_a_run_is_a_page(run, cli):
    done = cli.run("analyze", run, "--format", "json", check=None)
    if not done.stdout:
        return
    document = json.loads(done.stdout)
    texts = [*document.get("warnings", []), *document["answer"]["lines"]]
    texts += [each[name] for each in document.get("findings", []) for name in ("message", "fix") if name in each]
    assert max(map(len, texts)) <= MOST_OF_A_MESSAGE, max(texts, key=len)
