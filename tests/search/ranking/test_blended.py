"""`ranking=blended` keeps its numbers: its 50, its shares, its half-life."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.ranking.blended import CANDIDATES, rank_nearest
from search.retrieval.candidates import FoundChunk
from tests.conftest import Team
from tests.search.conftest import embed_all, remember, store


def memory(
    id: int, *, vector: float | None = 0.5, age: float = 0.0, refs: tuple[str, ...] = (), lexical: float = 0.0
) -> FoundChunk:
    about = "\n".join((*refs, "A Label"))
    return FoundChunk(id, UUID(int=id), None, None, None, about, age, 1, None, False, lexical, vector)


def order(*found: FoundChunk) -> list[int]:
    return [chunk.id for chunk, _ in rank_nearest(found)]


def test_the_score_is_forty_thirty_thirty() -> None:
    near = memory(1, vector=0.8, age=14.0, refs=("person:john_doe",))
    also = memory(2, vector=0.6, age=28.0, refs=("person:john_doe", "org:acme"))
    third = memory(3, vector=0.5, age=0.0, refs=("org:other",))

    scores = {chunk.id: item.score for chunk, item in rank_nearest([near, also, third])}

    assert scores[1] == pytest.approx(0.4 * 0.8 + 0.3 * 0.5 + 0.3 * 2 / 2)
    assert scores[2] == pytest.approx(0.4 * 0.6 + 0.3 * 0.25 + 0.3 * 2 / 2)
    assert scores[3] == pytest.approx(0.4 * 0.5 + 0.3 * 1.0 + 0.3 * 1 / 2)


def test_every_part_of_the_score_is_told() -> None:
    ((_, item),) = rank_nearest([memory(1, vector=0.8, age=14.0, refs=("person:john",))])

    parts = item.explain()

    assert {name: part["weight"] for name, part in parts.items()} == {
        "similarity": 0.4,
        "recency": 0.3,
        "frequency": 0.3,
    }
    assert sum(part["points"] for part in parts.values()) == pytest.approx(item.score)


def test_recency_and_frequency_can_outweigh_similarity() -> None:
    old, new = memory(1, vector=0.6, age=400.0), memory(2, vector=0.5, age=0.0)
    alone, often = memory(3, vector=0.6, refs=("person:a",)), memory(4, vector=0.5, refs=("person:b",))

    assert order(old, new) == [2, 1]
    assert order(alone, often, memory(5, vector=0.1, refs=("person:b",)))[0] == 4


def test_what_points_away_counts_nothing_and_equals_keep_their_order() -> None:
    assert order(memory(2, vector=-0.9), memory(1, vector=-0.1)) == [1, 2]
    assert order() == []


def test_without_vectors_words_stand_for_similarity() -> None:
    assert order(memory(1, vector=None, lexical=1.0), memory(2, vector=None, lexical=4.0)) == [2, 1]


def ask(team: Team, text: str, **fields: object) -> list[Hit]:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0]
        query = SearchQuery(text, team.person.pk, ranking="blended", **{"sources": ("memory",), **fields})  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


@pytest.mark.django_db
def test_fifty_candidates_are_ranked_and_no_more(acme: Team) -> None:
    remember(acme, **{f"dog-{number}": f"Likes dog number {number}" for number in range(CANDIDATES + 10)})
    while embed_all(acme):
        pass

    assert len(ask(acme, "dog", limit=100)) == CANDIDATES


@pytest.mark.django_db
def test_the_newer_of_two_alike_comes_first(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="old", value="Lives in Bergen", last_reinforced=timezone.now() - timedelta(days=60))
        store(acme, key="new", value="Lives in Bergen too")
    embed_all(acme)

    assert [hit.key for hit in ask(acme, "Lives in Bergen")] == ["new", "old"]


@pytest.mark.django_db
@pytest.mark.parametrize("type", ["profile", "people", "project"])
def test_each_of_the_three_types_can_be_asked_for(acme: Team, type: str) -> None:
    with tenant_scope(acme.tenant):
        for kind in ("profile", "people", "project"):
            store(acme, key=kind, value="Something in Bergen", type=kind)
    embed_all(acme)

    assert {hit.key for hit in ask(acme, "Bergen")} == {"profile", "people", "project"}
    assert [hit.key for hit in ask(acme, "Bergen", types=(type,))] == [type]
