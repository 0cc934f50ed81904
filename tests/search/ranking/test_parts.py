"""What the situation adds to a score: who is named, what a turn can say, how important and how recent it is."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.ranking.parts import FULL_LENGTH, substance
from tests.conftest import Team
from tests.search.conftest import embed_all, store, tell

pytestmark = pytest.mark.django_db


def ask(team: Team, text: str, **fields: object) -> list[Hit]:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0]
        query = SearchQuery(text, team.person.pk, explain=True, **fields)  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


def test_the_speaker_who_is_named_comes_first(acme: Team) -> None:
    tell(acme, "I adopted a puppy.", key="one", speaker="Melanie")
    tell(acme, "I adopted a puppy.", key="two", speaker="Caroline")
    embed_all(acme)

    best = ask(acme, "Did Caroline adopt a puppy?")[0]

    assert best.speaker == "Caroline"
    assert best.parts["named"]["raw"] == 1.0


@pytest.mark.parametrize(
    "entity",
    [{"entity_label": "Jane Doe"}, {"entity_refs": ["person:jane-doe"]}, {"entity_refs": ["person:jane"]}],
)
def test_a_memory_of_the_entity_that_is_named_comes_first(acme: Team, entity: dict[str, object]) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="one", value="Likes tea", entity_label="Person", entity_refs=["person:bob"])
        store(acme, key="two", value="Likes tea", **entity)

    best, other = ask(acme, "What tea does Jane like?")

    assert best.key == "two"
    assert (best.parts["named"]["raw"], other.parts["named"]["raw"]) == (1.0, 0.0)


def test_a_memory_without_entities_may_be_about_whoever_is_named(acme: Team) -> None:
    tell(acme, "Tea?", speaker="Caroline")
    with tenant_scope(acme.tenant):
        store(acme, key="drink", value="Likes tea")

    named = {hit.source: hit.parts["named"]["raw"] for hit in ask(acme, "What tea does Caroline like?")}
    nobody = {hit.source: hit.parts["named"]["raw"] for hit in ask(acme, "What tea is liked?")}

    assert named == {"memory": 0.5, "session": 1.0}
    assert nobody == {"memory": 0.0, "session": 0.0}


def test_a_statement_comes_before_a_question_in_the_same_words(acme: Team) -> None:
    tell(acme, "You went to Bergen?", key="asked")
    tell(acme, "You went to Bergen.", key="said")
    embed_all(acme)

    assert [hit.text for hit in ask(acme, "went to Bergen")] == ["You went to Bergen.", "You went to Bergen?"]


@pytest.mark.parametrize("mark", ["?", "？", "؟", "? "])
def test_a_question_is_told_by_its_mark_in_any_script(acme: Team, mark: str) -> None:
    tell(acme, f"Bergen{mark}")

    assert ask(acme, "Bergen")[0].parts["statement"]["raw"] == 0.0


@pytest.mark.parametrize(
    "length, expected", [(0, 0.0), (FULL_LENGTH // 2, 0.5), (FULL_LENGTH, 1.0), (999, 1.0)]
)
def test_a_turn_has_the_more_to_say_the_longer_it_is_up_to_a_point(length: int, expected: float) -> None:
    assert substance(np.array([length])).tolist() == [expected]


def test_what_is_important_comes_first_among_equals(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="one", value="Allergic to nuts", importance=1)
        store(acme, key="two", value="Allergic to nuts", importance=3, pinned=True)

    assert [hit.key for hit in ask(acme, "nuts")] == ["two", "one"]


def test_what_was_confirmed_last_comes_first_among_equals(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="old", value="Lives in Bergen", last_reinforced=timezone.now() - timedelta(days=300))
        store(acme, key="new", value="Lives in Leipzig")

    assert [hit.key for hit in ask(acme, "lives where")] == ["new", "old"]


def test_what_was_said_last_comes_first_among_equals(acme: Team) -> None:
    now = timezone.now()
    tell(acme, "I live in Bergen.", key="old", said=now - timedelta(days=300))
    tell(acme, "I live in Bergen.", key="new", said=now)

    best, other = ask(acme, "lives in Bergen")

    assert best.created_at > other.created_at


def test_a_memory_and_the_turn_it_came_from_stand_side_by_side(acme: Team) -> None:
    """Neither source is buried under the other: both are among the first three of sixty."""
    now = timezone.now()
    talk = [f"We talked about the weather on day {day} and it rained a lot." for day in range(30)]
    tell(acme, *talk, "My sister Ingrid teaches the violin in Bergen.", *talk, said=now)
    with tenant_scope(acme.tenant):
        store(acme, key="sister", value="Her sister Ingrid teaches the violin in Bergen")
        for number in range(30):
            store(acme, key=f"weather-{number}", value=f"It rained a lot on day {number}")
    while embed_all(acme):
        pass

    found = ask(acme, "Who teaches the violin?")[:3]

    assert {hit.source for hit in found if "violin" in hit.text} == {"memory", "session"}


def test_a_long_message_is_one_result_that_cites_the_passage(acme: Team) -> None:
    sentences = [f"On day {day} it rained in Bergen and nobody went out." for day in range(60)]
    sentences[45] = "The violin teacher is called Ingrid."
    text = " ".join(sentences)
    tell(acme, text)
    embed_all(acme)

    found = ask(acme, "violin teacher Ingrid")

    assert len(found) == 1
    assert "Ingrid" in found[0].text
    assert text[found[0].start : found[0].end] == found[0].text
    assert found[0].start > 0
