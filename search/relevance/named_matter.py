"""A question of one word or two may name a matter ("job"): what answers that, though it shares no word with it.

Vectors of a single word are near many things. Which question a text answers (work, home, an allergy) is read instead,
some 5 ms a text that wasn't read before.
"""

from __future__ import annotations

from nebo.reading.facts.third_person import NAMELESS
from nebo.reading.meaning.kinds import SLOTS
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.meaning.sentences import capital

MOST_WORDS = 2  # of a question that names a matter and says nothing of it
SURE = 0.6  # chance of a slot from which a text is of it
OF_FACTS = frozenset(SLOTS[: SLOTS.index("trait") + 1])  # the others are of wishes and todos, or none


def find_matter(question: str) -> str:
    """The slot that a short question names, or empty."""
    if not 0 < len(question.split()) <= MOST_WORDS:
        return ""
    return _slot_of(question)


def is_of_matter(text: str, slot: str) -> bool:
    """Whether a memory's words answer it."""
    return _slot_of(capital(text.removeprefix(f"{NAMELESS} "))) == slot


def _slot_of(text: str) -> str:
    meaning = read_sentence(text)
    return meaning.slot if meaning.slot in OF_FACTS and meaning.slot_chance >= SURE else ""
