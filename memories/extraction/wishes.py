"""Wishes for how to be answered, known again however a model words them and wherever it puts them."""

from __future__ import annotations

from dataclasses import replace

from memories.extraction.parsing import ExtractedFact
from memories.normalize import normalize_key
from memories.person_columns import USER_PREFIX
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.requests.wishes import SINGLE, likely_slots, read_values, topic

PLACES = ("style", "preference")  # where models put wishes


def to_style(fact: ExtractedFact) -> tuple[ExtractedFact, str]:
    """A fact filed as a style where it tells a wish, and the matter in which one wish holds at a time, if it is one;
    any other fact as it is.

    Where its value is certain, the key says it. The sentence is read, so not within a transaction.
    """
    if fact.category not in PLACES or fact.key.startswith(USER_PREFIX):
        return fact, ""
    meaning = read_sentence(fact.value)
    slot = likely_slots(meaning.slots)[0]
    values, about = read_values(fact.value, slot), topic(slot)
    if not (meaning.may_be("wish") or (fact.category == "style" and values)):
        return fact, ""
    key = normalize_key(f"style/{about}-{values[0].value}") if values else fact.key
    return replace(fact, category="style", key=key), about if about in SINGLE else ""
