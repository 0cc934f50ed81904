"""Whether a message is a mere mood or remark, of which nothing is left when it was answered: "god it's freezing"."""

from __future__ import annotations

import re

from nebo.reading.meaning.kinds import KINDS
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Reading, Sentence

LIKELY = 0.5  # chance of passing from which it passes
DOUBT = 0.3  # chance of anything else up to which it does
NOTHING = 0.05  # chance of being anything, and of being worth keeping, below which a sentence says nothing
LEAST_WORDS = 2  # one is an answer, as a rule
TELLING = tuple(kind for kind in KINDS if kind not in ("passing", "joking"))
_FIGURE = re.compile(r"\d")


def is_small_talk(reading: Reading) -> bool:
    """Of a message that was read whole; an answer of one word isn't."""
    return reading.complete and bool(reading.sentences) and all(map(_passes, reading.sentences))


def _passes(sentence: Sentence) -> bool:
    if len(sentence.text.split()) < LEAST_WORDS or _FIGURE.search(sentence.text):
        return False
    other = max(sentence.meaning.chances[kind] for kind in TELLING)
    return (sentence.meaning.chances["passing"] >= LIKELY and other <= DOUBT) or _says_nothing(
        sentence.meaning, other
    )


def _says_nothing(meaning: Meaning, other: float) -> bool:
    return other < NOTHING and meaning.worth["good"] < NOTHING
