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
CALLED = 3  # words of a cry that names somebody
# A question that only asks the other on: "How did you get into it?", but not "Which bread needs no yeast?".
_OF_THE_OTHER = re.compile(
    r"\b(?:you|your|yours|huh|right|du|dir|dich|dein\w*|ihr|euch|eu(?:er|re)\w*|oder|tú|te|ti|tu|tus|vos"
    r"|vosotr[oa]s|toi|ton|ta|tes"
    r"|vous|votre|vos|tuo|tua|tuoi|voi)\b|\w+(?:aste|iste|áis|éis)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")


def is_small_talk(reading: Reading) -> bool:
    """Of a message that was read whole; an answer of one word isn't, nor is a mere question."""
    if not reading.complete or not reading.sentences:
        return False
    idle = [_passes(one) or _calls(one) for one in reading.sentences]
    others = [one for one, passes in zip(reading.sentences, idle, strict=True) if not passes]
    return any(map(_passes, reading.sentences)) and all(map(_asks_on, others))


def _calls(sentence: Sentence) -> bool:
    """Whether it says no more than whom it is said to: "Wow, Caroline!"."""
    return sentence.text.rstrip().endswith("!") and len(sentence.text.split()) <= CALLED


def _asks_on(sentence: Sentence) -> bool:
    """Whether it only asks the other on, behind a remark: "That's gorgeous! What gave you the idea?"."""
    chances, text = sentence.meaning.chances, sentence.text
    asks = chances["question"] >= LIKELY > chances["request"] and text.rstrip().endswith("?")
    return asks and not _FIGURE.search(text) and _OF_THE_OTHER.search(text) is not None


def _passes(sentence: Sentence) -> bool:
    if len(sentence.text.split()) < LEAST_WORDS or _FIGURE.search(sentence.text):
        return False
    other = max(sentence.meaning.chances[kind] for kind in TELLING)
    return (sentence.meaning.chances["passing"] >= LIKELY and other <= DOUBT) or _says_nothing(
        sentence.meaning, other
    )


def _says_nothing(meaning: Meaning, other: float) -> bool:
    return other < NOTHING and meaning.worth["good"] < NOTHING
