"""Puts a part of a generated page in the place of the one that stands there.

usage: put_part.py PAGE PART < TEXT

A part begins with the line <!-- part: NAME --> and ends where the next begins; a new one goes to the end.
"""

import re
import sys
from pathlib import Path


def put(page, name, text):
    marker = f"<!-- part: {name} -->\n"
    part = f"{marker}{text.strip()}\n"
    pieces = re.split(r"^(?=<!-- part: )", page, flags=re.MULTILINE)
    kept = [piece.strip("\n") + "\n" for piece in pieces if piece.strip()]
    at = next((i for i, piece in enumerate(kept) if piece.startswith(marker)), len(kept))
    kept[at:at + 1] = [part]
    return "\n".join(kept)


def main():
    page, name = Path(sys.argv[1]), sys.argv[2]
    text = sys.stdin.read()
    if not text.strip():
        sys.exit(f"{name}: nothing to put into {page}; it stays as it is")
    page.write_text(put(page.read_text() if page.exists() else "", name, text))


if __name__ == "__main__":
    main()
