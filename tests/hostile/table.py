"""The table of kinds, tries and exit codes, and the page that holds it."""

import collections
import re

from . import kinds

_CODES = [0, 1, 2, 3, 4, 5, 6, 130]


def _row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def _counts(tally):
    named = [tally.codes.get(code, 0) for code in _CODES]
    killed = sum(count for code, count in tally.codes.items() if isinstance(code, int) and code < 0)
    other = sum(tally.codes.values()) - sum(named) - killed
    return [*named, killed, other]


def written(tallies, bad, seed):
    """Markdown: a row a kind; a try may run two commands, so that codes are more than tries."""
    rows = [_row(["kind", "tries", *[f"exit {code}" for code in _CODES], "killed by signal", "other end", "tries with a violation"])]
    rows.append("|---|" + "---|" * (len(_CODES) + 4))
    total = collections.Counter()
    for kind in kinds.MAKERS:
        if kind not in tallies:
            continue
        tally = tallies[kind]
        cells = [tally.tries, *_counts(tally), tally.violations]
        total.update(dict(enumerate(cells)))
        rows.append(_row([kind, *cells]))
    rows.append(_row(["all", *[total[i] for i in range(len(_CODES) + 4)]]))
    kinds_of = collections.Counter(re.sub(r"[\d'\"].*", "...", what) for result in bad for what, _ in result.violations[:1])
    seen = [f"- {count} x {what}" for what, count in kinds_of.most_common()]
    return "\n".join([*rows, "", f"Seed {seed}. " + ("Violations:" if seen else "No violation."), *([""] if seen else []), *seen])


def put(page, text, name="table"):
    """Replaces the table of that name in `page`; its markers stand there already."""
    begin, end = f"<!-- {name}: begins -->\n", f"<!-- {name}: ends -->\n"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + "\n" + text + "\n\n" + end + rest.split(end)[1])
