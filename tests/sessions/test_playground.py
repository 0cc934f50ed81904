"""The page to try searches on: what the API finds, by the same scores, without being noted."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.models import AuditEntry, Memory
from memories.new_memory import address_key
from memories.storing.vectors import embed_pair
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from tests.conftest import Team
from tests.memories.conftest import remember, say
from tests.sessions.conftest import Call
from tests.visitors import add_person, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/context/search/"
QUESTION = "green bicycle"
KNOWN = ("Owns a green bicycle", "Paints the fence green", "Bakes bread with rye")


@pytest.fixture
def client(acme: Team) -> Client:
    for value in KNOWN:
        vector = embed_pair(tenant=acme.tenant, key=address_key("", value), value=value)
        with tenant_scope(acme.tenant):
            remember(acme, value, vector=vector)
    return visitor(acme.owner)


def test_results_and_their_parts_are_those_of_the_api(acme: Team, call: Call, client: Client) -> None:
    body = {"query": QUESTION, "explain": True, "sources": ["memory"]}

    results = client.get(PAGE, {"q": QUESTION, "source": "memory"}).context_data["results"]
    given = call("POST", "users/alice/search/", body).json()["results"]

    assert [(str(one.hit.memory_id), one.hit.score) for one in results] == [
        (one["memory_id"], one["score"]) for one in given
    ]
    assert results[0].hit.text == KNOWN[0]
    for result, answer in zip(results, given, strict=True):
        for part in result.parts:
            assert part.points == pytest.approx(answer["parts"][part.feature]["points"], abs=1e-6)


def test_the_points_that_are_shown_add_up_to_the_score(client: Client) -> None:
    results = client.get(PAGE, {"q": QUESTION}).context_data["results"]

    for result in results:
        assert sum(part.points for part in result.parts) == pytest.approx(result.hit.score, abs=0.05)


def test_it_says_in_words_what_a_result_was_found_by(client: Client) -> None:
    page = text_of(client.get(PAGE, {"q": QUESTION}))

    assert "Found by" in page
    assert "words in common" in page
    assert "What it is made of" in page


def test_filters_narrow_what_is_found(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        said = say(acme, "I ride my green bicycle to work")[0]

    def found(**chosen: str) -> int:
        return len(client.get(PAGE, {"q": QUESTION, **chosen}).context_data["results"])

    assert found(source="memory") == 3
    assert found(type="project") == 0
    assert found(layer="daily", source="memory") == 0
    assert found(least="100") == 0
    assert found(limit="10", least="nonsense", layer="nonsense", type="x", source="y") >= 3
    assert said.pk


def test_a_persona_finds_what_was_told_to_it_alone(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        coach = Persona.objects.for_tenant(acme.tenant).create(slug="coach", name="Coach")
        remember(acme, "Wants a green bicycle helmet", persona_id=coach.pk)

    def values(**chosen: str) -> list[str]:
        shown = client.get(PAGE, {"q": QUESTION, **chosen}).context_data["results"]
        return [one.hit.text for one in shown]

    assert "Wants a green bicycle helmet" not in values()
    assert "Wants a green bicycle helmet" in values(persona="coach")
    assert client.get(PAGE, {"q": QUESTION, "persona": "nobody"}).status_code == 404


def test_looking_is_no_use_and_noted_nowhere(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        before = AuditEntry.objects.for_tenant(acme.tenant).count()

    client.get(PAGE, {"q": QUESTION})

    with tenant_scope(acme.tenant):
        assert AuditEntry.objects.for_tenant(acme.tenant).count() == before
        assert not Memory.objects.for_tenant(acme.tenant).filter(access_count__gt=0).exists()


def test_nobody_elses_memories_are_found(acme: Team, rival: Team, client: Client) -> None:
    bob = add_person(acme, "bob")
    with tenant_scope(acme.tenant):
        remember(Team(acme.tenant, acme.owner, bob, acme.shared), "Bob has a green bicycle")
    with tenant_scope(rival.tenant):
        remember(rival, "A rival has a green bicycle")

    page = text_of(client.get(PAGE, {"q": QUESTION}))

    assert "Bob has" not in page
    assert "rival" not in page


def test_htmx_gets_the_results_alone_and_nothing_asked_says_what_to_do(client: Client) -> None:
    assert "<html" not in client.get(PAGE, {"q": QUESTION}, **refetch("results")).content.decode()
    assert "Ask something" in text_of(client.get(PAGE))
