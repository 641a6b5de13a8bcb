"""What must hold for every try, whatever it was."""

import csv
import io
import json
import re
import signal
import xml.etree.ElementTree as ElementTree

from . import names
from .tries import CODES, as_bytes

_SANITIZER = re.compile(rb"AddressSanitizer|UndefinedBehavior|ThreadSanitizer|LeakSanitizer|MemorySanitizer|: runtime error: ")
_CRASH = re.compile(rb"terminate called|Assertion .* failed|pure virtual|stack smashing|double free|corrupted size|free\(\): ")
# What OpenVINO's libraries log by themselves while they look for a format. It is not the program that says it, but it
# reaches the terminal: models are to be looked at in a worker whose standard error is read.
_FOREIGN_LOG = re.compile(rb"^[EWI]\d{4} \d\d:\d\d:\d[^\n]*\n", re.MULTILINE)
# C0 but newline and tab, DEL, C1; and bytes that are no UTF-8, which other encodings take for C1.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_FORMULA = re.compile(r"^[=+\-@\t\r]")
_NUMBER = re.compile(r"^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|inf|nan)$")


def _end(one, outcome):
    code, sent = outcome.code, one.interruption.signal if one.interruption and outcome.signal_sent else None
    if code is None:
        yield "does not end"
    elif code < 0 and (sent is None or -code != sent):
        yield f"ended by {signal.Signals(-code).name}"
    elif code > 128 and code != 130 and one.closing:
        yield f"ended by signal {code - 128}"
    elif code >= 0 and code not in CODES and not (code == 130 and sent in (signal.SIGINT, signal.SIGTERM)):
        yield f"exit code {code} is not documented"
    if code in (1, 2, 3) and not one.printed_nowhere and not outcome.stderr.strip():
        yield f"exit code {code} and nothing on standard error"


def _printed(outcome):
    for name, text in (("standard output", outcome.stdout), ("standard error", outcome.stderr)):
        if _SANITIZER.search(text):
            yield "a sanitizer's report"
        if _CRASH.search(text):
            yield "the runtime library's last words"
        yield from (f"{what} on {name}" for what in control_characters(_FOREIGN_LOG.sub(b"", text)))


def control_characters(data):
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        yield f"bytes that are no UTF-8 ({data[error.start]:#04x})"
        text = data.decode(errors="ignore")
    found = _CONTROL.search(text)
    if found:
        yield f"control character {ord(found.group()):#04x}"


def _refuse_constant(word):
    raise ValueError(f"{word} is no JSON")


def json_problem(data):
    try:
        json.loads(data.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        return str(error)[:80]
    return None


def _format(one):
    words = [as_bytes(word) for word in one.arguments]
    found = [words[i + 1] for i, word in enumerate(words[:-1]) if word == b"--format"]
    found += [word.partition(b"=")[2] for word in words if word.startswith(b"--format=")]
    return found[-1] if found else None


def _formulas(data):
    text = data.decode(errors="replace")
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            if _FORMULA.match(cell) and not _NUMBER.match(cell):
                yield f"a formula in a CSV cell: {cell[:30]!r}"
                return


def _html(data):
    text = data.decode(errors="replace")
    if re.search(r"</script>\s*<script>alert\('" + names.MARK, text):
        yield "a script of the input in the HTML"
    outside = re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)
    if re.search(r"<(script|img|svg)[^>]*(>alert\(|alert\()'" + names.MARK, outside):
        yield "markup of the input in the HTML"


def _markdown(data):
    if re.search(r"(?<!`)<(script|img|svg)[^>`]*alert\(|<script>alert\('" + names.MARK, html_free_of_code(data.decode(errors="replace"))):
        yield "markup of the input in the Markdown"


def html_free_of_code(text):
    """Markdown without its code blocks and code spans, in which markup is only text."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(`+)[^`].*?\1", "", text)


def _svg(data):
    try:
        ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        yield f"an SVG that is no XML: {error}"


def _lines(data):
    for line in data.split(b"\n")[:-1]:
        problem = json_problem(line)
        if problem:
            yield f"a written line that is no JSON: {problem}"
            return


def _json(data):
    problem = json_problem(data)
    if problem:
        yield f"invalid JSON: {problem}"


WRITTEN = {b".csv": [_formulas, control_characters], b".html": [_html], b".md": [_markdown, control_characters], b".svg": [_svg],
           b".jsonl": [_lines], b".json": [_json], b".txt": [control_characters]}


def written(name, data):
    """Violations of a file that a try wrote."""
    ending = name[name.rfind(b"."):] if b"." in name else b""
    for check in WRITTEN.get(ending, []):
        yield from (f"{what} in what was written" for what in check(data))


def judge(one, outcome):
    """Violations of how the command ended and what it said."""
    yield from _end(one, outcome)
    yield from _printed(outcome)
    form = _format(one)
    if outcome.code in (0, 4, 5) and outcome.stdout and form == b"json":
        yield from (f"{what} on standard output" for what in _json(outcome.stdout))
    if outcome.code in (0, 4, 5) and form == b"csv":
        yield from _formulas(outcome.stdout)
