"""same_answers.py sees what two programs say differently, and with --numbers only ids and numbers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "same_answers.py"
SAYS = {"finding": "queueing", "share": 0.25, "text": "The GPU waits."}


@pytest.fixture
def folder(tmp_path):
    """One file of each kind, and one of none."""
    (tmp_path / "all/steps").mkdir(parents=True)
    for name in ("run.jsonl", "trace.json.gz", "steps/log", "table.csv", "README.md"):
        (tmp_path / "all" / name).touch()
    return tmp_path / "all"


@pytest.fixture
def program(tmp_path):
    """A function that writes a program which says this of every file, and writes the same as a page."""

    def write(name, says):
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\nimport sys\nsays = {json.dumps(says)!r}\nprint(says)\n"
                        "if '-o' in sys.argv: open(sys.argv[sys.argv.index('-o') + 1], 'w').write(says)\n")
        path.chmod(0o755)
        return path

    return write


def differing(*arguments):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)
    differ = int(done.stdout.splitlines()[-1].split(": ")[1].split()[0])
    assert done.returncode == (differ > 0)
    return differ


FULL, IN_NUMBERS = 10 + 4 + 4 + 2, 3 + 1 + 1  # commands


@pytest.mark.parametrize(("change", "full", "in_numbers"), [
    ({}, 0, 0), ({"text": "The GPU idles."}, FULL, 0), ({"finding": "hidden"}, FULL, IN_NUMBERS),
    ({"share": 0.26}, FULL, IN_NUMBERS)])
def test_what_differs_is_found(program, folder, change, full, in_numbers):
    old, new = program("old", SAYS), program("new", SAYS | change)
    assert differing(old, new, folder) == full
    assert differing(old, new, folder, "--numbers") == in_numbers
