"""The verbs of the program and their flags, as its help has them."""

import re

# Those of a group are called by two words.
VERBS = ("profile", "analyze", "compare", "baseline save", "baseline list", "baseline compare", "trend", "tune", "report", "plan",
         "noise-scale", "block", "merge", "import", "doctor", "embed", "completion")


def flags_of(cli, verb):
    """The long names of its flags, as its help has them."""
    return re.findall(r"^  (?:-\w, |    )(--[\w-]+)", cli.run(*verb.split(), "--help-all").stdout, re.MULTILINE)
