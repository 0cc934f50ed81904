"""What a question may see: sources, filters, personas, sessions, what is everyone's, what has run out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from search.answers.search import Hit, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.indexing.passages import Passage, index_passages
from search.retrieval.candidates import LEG
from search.retrieval.nearest import list_nearest_memories
from sessions.models import Session
from tests.conftest import Team
from tests.search.conftest import embed_all, remember, store, tell

pytestmark = pytest.mark.django_db

RANKINGS = ("default", "blended", "dense", "lexical", "adaptive")


def ask(team: Team, text: str, **fields: object) -> list[Hit]:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0]
        query = SearchQuery(text, team.person.pk, **{"min_score": 0.0, **fields})  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


def keys(hits: list[Hit]) -> set[str]:
    return {hit.key for hit in hits}


def persona(team: Team, slug: str) -> Persona:
    with tenant_scope(team.tenant):
        return Persona.objects.for_tenant(team.tenant).create(slug=slug, name=slug)


def session(team: Team, key: str) -> Session:
    with tenant_scope(team.tenant):
        return Session.objects.for_tenant(team.tenant).create(person=team.person, key=key)


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("sources", [("memory",), ("session",), ("memory", "session")])
def test_only_the_sources_asked_for_are_found(acme: Team, ranking: str, sources: tuple[str, ...]) -> None:
    remember(acme, dog="Biscuit is a dog")
    tell(acme, "Biscuit is a dog")
    embed_all(acme)

    found = ask(acme, "Biscuit is a dog", sources=sources, ranking=ranking)

    assert {hit.source for hit in found} == set(sources)


@pytest.mark.parametrize(
    "filters",
    [
        {"namespace": "tacit/pets"},
        {"namespace": "tacit/pets/old"},
        {"layer": "entity"},
        {"types": ("people",)},
        {"types": ("people", "project"), "layer": "entity"},
    ],
)
def test_a_filter_lets_through_what_it_names_and_no_turn(acme: Team, filters: dict[str, object]) -> None:
    tell(acme, "Biscuit is a dog")
    with tenant_scope(acme.tenant):
        store(
            acme,
            key="match",
            value="Biscuit is a dog",
            namespace="tacit/pets/old",
            layer="entity",
            type="people",
        )
        store(acme, key="other", value="Biscuit is a dog", namespace="tacit/petshop")
    embed_all(acme)

    assert [hit.key for hit in ask(acme, "Biscuit is a dog", **filters)] == ["match"]


def test_a_namespace_is_no_pattern(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="other", value="Biscuit is a dog", namespace="tacit/pets/old")

    assert ask(acme, "Biscuit is a dog", namespace="tacit/%") == []


def test_a_filter_finds_the_one_match_among_many_better_ones_it_excludes(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        for number in range(LEG + 10):
            store(acme, key=f"dog-{number}", value="Biscuit is a dog, a dog, a dog")
        store(acme, key="match", value="A dog once, years ago, in another town", namespace="tacit/pets")
    embed_all(acme)

    assert [hit.key for hit in ask(acme, "Biscuit is a dog", namespace="tacit/pets")] == ["match"]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_another_personas_memories_and_turns_are_never_found(acme: Team, ranking: str) -> None:
    ours, theirs = persona(acme, "coach"), persona(acme, "lover")
    remember(acme, everyones="Biscuit is a dog")
    remember(acme, persona_id=ours.pk, ours="Biscuit is a dog")
    remember(acme, persona_id=theirs.pk, theirs="Biscuit is a dog")
    tell(acme, "Biscuit is a dog", key="ours", persona_id=ours.pk)
    tell(acme, "Biscuit is a dog", key="theirs", persona_id=theirs.pk)
    embed_all(acme)

    seen = ask(acme, "Biscuit is a dog", persona_id=ours.pk, ranking=ranking)
    nobodys = ask(acme, "Biscuit is a dog", ranking=ranking)

    assert {hit.key for hit in seen if hit.memory_id} >= {"everyones"}
    assert "theirs" not in keys(seen)
    assert {ref.external_id for hit in seen for ref in hit.messages} == {"ours:1"}
    assert {(hit.key, hit.messages) for hit in nobodys} == {("everyones", ())}


def test_a_neighbour_of_another_persona_is_not_drawn_in(acme: Team) -> None:
    theirs = persona(acme, "lover")
    told = tell(acme, "Did Biscuit behave?")
    with tenant_scope(acme.tenant):
        tell_more(acme, told, "He chased squirrels all day.", persona_id=theirs.pk)

    assert [hit.text for hit in ask(acme, "Biscuit behave")] == ["Did Biscuit behave?"]


def tell_more(team: Team, told: Session, line: str, **fields: object) -> None:
    passage = Passage(
        source="session",
        text=line,
        session_id=told.pk,
        seq_from=2,
        seq_to=2,
        **fields,  # type: ignore[arg-type]
    )
    index_passages(tenant=team.tenant, person_id=team.person.pk, passages=[passage])


def test_other_personas_chunks_starve_nobody(acme: Team) -> None:
    theirs = persona(acme, "lover")
    remember(acme, persona_id=theirs.pk, **{f"dog-{n}": "Biscuit is a dog" for n in range(LEG + 10)})
    remember(acme, mine="A dog once, years ago, in another town")
    embed_all(acme)

    assert keys(ask(acme, "Biscuit is a dog")) == {"mine"}


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_sessions_own_memory_is_found_in_that_session_alone(acme: Team, ranking: str) -> None:
    here, elsewhere = session(acme, "here"), session(acme, "elsewhere")
    with tenant_scope(acme.tenant):
        store(acme, key="scratch", value="Biscuit is a dog", scope="session", session=here)
    embed_all(acme)

    def ask_in(session_id: object) -> set[str]:
        return keys(ask(acme, "Biscuit is a dog", session_id=session_id, ranking=ranking))

    assert ask_in(here.pk) == {"scratch"}
    assert ask_in(elsewhere.pk) == ask_in(None) == set()


def test_a_persons_memory_learnt_in_one_session_is_found_in_every_other(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="dog", value="Biscuit is a dog", session=session(acme, "there"))

    assert keys(ask(acme, "Biscuit is a dog", session_id=session(acme, "elsewhere").pk)) == {"dog"}


@pytest.mark.parametrize("ranking", RANKINGS)
def test_what_is_shared_is_found_for_everyone_of_the_tenant_and_nobody_else(
    acme: Team, rival: Team, ranking: str
) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="office", value="The office is in Leipzig", person=acme.shared, scope="global")
    embed_all(acme, acme.shared)

    assert keys(ask(acme, "office in Leipzig", ranking=ranking)) == {"office"}
    assert ask(rival, "office in Leipzig", ranking=ranking) == []


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize(
    "gone", [{"status": "archived"}, {"status": "quarantined"}, {"expires_at": timezone.now()}]
)
def test_what_is_not_live_is_not_found(acme: Team, ranking: str, gone: dict[str, object]) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="old", value="Biscuit is a dog", **gone)
        store(acme, key="new", value="Biscuit is a dog", expires_at=timezone.now() + timedelta(hours=1))
    embed_all(acme)

    assert keys(ask(acme, "Biscuit is a dog", ranking=ranking)) == {"new"}


def test_scores_below_the_least_asked_for_are_left_out(acme: Team) -> None:
    tell(acme, "Biscuit is a dog", "The van is at the garage")
    embed_all(acme)
    best, *rest = ask(acme, "Is Biscuit a dog?")

    kept = ask(acme, "Is Biscuit a dog?", min_score=best.score)

    assert rest
    assert [hit.text for hit in kept] == [best.text]


def test_the_nearest_memories_are_those_one_may_see(acme: Team) -> None:
    theirs, here = persona(acme, "lover"), session(acme, "here")
    remember(acme, dog="Biscuit is a dog", van="The van is at the garage")
    remember(acme, persona_id=theirs.pk, theirs="Biscuit is a dog")
    with tenant_scope(acme.tenant):
        store(acme, key="shared", value="Biscuit is a dog", person=acme.shared, scope="global")
        store(acme, key="scratch", value="Biscuit is a dog", scope="session", session=here)
        store(acme, key="archived", value="Biscuit is a dog", status="archived")
    tell(acme, "Biscuit is a dog")
    embed_all(acme, acme.person, acme.shared)
    vector = get_serving_model().embedder.embed(["dog: Biscuit is a dog"])[0]

    with tenant_scope(acme.tenant):
        nearest = list_nearest_memories(tenant=acme.tenant, person_id=acme.person.pk, vector=vector)

    assert [near.similarity for near in nearest] == sorted((n.similarity for n in nearest), reverse=True)
    assert nearest[0].similarity == pytest.approx(1.0, abs=1e-3)
    with tenant_scope(acme.tenant):
        rows = Memory.objects.for_tenant(acme.tenant).in_bulk([near.memory_id for near in nearest])
    assert {row.key for row in rows.values()} == {"dog", "van", "shared"}
