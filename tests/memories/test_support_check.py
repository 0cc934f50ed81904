"""The gate by itself: what a fact, a todo and a relation to something known may rest on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memories.extraction.evidence import Evidence
from memories.extraction.parsing import ExtractedFact, ExtractedTodo
from memories.extraction.support_check import SupportCheck
from nebo.llm.types import ChatMessage

POSTGRES = "Decided on Postgres as the database."


def heard(content: str, quote: str | None = None, *, role: str = "user", name: str = "") -> Evidence:
    """A message, and the words of it that are quoted: all of them, unless others are named; "" for none."""
    message = ChatMessage(role, content, name, created_at=datetime(2026, 5, 1, tzinfo=UTC))
    words = content if quote is None else quote
    return Evidence(message, (at := content.index(words)), at + len(words)) if words else Evidence(message)


def gate(evidence: Evidence, *before: str, names: tuple[str, ...] = ()) -> SupportCheck:
    assert evidence.message is not None
    said = [ChatMessage("assistant", text) for text in before]
    return SupportCheck((*said, evidence.message), names=names)


@pytest.mark.parametrize(
    "category, key, value, said, grade",
    [
        ("preference", "tea", "Likes tea.", "I like tea.", "supported"),
        ("preference", "database", "Prefers Postgres as the database.", "I prefer Postgres.", "unclear"),
        ("style", "style/short", "Wants short answers.", "Please keep your answers short.", "supported"),
        ("style", "style/short", "Wants short answers.", "It rains.", "unsupported"),
        ("decision", "database", "Decided to use Postgres.", "We decided to use Postgres.", "supported"),
        ("decision", "database", POSTGRES, "We'll go with Postgres.", "unclear"),
        (
            "artifact",
            "headline",
            "Headline: Bread for Mars",
            "Headline: Bread for Mars, at last.",
            "supported",
        ),
        ("artifact", "headline", "Headline: Bread for Rakesh", "Headline: Bread for Mars", "unsupported"),
        ("artifact", "headline", "Headline: 40 loaves", "Headline: 30 loaves", "unsupported"),
        ("artifact", "poem", "A melancholy poem about winter rain", "Some lines on the sea.", "unclear"),
    ],
)
def test_a_fact_is_weighed_by_its_kind(category: Any, key: str, value: str, said: str, grade: str) -> None:
    evidence = heard(said)

    assert gate(evidence).weigh_fact(ExtractedFact(category, key, value), evidence).grade == grade


@pytest.mark.parametrize(
    "name, value, said, grade",
    [
        ("location", "Ghent", "I live in Ghent.", "supported"),
        ("location", "Leeds", "I live in Leeds.", "supported"),
        ("location", "Leeds", "My brother lives in Leeds.", "unsupported"),
        ("name", "Alice", "My name is Alice.", "supported"),
        ("name", "Alice", "Alice is my sister.", "unsupported"),
        ("name", "James", "James is my brother.", "unsupported"),
        ("occupation", "baker", "I work as a baker.", "supported"),
        ("occupation", "baker", "My brother is a baker.", "unsupported"),
        ("occupation", "Runs a bakery", "I run a bakery.", "supported"),
    ],
)
def test_a_bare_value_says_what_its_key_says_of_the_person(
    name: str, value: str, said: str, grade: str
) -> None:
    evidence = heard(said)
    fact = ExtractedFact("preference", f"user/{name}", value)

    assert gate(evidence).weigh_fact(fact, evidence).grade == grade


@pytest.mark.parametrize(
    "category, grade",
    [
        ("preference", "unsupported"),
        ("style", "unsupported"),
        ("entity", "supported"),
        ("artifact", "supported"),
    ],
)
def test_only_the_person_speaks_for_what_the_person_likes(category: Any, grade: str) -> None:
    evidence = heard("Sarah likes long letters.", role="assistant")
    fact = ExtractedFact(category, "sarah", "Sarah likes long letters.", entity_label="Sarah")

    assert gate(evidence).weigh_fact(fact, evidence).grade == grade


def test_without_words_that_are_quoted_nothing_holds() -> None:
    evidence = heard("I like tea and must call Ben.", "")
    todo = ExtractedTodo("commitment", "Call Ben")

    assert (
        gate(evidence).weigh_fact(ExtractedFact("preference", "tea", "Likes tea."), evidence).grade
        == "unsupported"
    )
    assert gate(evidence).weigh_todo(todo, evidence).grade == "unsupported"


@pytest.mark.parametrize(
    "value, name, names, grade",
    [
        ("Alice likes tea.", "Alice", (), "supported"),
        ("Alice likes tea.", "", ("Alice",), "supported"),
        ("Bob likes tea.", "Alice", ("Bob",), "unsupported"),
    ],
)
def test_a_person_goes_by_the_name_on_the_message_or_else_by_those_that_are_known(
    value: str, name: str, names: tuple[str, ...], grade: str
) -> None:
    evidence = heard("I like tea.", name=name)
    fact = ExtractedFact("preference", "tea", value)

    assert gate(evidence, names=names).weigh_fact(fact, evidence).grade == grade


@pytest.mark.parametrize(
    "before, grade",
    [(("Tea or coffee?",), "supported"), (("Tea or coffee?", "It rains."), "unclear"), ((), "unclear")],
)
def test_an_answer_rests_on_what_was_asked_just_before(before: tuple[str, ...], grade: str) -> None:
    evidence = heard("Tea, always.")
    fact = ExtractedFact("preference", "tea", "Prefers tea over coffee.")

    assert gate(evidence, *before).weigh_fact(fact, evidence).grade == grade


@pytest.mark.parametrize(
    "old, relation, value, said, quote, holds",
    [
        ("Lives in Leeds.", "same", "Lives in Leeds.", "I live in Leeds, as you know.", None, True),
        ("Lives in Leeds.", "same", "Likes jazz.", "I like jazz.", None, False),
        ("Lives in Leeds.", "same", "Lives in York.", "I live in York now.", None, False),
        ("Lives in Leeds.", "changes", "Lives in York.", "I moved from Leeds to York.", None, True),
        ("Lives in Leeds.", "changes", "Plays the harp.", "I play the harp.", None, False),
        ("Plays the cello.", "changes", "Plays the harp too.", "I also play the harp.", None, False),
        ("Drinks coffee.", "ends", "Drinks no coffee.", "I don't drink coffee any more.", None, True),
        ("Drinks coffee.", "ends", "Loves mornings.", "What a lovely morning.", None, False),
        ("Drinks coffee.", "ends", "Drinks coffee.", "I drink coffee every day.", None, False),
        ("Has a car.", "ends", "Sold the car.", "I sold my car yesterday.", None, True),
        ("Is vegan.", "ends", "Is not vegan.", "I'm not vegan.", None, True),
        (
            "Works at Puratos.",
            "changes",
            "Works at Lotus.",
            "I quit Puratos, and I start at Lotus on Monday.",
            "I start at Lotus on Monday",
            True,
        ),
    ],
)
def test_a_relation_to_what_is_known_must_be_in_the_words(
    old: str, relation: str, value: str, said: str, quote: str | None, holds: bool
) -> None:
    evidence = heard(said, quote)
    fact = ExtractedFact("preference", "k", value, relation=relation)

    assert gate(evidence).is_about(old, fact, evidence) is holds
