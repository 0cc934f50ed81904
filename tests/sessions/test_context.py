"""Contexts over HTTP: what is known, what is recalled, what is said; in budget; closed when empty."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memories.models import Memory
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session
from tests.conftest import Team
from tests.sessions.conftest import Call

pytestmark = pytest.mark.django_db


def remember(team: Team, value: str, **fields: object) -> Memory:
    defaults = {"layer": "tacit", "namespace": "tacit/preferences", "key": value.lower(), "source": "user"}
    with tenant_scope(team.tenant):
        return Memory.objects.for_tenant(team.tenant).create(
            person=fields.pop("person", team.person), value=value, **{**defaults, **fields}
        )


def talk(call: Call, session_id: str, *contents: str) -> None:
    messages = [{"role": "user", "content": content} for content in contents]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201


def test_known_things_stand_in_the_stable_block_and_words_in_the_messages(
    call: Call, session_id: str, acme: Team
) -> None:
    remember(acme, "Prefers tea")
    talk(call, session_id, "Good morning.")

    context = call("POST", f"sessions/{session_id}/context/", {"query": "breakfast"}).json()

    assert "Prefers tea" in context["stable"]
    assert [message["content"] for message in context["messages"]] == ["Good morning."]
    assert context["continuity"]["ok"] is True
    assert context["tokens"]["total"] >= context["tokens"]["stable"] > 0


@pytest.mark.parametrize(
    "hidden",
    [
        {"confidence": 0.6},
        {"status": "quarantined"},
        {"status": "archived"},
        {"expires_at": timezone.now() - timedelta(days=1)},
    ],
    ids=["unsure", "quarantined", "archived", "expired"],
)
def test_what_may_not_stand_in_a_prompt_does_not(
    call: Call, session_id: str, acme: Team, hidden: dict[str, object]
) -> None:
    remember(acme, "Prefers tea", **hidden)
    talk(call, session_id, "Good morning.")

    context = call("POST", f"sessions/{session_id}/context/", {"query": "tea"}).json()

    assert "Prefers tea" not in context["stable"] + context["dynamic"]


def test_a_pinned_memory_stands_there_however_unsure(call: Call, session_id: str, acme: Team) -> None:
    remember(
        acme, "Is called Ali", confidence=0.5, pinned=True, importance=3, layer="entity", namespace="entity/x"
    )
    talk(call, session_id, "Good morning.")

    assert "Is called Ali" in call("POST", f"sessions/{session_id}/context/", {}).json()["stable"]


def test_another_persons_memory_is_never_there(call: Call, session_id: str, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).create(external_id="bob")
    remember(acme, "Bob's secret is tea", person=bob)
    talk(call, session_id, "What about tea?")

    context = call("POST", f"sessions/{session_id}/context/", {"query": "tea secret"}).json()

    assert "secret" not in context["stable"] + context["dynamic"]


def test_a_compacted_message_comes_back_as_a_cited_card(call: Call, session_id: str, acme: Team) -> None:
    call("PATCH", f"sessions/{session_id}/", {"auto_extract": False})
    talk(call, session_id, "My sister Ingrid plays the cello.", "The weather is fine.")
    with tenant_scope(acme.tenant):
        first = Message.objects.for_tenant(acme.tenant).get(seq=1)
        Message.objects.for_tenant(acme.tenant).filter(seq=1).update(compacted=True)

    context = call("POST", f"sessions/{session_id}/context/", {"query": "Who plays the cello?"}).json()

    assert [str(first.pk)] in [card.get("message_ids") for card in context["cards"]]
    assert "cello" in context["dynamic"]
    assert "cello" not in str(context["messages"])


def test_the_budget_is_kept_and_the_newest_message_stays(call: Call, session_id: str) -> None:
    talk(call, session_id, *(f"This is message number {n} of a long talk." for n in range(200)))

    context = call("POST", f"sessions/{session_id}/context/", {"token_budget": 600}).json()

    assert context["tokens"]["total"] <= 600
    assert context["messages"][-1]["content"].startswith("This is message number 199")


def test_an_existing_session_with_nothing_left_fails_closed(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, "The launch is in May.")
    with tenant_scope(acme.tenant):
        Message.objects.for_tenant(acme.tenant).update(archived_at=timezone.now())

    answer = call("POST", f"sessions/{session_id}/context/", {"query": "zebra"})

    assert answer.status_code == 409
    assert answer.json()["code"] == "continuity-missing"
    assert answer.json()["recovery"]


def test_a_new_session_is_never_blocked(call: Call, session_id: str) -> None:
    assert call("POST", f"sessions/{session_id}/context/", {"query": "Hello"}).status_code == 200


def test_recovery_is_said_once_after_a_compaction(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, "Hello.")
    with tenant_scope(acme.tenant):
        Session.objects.for_tenant(acme.tenant).update(recovering=True, summary="They planned a trip.")

    first = call("POST", f"sessions/{session_id}/context/", {}).json()
    second = call("POST", f"sessions/{session_id}/context/", {}).json()

    assert [hint["name"] for hint in first["steering"]] == ["compactionRecovery"]
    assert "They planned a trip." in first["dynamic"]
    assert second["steering"] == []


@pytest.mark.parametrize("format", ["text", "openai", "anthropic"])
def test_each_format_comes_under_its_name(call: Call, session_id: str, format: str) -> None:
    talk(call, session_id, "Hello.")

    assert format in call("POST", f"sessions/{session_id}/context/", {"format": format}).json()


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({"format": "xml"}, "#/format"), ({"token_budget": 1}, "#/token_budget"), ({"q": "x"}, "#/q")],
)
def test_bad_input_names_the_field(
    call: Call, session_id: str, body: dict[str, object], pointer: str
) -> None:
    answer = call("POST", f"sessions/{session_id}/context/", body)

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_card_says_whether_the_person_or_the_agent_spoke(call: Call, session_id: str) -> None:
    call("PATCH", f"sessions/{session_id}/", {"auto_extract": False})
    said = [
        {"role": "user", "content": "I play the cello on Mondays."},
        {"role": "assistant", "content": "For the cello I suggest gut strings."},
        {"role": "user", "name": "Maya", "content": "My cello is from Leipzig."},
    ]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": said}).status_code == 201
    later = call("POST", "sessions/", {"user": "alice", "key": "later"}).json()["id"]

    cards = call("POST", f"sessions/{later}/context/", {"query": "the cello"}).json()["cards"]

    speakers = {card["text"].partition("] ")[2].partition(":")[0] for card in cards if "message_ids" in card}
    assert speakers == {"User", "Assistant", "Maya"}


def test_an_agent_with_its_own_prompt_is_told_of_no_memory_tool(
    call: Call, session_id: str, acme: Team
) -> None:
    remember(acme, "Prefers tea")
    talk(call, session_id, "Good morning. From now on, please remember that I like it quiet.")
    asked = {"query": "breakfast", "own_prompt": True, "format": "anthropic"}

    context = call("POST", f"sessions/{session_id}/context/", asked).json()

    assert "Prefers tea" in context["stable"]
    assert "emory tool" not in context["stable"]
    assert context["steering"] == []
    assert context["anthropic"]["system"][0]["text"] == context["stable"]
