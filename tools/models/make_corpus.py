#!/usr/bin/env python3
"""Writes a corpus of texts, one a line, for profiling what turns texts into vectors.

usage: make_corpus.py [--lines N] [--seed N] > data/texts/mixed.txt

Lengths follow a lognormal law, median 40 and spread 0.9, from 1 to 600 word pieces (of an English
vocabulary, estimated, not counted). Seven lines of ten are English, two have another language of
words with accents or another script, one is mixed; some have emoji and what else texts have between
their words. The same arguments give the same bytes with any Python 3.
"""

import argparse
import math
import random
import statistics
import sys

from words import EMOJI, ENGLISH, LANGUAGES, ODDITIES, SMALL, TECHNICAL

MEDIAN, SPREAD, SHORTEST, LONGEST = 40, 0.9, 1, 590

# Draws by random() alone: of all methods only its sequence is the same in every version.
class Draw:
    def __init__(self, seed):
        self._random = random.Random(seed).random

    def share(self):
        return self._random()

    def one_of(self, items):
        return items[int(self._random() * len(items))]


def pieces_in(word):
    """About how many pieces an English vocabulary cuts a word into: foreign letters stand alone."""
    if word.isascii():
        return max(1, math.ceil(len(word) / 7)) + sum(not c.isalnum() for c in word)
    return max(1, math.ceil(0.85 * len(word)) if any(ord(c) > 0x250 for c in word) else math.ceil(len(word) / 3))


def length_of(draw):
    """A draw of the lognormal law between its bounds."""
    law = statistics.NormalDist(math.log(MEDIAN), SPREAD)
    low, high = law.cdf(math.log(SHORTEST)), law.cdf(math.log(LONGEST))
    return round(math.exp(law.inv_cdf(low + (high - low) * draw.share())))


def english(draw):
    share = draw.share()
    if share < 0.42:
        return draw.one_of(SMALL)
    return draw.one_of(TECHNICAL if share > 0.985 else ENGLISH)


def kind_of_line(draw):
    """A function that draws the line's words."""
    share = draw.share()
    if share < 0.7:
        return english
    words = LANGUAGES[draw.one_of(list(LANGUAGES))]
    if share < 0.9:
        return lambda draw: draw.one_of(words)
    return lambda draw: english(draw) if draw.share() < 0.5 else draw.one_of(words)


def sentence_end(draw):
    share = draw.share()
    return "." if share < 0.8 else "?" if share < 0.9 else "!" if share < 0.97 else ":"


def line(draw):
    wanted, word_of, emoji = length_of(draw), kind_of_line(draw), draw.share() < 0.1
    words, pieces, left = [], 0, 0
    while pieces < wanted:
        share = draw.share()
        word = draw.one_of(ODDITIES) if share < 0.02 else draw.one_of(EMOJI) if emoji and share < 0.1 else word_of(draw)
        if left == 0:
            left = 4 + int(draw.share() * 18)
            word = word[:1].upper() + word[1:] if word.isascii() else word
        left -= 1
        pieces += pieces_in(word)
        if left == 0 and pieces < wanted:
            word, pieces = word + sentence_end(draw), pieces + 1
        elif draw.share() < 0.06:
            word, pieces = word + ",", pieces + 1
        words.append(word)
    text = " ".join(words).rstrip(",")
    return text + sentence_end(draw) if wanted > 8 else text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--lines", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = Draw(options.seed)
    text = "".join(line(draw) + "\n" for _ in range(options.lines))
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main()
