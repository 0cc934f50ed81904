"""Whether one observation of how somebody likes to be spoken to answers anew what another answered."""

from __future__ import annotations

from collections.abc import Mapping

from nebo.reading.meaning.reader import read_sentence
from nebo.reading.requests.wishes import SINGLE, clear_slot, likely_slots, main_slot, read_values, topic
from nebo.reading.wording.covering import content_words, find_uncovered, list_words
from nebo.reading.wording.names import names_of

SURE = 0.8  # chance of a question, from which an observation surely answers it


def answers_otherwise(known: str, stated: str) -> bool:
    """Whether both answer one question of one answer, and differently: American spelling after British, long after
    short.
    """
    old, new = _values(known), _values(stated)
    if any(field in old and old[field] != value for field, value in new.items()):
        return True
    if main_slot(read_sentence(stated).slots) not in SINGLE:
        return False
    ours, theirs = names_of(known), names_of(stated)
    return (
        bool(ours and theirs) and set(ours).isdisjoint(theirs) and _differ_in(known, stated, {*ours, *theirs})
    )


def manner_of(text: str) -> str:
    """The question of one answer that an observation surely answers, or empty."""
    slots = read_sentence(text).slots
    about = clear_slot(slots)
    sure = sum(chance for slot, chance in slots.items() if topic(slot) == about)
    return about if about in SINGLE and sure >= SURE else ""


def _values(text: str) -> Mapping[str, str]:
    """The fields of a persona that it sets, and to what."""
    slots = likely_slots(read_sentence(text).slots)
    return {one.field: one.value for slot in slots for one in read_values(text, slot)}


def _differ_in(one: str, other: str, names: set[str]) -> bool:
    """Whether nothing else tells two texts apart."""
    known = {name.lower() for name in names}
    left = [
        *find_uncovered(content_words(one), list_words(other)),
        *find_uncovered(content_words(other), list_words(one)),
    ]
    return all(word in known for word in left)
