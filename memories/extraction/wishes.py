"""Wishes for how to be answered, known again however a model words them and wherever it puts them."""

from __future__ import annotations

from dataclasses import replace

from memories.extraction.parsing import ExtractedFact
from memories.normalize import normalize_key
from memories.person_columns import USER_PREFIX
from memories.storing.styles import WISHED
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.relations.manners import manner_of
from nebo.reading.relations.own_words import own_words
from nebo.reading.requests.wishes import SINGLE, likely_slots, read_values, topic

PLACES = ("style", "preference")  # where models put wishes


def to_style(fact: ExtractedFact) -> tuple[ExtractedFact, dict[str, str]]:
    """A fact filed as a style where it tells a wish; any other as it is. With it what is known of a style: the matter
    in which one answer holds at a time (`slot`), and whether it was wished for outright.

    Where its value is certain, the key says it. The sentence is read, so not within a transaction.
    """
    if fact.category not in PLACES or fact.key.startswith(USER_PREFIX):
        return fact, {}
    meaning = read_sentence(fact.value)
    slot = likely_slots(meaning.slots)[0]
    values, about = read_values(fact.value, slot), topic(slot)
    said = (
        own_words(fact.value),
        fact.quote,
    )  # "I use Things" asks for nothing, though "Uses Things" may seem to
    asks = meaning.may_be("wish") and any(read_sentence(text).may_be("wish") for text in said)
    if not (asks or (fact.category == "style" and values)):
        return fact, _observed(fact.value) if fact.category == "style" else {}
    key = normalize_key(f"style/{about}-{values[0].value}") if values else fact.key
    outright = values or meaning.is_sure("wish") or read_sentence(fact.quote).may_be("wish")
    metadata = {"slot": about, WISHED: "yes"} if about in SINGLE else {}
    return replace(fact, category="style", key=key), metadata if outright else _observed(fact.value)


def _observed(value: str) -> dict[str, str]:
    """Of what was only observed, the matter that it is surely about."""
    about = manner_of(value)
    return {"slot": about} if about else {}
