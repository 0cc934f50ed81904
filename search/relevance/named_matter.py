"""A question may name a matter of the person ("job", "Where do I live?"): what answers it, though it shares no word.

Vectors of a few words are near many things. Which matter a text is of (work, home, an allergy) is read instead, some
5 ms a text that wasn't read before. What a memory is of, its key says as a rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from nebo.reading.facts.third_person import NAMELESS
from nebo.reading.meaning.kinds import SLOTS
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.meaning.sentences import capital
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from search.questions.parts import list_parts, list_readings

MOST_WORDS = 8  # of a question, or a part of one, that asks for a matter and tells nothing of it
BARE_WORDS = 2  # that may name one without asking
LIKELY = 0.5  # chance of telling something to do
SURE = 0.6  # chance of a slot from which a text is of it
OF_FACTS = frozenset(SLOTS[: SLOTS.index("trait") + 1])  # the others are of wishes and todos, or none
ALIKE = (frozenset({"diet", "allergy", "health"}), frozenset({"work", "education"}))
MATTER_OF_KEY = {"location": "home", "occupation": "work"}


def list_matters(question: str) -> frozenset[str]:
    """The matters of the person that a question asks for, part by part; none of somebody it names."""
    found: set[str] = set()
    for part in list_parts(question):
        words = part.split()
        if 0 < len(words) <= MOST_WORDS and not _names_somebody(part):
            readings = [part] if len(words) <= BARE_WORDS else list_readings(part)
            found.update(_first_matter(iter(readings)))
    return frozenset(found)


def asks_what_is_to_do(question: str) -> bool:
    """Whether a part of it asks what the person has to do: "What do I still have to do?"."""
    readings = [next(list_readings(part)) for part in list_parts(question) if len(part.split()) <= MOST_WORDS]
    return any(read_sentence(capital(text)).chances["todo"] >= LIKELY for text in readings)


def is_of_matter(key: str, text: str, matters: frozenset[str], *, of_another: bool = False) -> bool:
    """Whether a memory, by its key or else by its words, is of one of these matters; never one of somebody else."""
    if not matters or of_another:
        return False
    return (_matter_of(key) or _slot_of(_bare(text))) in _with_alike(matters)


def _bare(text: str) -> str:
    return capital(text.removeprefix(f"{NAMELESS} "))


def _names_somebody(part: str) -> bool:
    bare = part.strip(" ?¿!.,;")
    return bool(names_of(f"{bare[:1].lower()}{bare[1:]}")) or any(
        kin_of(word.lower().strip("?¿!.,;'’")) for word in part.split()
    )


def _first_matter(readings: Iterator[str]) -> set[str]:
    return set(next(([slot] for text in readings if (slot := _slot_of(text))), []))


def _matter_of(key: str) -> str:
    """What a key tells: `home/york-1f3a9c07`, `user/location`."""
    parts = key.split("/")
    named = [MATTER_OF_KEY.get(part, part) for part in parts[:2]]
    return next((part for part in named if part in OF_FACTS), "")


def _with_alike(matters: frozenset[str]) -> frozenset[str]:
    return matters.union(*(alike for alike in ALIKE if alike & matters))


def _slot_of(text: str) -> str:
    meaning = read_sentence(text)
    return meaning.slot if meaning.slot in OF_FACTS and meaning.slot_chance >= SURE else ""
