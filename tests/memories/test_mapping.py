from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.entity_refs import EntityRef, make_memory_key
from memories.extraction.mapping import new_memory_of, verify_quote
from memories.extraction.parsing import ExtractedFact
from memories.new_memory import NewMemory, NewObservation
from memories.person_columns import person_value

DAY = date(2025, 6, 1)


def map_fact(fact: ExtractedFact) -> NewMemory:
    seen = NewObservation("model", fact.value, fact.confidence, trust="user")
    return new_memory_of(fact, seen, on=DAY, source="extraction")


@pytest.mark.parametrize(
    ("category", "key", "layer", "namespace", "stored"),
    [
        ("preference", "code-indentation", "tacit", "tacit/preferences", "code-indentation"),
        ("preference", "user/location", "tacit", "tacit/user", "location"),
        ("entity", "person/sarah", "entity", "entity/default", "person/sarah"),
        ("decision", "architecture-choice", "daily", "daily/2025-06-01", "architecture-choice"),
        ("style", "style/humor-dry", "tacit", "tacit/personality", "style/humor-dry"),
        ("artifact", "artifact/hero-copy", "tacit", "tacit/artifacts", "artifact/hero-copy"),
    ],
)
def test_each_category_has_its_place(category, key, layer, namespace, stored) -> None:
    new = map_fact(ExtractedFact(category, key, "A value"))

    assert (new.layer, new.namespace, new.key) == (layer, namespace, stored)


def test_a_fact_about_somebody_carries_reference_label_and_memory_key() -> None:
    fact = ExtractedFact(
        "entity", "person/john", "John is the cofounder", type="people", entity_label="John Doe", entity_type="person",
        fact_type="relationship", explicit=True,
    )  # fmt: skip

    new = map_fact(fact)

    assert (new.entity_refs, new.entity_label, new.entity_type) == (
        ("person:john_doe",),
        "John Doe",
        "person",
    )
    assert (new.memory_key, new.confidence) == ("people|person|john_doe|relationship", 0.9)


def test_an_entity_is_known_from_its_key_alone() -> None:
    fact = ExtractedFact("entity", "org/acme-corp/founded", "Acme was founded in 1999")

    new = map_fact(fact)

    assert (new.entity_refs, new.entity_label) == (("org:acme_corp",), "Acme Corp")
    assert map_fact(replace(fact, key="event/went-home")).entity_refs == ()


def test_without_an_entity_there_is_no_memory_key() -> None:
    assert make_memory_key("person", None, "fact") == ""
    assert (
        make_memory_key("PEOPLE", EntityRef("person", "john_doe"), "relationship")
        == "people|person|john_doe|relationship"
    )


@pytest.mark.parametrize(
    ("key", "value", "bare"),
    [
        ("location", "Lives in Austin, Texas.", "Austin, Texas"),
        ("user/location", "Caroline lives in Berlin", "Berlin"),
        ("name", "The user is called Sam", "Sam"),
        ("timezone", "Is in the timezone Europe/Berlin", "Europe/Berlin"),
        ("occupation", "Caroline works as a nurse", "nurse"),
        ("location", "Berlin", "Berlin"),
        ("communication_style", "Wants short replies", "Wants short replies"),
    ],
)
def test_a_profile_column_gets_the_bare_value(key: str, value: str, bare: str) -> None:
    assert person_value(key, value) == bare


@pytest.mark.parametrize(
    ("quote", "message", "found"),
    [
        ("I live in Berlin", "Well, I live in Berlin now.", "I live in Berlin"),
        ("i LIVE  in\nBerlin", "Well, I live in Berlin now.", "I live in Berlin"),
        ("I'm from “Oslo”", 'and I’m from "Oslo" too', 'I’m from "Oslo"'),
        ('"I live in Berlin…"', "I live in Berlin", "I live in Berlin"),
        ("self - taught", "I am self — taught", "self — taught"),
        ("cafe\u0301 owner", "A caf\u00e9 owner", "caf\u00e9 owner"),
        ("zero width", "ze\u200bro   width", "ze\u200bro   width"),
        ("Yes", "yes!", None),
        ("ok", "ok", "ok"),
        ("I live in Paris", "I live in Berlin", None),
        ("", "anything", None),
        ("…", "anything …", None),
        ("live Berlin", "I live in Berlin", None),
    ],
)
def test_a_quote_is_found_where_it_stands_or_not_at_all(quote: str, message: str, found: str | None) -> None:
    span = verify_quote(quote, message)

    assert (message[span[0] : span[1]] if span else None) == found


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=12), st.data())
def test_every_exact_part_of_a_message_verifies(message: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(message) - 12))
    quote = message[start : start + 12]

    span = verify_quote(quote, message)

    assert span is None or 0 <= span[0] < span[1] <= len(message)
    if quote.isalnum() and quote.isascii():
        assert span is not None
        assert message[span[0] : span[1]].casefold() == quote.casefold()
