"""What You Know: which of many memories stand in the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.utils import timezone

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from sessions.context.knowledge import choose_known, list_knowable, list_promptable
from sessions.context.stable import KnownMemory
from tests.conftest import Team
from tests.memories.conftest import caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def scope(db: None, acme: Team) -> Iterator[Team]:
    with tenant_scope(acme.tenant):
        yield acme


def known_to(
    team: Team, key: str, *, namespace: str = "tacit/preferences", days: float = 0, **fields: Any
) -> None:
    moment = timezone.now() - timedelta(days=days)
    Memory.objects.for_tenant(team.tenant).create(
        person=team.person, layer="tacit", namespace=namespace, key=key, value=f"Value of {key}",
        source="user", accessed_at=moment, **fields,
    )  # fmt: skip


def choose(team: Team, persona: Persona | None = None) -> tuple[str, list[KnownMemory]]:
    persona_id = persona.pk if persona else None
    own, common = (
        list_promptable(tenant=team.tenant, whose=Q(person_id=one), persona_id=persona_id, session_id=None)
        for one in (team.person.pk, team.shared.pk)
    )
    return choose_known({name: list(part) for name, part in list_knowable(own, common).items()})


def test_fifty_stand_there_and_ten_of_them_are_styles(scope: Team) -> None:
    for number in range(60):
        known_to(scope, f"k{number}")
    for number in range(20):
        known_to(scope, f"style/s{number}", namespace="tacit/personality")

    _, known = choose(scope)

    assert len(known) == 50
    assert sum(memory.namespace == "tacit/personality" for memory in known) == 10


def test_what_styles_leave_goes_to_the_rest(scope: Team) -> None:
    for number in range(60):
        known_to(scope, f"k{number}")
    known_to(scope, "style/terse", namespace="tacit/personality")

    _, known = choose(scope)

    assert [memory.namespace for memory in known].count("tacit/preferences") == 49


def test_use_that_lies_back_counts_less_than_use_of_today(scope: Team) -> None:
    """By the formula, 10 accesses 90 days ago score 3.4, five of today 5.0."""
    known_to(scope, "stale", access_count=10, days=90)
    known_to(scope, "fresh", access_count=5, days=0)
    known_to(scope, "month", access_count=10, days=30)

    _, known = choose(scope)

    assert [memory.key for memory in known] == ["month", "fresh", "stale"]


def test_what_is_recent_is_found_behind_much_that_is_stale(scope: Team) -> None:
    """Three times as many are read as are taken, so that decay has something to choose from."""
    for number in range(100):
        known_to(scope, f"stale{number}", access_count=10, days=300)
    known_to(scope, "fresh", access_count=9)

    _, known = choose(scope)

    assert known[0].key == "fresh"


def test_pinned_ones_come_first_also_from_other_layers(scope: Team) -> None:
    known_to(scope, "used", access_count=50)
    Memory.objects.for_tenant(scope.tenant).create(
        person=scope.person, layer="entity", namespace="entity/default", key="person/sarah",
        value="Sarah is her sister", source="user", pinned=True, importance=3,
    )  # fmt: skip

    _, known = choose(scope)

    assert [memory.key for memory in known] == ["person/sarah", "used"]


def test_the_directive_stands_however_many_styles_there_are(scope: Team) -> None:
    known_to(scope, "directive", namespace="tacit/personality", days=100)
    for number in range(60):
        known_to(scope, f"style/s{number}", namespace="tacit/personality", access_count=9)

    directive, known = choose(scope)

    assert directive == "Value of directive"
    assert all(memory.key != "directive" for memory in known)


def test_a_persona_has_its_own_directive_or_the_one_for_all(scope: Team) -> None:
    coach = Persona.objects.for_tenant(scope.tenant).create(slug="coach")
    known_to(scope, "directive", namespace="tacit/personality")
    assert choose(scope, coach)[0] == "Value of directive"
    own = Memory.objects.for_tenant(scope.tenant).create(
        person=scope.person, persona=coach, layer="tacit", namespace="tacit/personality", key="directive",
        value="As the coach", source="user",
    )  # fmt: skip

    assert choose(scope, coach)[0] == own.value
    assert choose(scope)[0] == "Value of directive"


def test_onboarding_is_wanted_until_something_is_known_of_the_person(acme: Team, db: None) -> None:
    call = caller(acme)
    session = call("POST", "sessions/", {"user": "newcomer", "key": "chat"}).json()["id"]
    first = call("POST", f"sessions/{session}/context/", {"query": ""}).json()
    call("PATCH", "users/newcomer/", {"display_name": "Nora"})

    second = call("POST", f"sessions/{session}/context/", {"query": ""}).json()

    assert (first["onboarding_needed"], second["onboarding_needed"]) == (True, False)


def test_twenty_pinned_ones_are_always_there_whatever_their_use(scope: Team) -> None:
    for number in range(25):
        known_to(scope, f"pinned{number}", pinned=True, importance=3, access_count=0, days=400)
    for number in range(60):
        known_to(scope, f"used{number}", access_count=90)

    _, known = choose(scope)

    assert len(known) == 50
    assert [memory.key.startswith("pinned") for memory in known[:20]] == [True] * 20
    assert sum(memory.key.startswith("used") for memory in known) == 30


def test_a_pinned_style_is_in_the_foundation_and_counts_among_the_ten(scope: Team) -> None:
    for number in range(20):
        known_to(scope, f"style/s{number}", namespace="tacit/personality", access_count=9)
    known_to(scope, "style/pinned", namespace="tacit/personality", pinned=True, importance=3)

    _, known = choose(scope)

    assert known[0].key == "style/pinned"
    assert sum(memory.namespace == "tacit/personality" for memory in known) == 10
