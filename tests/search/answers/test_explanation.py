"""“Why not this one?” has an answer for every memory of a person."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from memories.models import Memory
from nebo.errors import NotFound
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from search.answers.explanation import Explanation, explain_memory
from search.answers.search import RANKINGS, SearchQuery, search
from search.embeddings.serving import get_serving_model
from sessions.models import Session
from tests.conftest import Team
from tests.search.conftest import embed_all, remember, store

pytestmark = pytest.mark.django_db


def why(team: Team, memory: Memory, text: str = "Biscuit is a dog", **fields: object) -> Explanation:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0]
        query = SearchQuery(text, team.person.pk, **fields)  # type: ignore[arg-type]
        return explain_memory(tenant=team.tenant, query=query, vector=vector, memory_id=memory.pk)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_memory_that_is_found_has_the_rank_score_and_parts_of_the_search(acme: Team, ranking: str) -> None:
    memories = remember(acme, dog="Biscuit is a dog", cat="Pamuk is a cat", tea="Likes green tea")
    embed_all(acme)

    found = why(acme, memories["dog"], ranking=ranking)

    with tenant_scope(acme.tenant):
        vector = get_serving_model().embedder.embed(["Biscuit is a dog"])[0]
        query = SearchQuery("Biscuit is a dog", acme.person.pk, ranking=ranking)
        hit = search(tenant=acme.tenant, query=query, vector=vector).results[0]
    assert hit.memory_id == memories["dog"].pk
    assert (found.rank, found.kept_out_by, found.score) == (1, (), hit.score)
    assert sum(part["points"] for part in found.parts.values()) == pytest.approx(hit.score, abs=1e-5)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_below_the_limit_it_says_its_rank(acme: Team, ranking: str) -> None:
    memories = remember(acme, dog="Biscuit is a dog", other="Biscuit is a dog of the neighbours in town")
    embed_all(acme)

    found = why(acme, memories["other"], ranking=ranking, limit=1, min_score=0.0)

    assert (found.rank, found.ranked, found.kept_out_by) == (2, 2, ("limit",))


def test_below_the_least_score_it_says_its_score(acme: Team) -> None:
    memories = remember(acme, dog="Biscuit is a dog", tea="Likes green tea")
    embed_all(acme)

    found = why(acme, memories["tea"], min_score=0.9)

    assert found.kept_out_by == ("min_score",)
    assert found.score is not None
    assert found.score < 0.9


def test_what_no_leg_brought_is_ranked_among_all(acme: Team) -> None:
    memories = remember(acme, **{f"dog-{number}": f"Biscuit is a dog {number}" for number in range(60)})
    far = remember(acme, tea="Likes green tea")["tea"]
    while embed_all(acme):
        pass

    found = why(acme, far)

    assert found.kept_out_by == ("not_a_candidate",)
    assert (found.rank, found.ranked) == (len(memories) + 1, len(memories) + 1)
    assert found.vector_score is not None


def test_what_shares_no_word_has_no_rank_without_a_vector(acme: Team) -> None:
    memories = remember(acme, dog="Biscuit is a dog", tea="Likes green tea")

    found = why(acme, memories["tea"])

    assert (found.rank, found.kept_out_by) == (None, ("not_a_candidate",))


def test_a_repetition_is_told(acme: Team) -> None:
    texts = {"one": "Biscuit is a dog", "two": "Biscuit is a dog", "three": "Biscuit is the name of that dog"}
    memories = remember(acme, **texts)
    embed_all(acme)

    reasons = {key: why(acme, memory, limit=2).kept_out_by for key, memory in memories.items()}

    assert sorted(reasons.values()) == [(), (), ("repetition",)]
    assert reasons["three"] == ()


@pytest.mark.parametrize(
    ("stored", "asked", "reason"),
    [
        ({"status": "archived"}, {}, "status"),
        ({"status": "quarantined"}, {}, "status"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, {}, "expired"),
        ({}, {"sources": ("session",)}, "source"),
        ({"namespace": "tacit/petshop"}, {"namespace": "tacit/pets"}, "namespace"),
        ({"layer": "tacit"}, {"layer": "entity"}, "layer"),
        ({"type": "profile"}, {"types": ("people",)}, "type"),
    ],
)
def test_a_filter_that_keeps_it_out_is_named(
    acme: Team, stored: dict[str, object], asked: dict[str, object], reason: str
) -> None:
    with tenant_scope(acme.tenant):
        memory = store(acme, key="dog", value="Biscuit is a dog", **stored)

    found = why(acme, memory, **asked)

    assert (found.rank, found.kept_out_by) == (None, (reason,))


def test_another_persona_and_another_session_are_named(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        coach, friend = (
            Persona.objects.for_tenant(acme.tenant).create(slug=slug, name=slug)
            for slug in ("coach", "friend")
        )
        chat = Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="chat")
        of_coach = store(acme, key="dog", value="Biscuit is a dog", persona=coach)
        of_chat = store(acme, key="own", value="Biscuit is a dog here", scope="session", session=chat)

    assert why(acme, of_coach, persona_id=friend.pk).kept_out_by == ("persona",)
    assert why(acme, of_coach, persona_id=coach.pk).kept_out_by == ()
    assert why(acme, of_chat).kept_out_by == ("session",)
    assert why(acme, of_chat, session_id=chat.pk).kept_out_by == ()


def test_a_live_memory_that_was_never_indexed_says_so(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).create(
            person=acme.person, namespace="notes", key="dog", value="Biscuit is a dog", source="agent"
        )

    assert why(acme, memory).kept_out_by == ("not_indexed",)


def test_a_memory_of_nobody_or_of_somebody_else_is_not_there(acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).create(external_id="bob")
        of_bob = store(acme, key="dog", value="Biscuit is a dog", person=bob)
    of_rival = remember(rival, dog="Biscuit is a dog")["dog"]

    for memory in (of_bob, of_rival, Memory(pk=uuid4())):
        with pytest.raises(NotFound):
            why(acme, memory)
