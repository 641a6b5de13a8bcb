"""The README's example says what the program prints."""

import re
import shlex

from conftest import ROOT

README = (ROOT / "README.md").read_text()


def test_the_example_can_be_repeated_to_the_digit(cli):
    commands, shown = re.findall(r"^```\n(batchscope profile -m \"synthetic.*?)```\n\n```\n(.*?)```", README,
                                 re.DOTALL | re.MULTILINE)[0]
    for line in commands.splitlines():
        text = cli.run(*shlex.split(line)[1:]).stdout
    assert shown in text
