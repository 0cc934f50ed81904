"""A question may name a matter of the person ("job", "Where do I live?"): what answers it, though it shares no word.

Vectors of a few words are near many things. Which matter a text is of (work, home, an allergy) is read instead, some
5 ms a text that wasn't read before. What a memory is of, its key says as a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nebo.reading.facts.third_person import NAMELESS
from nebo.reading.meaning.kinds import SLOTS
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.meaning.sentences import capital
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.content_words import content_words
from search.questions.parts import list_parts, list_readings

MOST_WORDS = 8  # of a question, or a part of one, that asks for a matter and tells nothing of it
BARE_WORDS = 2  # that may name one without asking
LIKELY = 0.5  # chance of telling something to do
SURE = 0.6  # chance of a slot from which a text is of it
OF_FACTS = frozenset(SLOTS[: SLOTS.index("trait") + 1])  # the others are of wishes and todos, or none
ALIKE = (frozenset({"diet", "allergy", "health"}), frozenset({"work", "education"}))
OF_OTHERS = frozenset({"pet", "family", "partner", "friend"})  # matters that are others
ASKING = ("?", "？", "؟")
THINGS = 2  # that a question names, the last ones
OF_THING = 0.45  # chance of a slot from which a bare thing is of it, where it is the likeliest twice
OWNING = {
    "en": ("my", "our"),
    "de": ("meine", "unsere"),
    "es": ("mis", "nuestros"),
    "fr": ("mes", "nos"),
    "it": ("i miei", "i nostri"),
}
_OF_ONESELF = re.compile(
    r"\b(?:i|my|me|we|our|us|ich|mein\w*|wir|unser\w*|uns|yo|mis?|nos|nuestr\w+|tengo|tenemos|j['’]\w+|je|mon|ma|mes|nous"
    r"|notre|avons|io|mi[oa]|miei|mie|noi|nostr\w+|ho|abbiamo)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
MATTER_OF_KEY = {"location": "home", "occupation": "work"}


def list_matters(question: str) -> frozenset[str]:
    """The matters of the person that a question asks for, part by part; none of somebody it names."""
    found: set[str] = set()
    asks = question.rstrip().endswith(ASKING)
    for part in list_parts(question):
        words = part.split()
        if 0 < len(words) <= MOST_WORDS and not _names_somebody(part):
            readings = iter([part] if len(words) <= BARE_WORDS else list_readings(part))
            of_thing = asks and _asks_of_oneself(part)
            found.update(_first_matter(readings) or (_matter_of_things(part) if of_thing else ()))
    return frozenset(found)


def asks_what_is_to_do(question: str) -> bool:
    """Whether a part of it asks what the person has to do: "What do I still have to do?"."""
    readings = [next(list_readings(part)) for part in list_parts(question) if len(part.split()) <= MOST_WORDS]
    return any(read_sentence(capital(text)).chances["todo"] >= LIKELY for text in readings)


def is_of_matter(key: str, text: str, matters: frozenset[str], *, of_another: bool = False) -> bool:
    """Whether a memory, by its key or else by its words, is of one of these matters; one of somebody else only where
    the matter is who there is: "Which animals do we have?".
    """
    wanted = matters & OF_OTHERS if of_another else _with_alike(matters)
    return bool(wanted) and (_matter_of(key) or _slot_of(_bare(text))) in wanted


def _bare(text: str) -> str:
    return capital(text.removeprefix(f"{NAMELESS} "))


def _names_somebody(part: str) -> bool:
    bare = part.strip(" ?¿!.,;")
    return bool(names_of(f"{bare[:1].lower()}{bare[1:]}")) or any(
        kin_of(word.lower().strip("?¿!.,;'’")) for word in part.split()
    )


def _first_matter(readings: Iterator[str]) -> set[str]:
    return set(next(([slot] for text in readings if (slot := _slot_of(text))), []))


def _asks_of_oneself(part: str) -> bool:
    """Whether it asks what the speaker is or has, rather than what somebody told them."""
    return _OF_ONESELF.search(part) is not None and not read_sentence(part).may_be("asks_back")


def _matter_of_things(part: str) -> set[str]:
    """What "my animals" and "our animals" are of, for a thing that a question names."""
    mine, ours = OWNING.get(language_of(part), OWNING["en"])
    for thing in [word for word in _WORD.findall(part) if content_words(word)][-THINGS:]:
        slots = [read_sentence(f"{whose} {thing}").slots for whose in (mine, ours)]
        chances = {slot: max(one[slot] for one in slots) for slot in OF_FACTS}
        likeliest = max(chances, key=chances.__getitem__)
        if (
            all(max(one, key=one.__getitem__) == likeliest for one in slots)
            and chances[likeliest] >= OF_THING
        ):
            return {likeliest}
    return set()


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
