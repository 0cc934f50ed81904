"""What is decided in the inbox: exactly what was shown, once, and every decision can be undone."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from memories.models import AuditEntry, Memory
from memories.storing.edit import pin_memory, update_memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.dashboard.waiting import (
    KINDS,
    ME,
    ORDER,
    PAGE,
    ask_to_forget,
    contradict,
    hold_back,
    items_of,
    press,
    run_that_waits,
    state,
    undo,
    wish,
)
from tests.memories.conftest import AGENT, say
from tests.visitors import refetch, text_of, visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


# --- What is decided -------------------------------------------------------------------------------------


def test_approving_uses_exactly_what_was_shown(acme: Team, client: Client) -> None:
    memory = hold_back(acme)

    page = press(client, items_of(acme)[0])

    with tenant_scope(acme.tenant):
        memory.refresh_from_db()
    assert "Approved. Agents use it from now on." in page
    assert (memory.status, memory.value) == ("active", ORDER)
    assert items_of(acme) == []


def test_approving_a_contradiction_puts_it_in_the_place_of_what_was_known(acme: Team, client: Client) -> None:
    memory = contradict(acme)
    before = state(acme)

    press(client, items_of(acme)[0])

    with tenant_scope(acme.tenant):
        values = Memory.objects.for_tenant(acme.tenant).filter(status="active")
        assert [one.value for one in values] == ["Lives in Rome"]
    undo(client)
    assert state(acme) == before
    with tenant_scope(acme.tenant):
        memory.refresh_from_db()
    assert memory.status == "quarantined"


@pytest.mark.parametrize("act", ["approve", "reject"])
def test_what_changed_meanwhile_is_refused_and_shown_anew(acme: Team, client: Client, act: str) -> None:
    memory = hold_back(acme)
    (shown,) = items_of(acme)
    with tenant_scope(acme.tenant):
        update_memory(tenant=acme.tenant, memory=memory, changes={"value": "Prefers tea"}, actor=AGENT)

    page = press(client, shown, act)

    assert "It changed since you read it, so nothing was done." in page
    assert "Prefers tea" in page
    with tenant_scope(acme.tenant):
        memory.refresh_from_db()
    assert memory.status == "quarantined"


def test_what_it_would_replace_having_changed_counts_too(acme: Team, client: Client) -> None:
    contradict(acme)
    (shown,) = items_of(acme)
    with tenant_scope(acme.tenant):
        known = Memory.objects.for_tenant(acme.tenant).get(value="Lives in Lisbon")
        update_memory(tenant=acme.tenant, memory=known, changes={"value": "Lives in Porto"}, actor=ME)

    assert "It changed since you read it" in press(client, shown)
    with tenant_scope(acme.tenant):
        known.refresh_from_db()
    assert known.status == "active"


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_done_without_having_seen_it(acme: Team, client: Client, kind: str) -> None:
    KINDS[kind](acme)
    before = state(acme)
    (item,) = [one for one in items_of(acme) if one.kind == kind]

    for seen in ("", "nonsense"):
        client.post(f"{PAGE}{kind}/{item.id}/", {"act": "approve", "seen": seen, "memory": []})

    assert state(acme) == before
    assert [one.kind for one in items_of(acme)] == [item.kind]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_decided_in_another_tab_is_not_decided_again(acme: Team, client: Client, kind: str) -> None:
    KINDS[kind](acme)
    (item,) = items_of(acme)
    ticked = {option.name: option.id for option in item.options}
    press(client, item, **ticked)

    assert "This was decided already." in press(client, item, "reject")


@pytest.mark.parametrize("act", ["approve", "reject"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_decision_can_be_undone(acme: Team, client: Client, kind: str, act: str) -> None:
    KINDS[kind](acme)
    before = state(acme)
    (item,) = items_of(acme)
    ticked = {name: [one.id for one in item.options if one.name == name] for name in ("memory", "todo")}
    keep = {"keep": "neither"} if kind == "pair" and act == "reject" else {}
    press(client, item, act, **ticked, **keep)
    decided = state(acme)

    page = undo(client)

    assert items_of(acme) == [] or "waits for your decision again" in page
    if (kind, act) == ("run", "approve"):  # taken back, and what it would teach doesn't wait any more
        live = {one["value"] for one in state(acme)["memories"].values() if one["status"] == "active"}
        assert live >= {f"Old value {number}" for number in range(10)}
        assert not any(value.startswith("New") for value in live)
        return
    assert decided != before or (kind, act) == ("run", "reject")
    assert state(acme) == before
    assert [one.kind for one in items_of(acme)] == [kind]


def test_an_undone_approval_of_a_run_can_be_undone_in_turn(acme: Team, client: Client) -> None:
    run_that_waits(acme)
    press(client, items_of(acme)[0])
    learned = state(acme)
    undo(client)

    page = undo(client)

    assert "It is known again" in page
    assert state(acme)["memories"] == learned["memories"]


def test_what_was_learned_lately_can_be_reverted_and_that_undone(acme: Team, client: Client) -> None:
    run = run_that_waits(acme)
    press(client, items_of(acme)[0])
    learned = state(acme)
    assert "Read and learned lately" in text_of(client.get(PAGE))

    page = text_of(client.post(f"{PAGE}runs/{run.pk}/revert/", follow=True))

    assert "Taken back, with all that it taught." in page
    assert state(acme) != learned
    undo(client)
    assert state(acme)["memories"] == learned["memories"]
    assert state(acme)["todos"] == learned["todos"]


def test_a_decision_is_undone_once_and_not_over_a_later_change(acme: Team, client: Client) -> None:
    memory = hold_back(acme, "Prefers oat milk in coffee")
    press(client, items_of(acme)[0])
    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="inbox.approved")
        update_memory(tenant=acme.tenant, memory=memory, changes={"value": "Prefers tea"}, actor=ME)
    address = f"{PAGE}decisions/{entry.pk}/undo/"

    late = text_of(client.post(address, follow=True))

    assert "It was changed since; nothing was undone." in late
    with tenant_scope(acme.tenant):
        memory.refresh_from_db()
    assert (memory.status, memory.value) == ("active", "Prefers tea")

    wish(acme)
    press(client, items_of(acme)[0])
    page = client.get(PAGE).content.decode()
    other = re.findall(r"/t/acme/inbox/decisions/[-0-9a-f]+/undo/", page)[0]
    client.post(other)
    assert "This was undone already." in text_of(client.post(other, follow=True))


def test_only_what_is_ticked_is_forgotten(acme: Team, client: Client) -> None:
    ask_to_forget(acme)
    (item,) = items_of(acme)
    rex = next(one.id for one in item.options if "Rex" in one.text)

    assert "1 memory moved to the trash" in press(client, item, memory=[rex])

    with tenant_scope(acme.tenant):
        statuses = dict(Memory.objects.for_tenant(acme.tenant).values_list("key", "status"))
    assert statuses == {"dog-rex": "deleted", "dog-ida": "active"}


@pytest.mark.parametrize("ticked", [[], ["nonsense"], ["0190a2b4-0000-7000-8000-000000000000"]])
def test_nothing_is_forgotten_where_nothing_of_it_is_ticked(
    acme: Team, client: Client, ticked: list[str]
) -> None:
    ask_to_forget(acme)
    before = state(acme)

    press(client, items_of(acme)[0], memory=ticked)

    assert state(acme) == before


def test_what_a_person_pinned_is_not_ticked(acme: Team) -> None:
    ask_to_forget(acme)
    with tenant_scope(acme.tenant):
        ida = Memory.objects.for_tenant(acme.tenant).get(key="dog-ida")
        pin_memory(tenant=acme.tenant, memory=ida, actor=ME)

    options = {one.text: (one.ticked, one.badge) for one in items_of(acme)[0].options}

    assert options["Has a dog called Ida"] == (False, "Pinned")
    assert options["Has a dog called Rex"] == (True, "")


def test_rejecting_leaves_the_words_unless_they_are_to_go_too(acme: Team, client: Client) -> None:
    hold_back(acme, "Prefers oat milk in coffee")
    press(client, items_of(acme)[0], "reject")
    kept = withheld(acme)
    undo(client)

    press(client, items_of(acme)[0], "reject", words="true")

    assert (kept, withheld(acme)) == (False, True)
    undo(client)
    assert not withheld(acme)


def withheld(team: Team) -> bool:
    """Whether agents are shown less than was said."""
    with tenant_scope(team.tenant):
        return any(
            message.shown is not None for message in type(say(team, "x")[0]).objects.for_tenant(team.tenant)
        )


def test_an_edit_leads_back_to_the_inbox(acme: Team, client: Client) -> None:
    memory = hold_back(acme, "Prefers oat milk in coffee")
    address = f"/t/acme/memories/{memory.pk}/edit/"
    assert 'name="view" value="inbox"' in client.get(f"{address}?view=inbox").content.decode()

    body = {
        "view": "inbox",
        "version": memory.version,
        "value": "Prefers milk",
        "type": memory.type,
        "tags": "",
    }
    answer = client.post(address, body)

    assert answer["Location"] == PAGE
    assert [item.thing.value for item in items_of(acme)] == ["Prefers milk"]


def test_scripts_get_the_notice_and_the_list_looks_again(acme: Team, client: Client) -> None:
    hold_back(acme)
    (item,) = items_of(acme)

    answer = client.post(f"{PAGE}memory/{item.id}/", {"act": "approve", "seen": item.seen}, **refetch())

    assert answer["HX-Trigger"] == "inbox-changed"
    assert "<html" not in answer.content.decode()
    assert "Undo" in text_of(answer)
