"""Entity cards: which facts stand on them, in which order, and who may see them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.models import Entity, Memory
from memories.new_memory import NewMemory
from memories.people.cards import list_card_facts, list_cards, list_entities
from memories.storing.edit import pin_memory
from memories.storing.store import store_memory
from nebo.tenants.ids import default_persona_id
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks
from personality.models import Persona
from tests.conftest import Team
from tests.memories.conftest import AGENT, Call, caller, remember

pytestmark = pytest.mark.django_db


def tell(team: Team, value: str, *refs: str, age: int = 0, **fields: Any) -> Memory:
    fields = {"entity_refs": refs or ("person:john",), "importance": 2, **fields}
    memory = remember(team, value, key=value.lower(), **fields).memory
    Memory.unscoped.filter(pk=memory.pk).update(created_at=timezone.now() - timedelta(days=age))
    memory.refresh_from_db()
    return memory


def cards(team: Team, **view: Any) -> list[str]:
    rows = list_entities(tenant=team.tenant, person_id=team.person.pk).order_by("ref")
    return [card.text for card in list_cards(tenant=team.tenant, entities=list(rows), **view)]


def recalled_with(team: Team, *memories: Memory, persona_id: UUID | None = None) -> dict[str, list[str]]:
    """The facts at the head of a prompt that recalls these memories, by whom they are about."""
    refs = [ref for memory in memories for ref in memory.entity_refs]
    facts = list_card_facts(
        tenant=team.tenant,
        person_ids=(team.person.pk, team.shared.pk),
        refs=refs,
        persona_id=persona_id or default_persona_id(team.tenant.pk),
    )
    told: dict[str, list[str]] = {}
    for fact in facts:
        told.setdefault(fact["ref"], []).append(fact["value"])
    return told


def test_a_card_reads_as_the_seed_writes_it(scope: Team) -> None:
    for age, value in enumerate(("fact1", "fact2", "fact3")):
        tell(scope, value, age=age)

    assert cards(scope) == ["[person:john]: fact1; fact2; fact3"]


def test_pinned_comes_first_then_important_then_new_and_three_are_enough(scope: Team) -> None:
    tell(scope, "old", age=9)
    tell(scope, "new", age=1)
    tell(scope, "critical", importance=3, age=30)
    pinned = tell(scope, "pinned", importance=0, age=60)
    pin_memory(tenant=scope.tenant, memory=pinned, actor=AGENT)

    assert cards(scope) == ["[person:john]: pinned; critical; new"]


@pytest.mark.parametrize(("importance", "shown"), [(0, False), (1, False), (2, True), (3, True)])
def test_below_two_only_what_is_pinned_stands_on_a_card(scope: Team, importance: int, shown: bool) -> None:
    memory = tell(scope, "John is a cousin", importance=importance)
    assert bool(cards(scope)) is shown

    pin_memory(tenant=scope.tenant, memory=memory, actor=AGENT)

    assert cards(scope) == ["[person:john]: John is a cousin"]
    memory.refresh_from_db()
    assert memory.importance == 3


@pytest.mark.parametrize(
    "change",
    [
        {"confidence": 0.6},
        {"status": "archived"},
        {"status": "quarantined"},
        {"expires_at": timezone.now() - timedelta(days=1)},
    ],
    ids=["unsure", "archived", "quarantined", "expired"],
)
def test_what_no_prompt_may_hold_is_on_no_card(scope: Team, change: dict[str, Any]) -> None:
    memory = tell(scope, "John is a cousin")
    Memory.unscoped.filter(pk=memory.pk).update(**change)

    assert cards(scope) == []


def test_all_facts_about_an_entity_are_found_from_one_of_them(scope: Team) -> None:
    found = tell(scope, "John called", importance=1)
    tell(scope, "John is my cofounder")
    tell(scope, "Acme builds rockets", "org:acme")
    tell(scope, "John founded Acme", "org:acme", "person:john")

    texts = recalled_with(scope, found)

    assert texts == {"person:john": ["John founded Acme", "John is my cofounder"]}


def test_cards_of_many_entities_take_one_query(scope: Team) -> None:
    found = [tell(scope, f"Friend {name} is dear", f"person:{name}") for name in "abcdefghijklmnop"]

    with CaptureQueriesContext(connection) as asked:
        texts = recalled_with(scope, *found)

    assert len(asked) == 1
    assert len(texts) == 16


def test_a_persons_and_everyones_facts_share_a_card(scope: Team) -> None:
    own = tell(scope, "Acme hired me", "org:acme")
    new = NewMemory(value="Acme is closed in August", scope="global", entity_refs=("org:acme",), importance=3)
    everyones = store_memory(tenant=scope.tenant, person=scope.person, new=new, actor=AGENT).memory

    texts = recalled_with(scope, own, everyones)

    assert texts == {"org:acme": ["Acme is closed in August", "Acme hired me"]}


def test_what_one_persona_was_told_is_on_no_card_of_another(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        coach = Persona.objects.for_tenant(acme.tenant).create(slug="coach-2")
        friend = Persona.objects.for_tenant(acme.tenant).create(slug="friend-2")
        tell(acme, "John is ill", persona_id=coach.pk)
        tell(acme, "Ada is a secret", "person:ada", persona_id=coach.pk)
        told_all = tell(acme, "John is my cofounder", importance=1)
        pin_memory(tenant=acme.tenant, memory=told_all, actor=AGENT)
        by_friend = recalled_with(acme, told_all, persona_id=friend.pk)
        by_coach = recalled_with(acme, told_all, persona_id=coach.pk)

    over_http = caller(acme, speaks=Speaks(friend.pk))("GET", "users/alice/entities/").json()["results"]

    assert by_friend == {"person:john": ["John is my cofounder"]}
    assert by_coach == {"person:john": ["John is my cofounder", "John is ill"]}
    assert [card["text"] for card in over_http] == ["[person:john]: John is my cofounder"]


def test_a_page_of_cards_holds_only_entities_with_one(acme: Team, call: Call) -> None:
    with tenant_scope(acme.tenant):
        for number in range(5):
            tell(acme, f"Dull {number}", f"person:a{number}", importance=1)
        tell(acme, "Zoë paints", "person:Zoë")

    page = call("GET", "users/alice/entities/?limit=2").json()

    assert ([card["ref"] for card in page["results"]], page["next"]) == (["person:zoë"], None)


def test_a_card_is_asked_for_by_its_reference(acme: Team, call: Call) -> None:
    with tenant_scope(acme.tenant):
        tell(acme, "John is my cofounder")
        tell(acme, "Ada is a friend", "person:ada")

    (card,) = call("GET", "users/alice/entities/?ref=person:John").json()["results"]

    assert card["text"] == "[person:john]: John is my cofounder"
    assert call("GET", "users/alice/entities/?ref=person:nobody").json()["results"] == []
    assert call("GET", "users/alice/entities/?ref=nonsense").status_code == 400


@pytest.mark.parametrize(
    ("name", "ref"), [("Zoë", "person:zoë"), ("李雷", "person:李雷"), ("Łukasz", "person:łukasz")]
)
def test_people_of_any_script_have_a_card(scope: Team, name: str, ref: str) -> None:
    tell(scope, f"{name} is a friend", f"person:{name}")

    assert cards(scope) == [f"[{ref}]: {name} is a friend"]
    assert Entity.objects.for_tenant(scope.tenant).get().label == name.title()


def test_a_memory_that_only_names_its_entity_gets_type_and_label(scope: Team) -> None:
    memory = tell(scope, "John Doe is my cofounder", "people/John-Doe")

    assert (memory.entity_refs, memory.entity_type, memory.entity_label) == (
        ["person:john_doe"], "person", "John-Doe",
    )  # fmt: skip


def test_cards_head_the_recalled_block_of_a_context(acme: Team, call: Call) -> None:
    with tenant_scope(acme.tenant):
        tell(acme, "John is my cofounder")
        tell(acme, "John likes hiking in the Alps", importance=1)
        remember(acme, "Hiking boots are size 44", key="boots")
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]

    dynamic = call("POST", f"sessions/{session}/context/", {"query": "hiking with John"}).json()["dynamic"]

    lines = dynamic.partition("## Recalled For This Turn")[2].splitlines()
    shown = [line for line in lines if line.startswith(("[person", "- "))]
    assert shown[0] == "[person:john]: John is my cofounder"
    assert any("John likes hiking in the Alps" in line for line in shown[1:])


def test_a_pinned_memory_is_in_the_context_whatever_is_asked(acme: Team, call: Call) -> None:
    with tenant_scope(acme.tenant):
        for number in range(60):
            used = remember(acme, f"Habit {number}", key=f"h{number}", layer="tacit", namespace="habits")
            Memory.unscoped.filter(pk=used.memory.pk).update(access_count=99)
        pinned = tell(acme, "Mom lives in Seattle", "person:mom", importance=0, layer="entity")
        pin_memory(tenant=acme.tenant, memory=pinned, actor=AGENT)
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]

    stable = call("POST", f"sessions/{session}/context/", {"query": "weather"}).json()["stable"]

    assert "Mom lives in Seattle" in stable
