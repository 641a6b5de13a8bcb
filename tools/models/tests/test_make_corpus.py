"""The corpus in data/texts is what its script makes, and is as varied as it says."""

import pathlib
import statistics
import subprocess
import sys
import unicodedata

SCRIPT = pathlib.Path(__file__).parents[1] / "make_corpus.py"
CORPUS = pathlib.Path(__file__).parents[3] / "data/texts/mixed.txt"


def made(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, check=True).stdout


def lines():
    return CORPUS.read_text(encoding="utf-8").splitlines()


def test_the_script_makes_the_file_byte_by_byte():
    assert made() == CORPUS.read_bytes()


def test_the_seed_is_taken():
    assert made("--lines", "5", "--seed", "2") != made("--lines", "5")


def test_lengths_follow_the_law_as_far_as_words_can_tell():
    words = [len(line.split()) for line in lines()]
    assert len(words) == 4000 and min(words) == 1
    assert 20 < statistics.median(words) < 40
    assert max(words) > 10 * statistics.median(words)
    assert CORPUS.stat().st_size < 1_500_000


def test_there_is_more_than_one_script_and_emoji():
    text = "".join(lines())
    scripts = {unicodedata.name(sign, "?").split()[0] for sign in set(text) if sign.isalpha()}
    assert {"LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "CJK", "HIRAGANA", "HANGUL", "THAI"} <= scripts
    assert "😀" in text and "é" in text and "👩‍💻" in text
