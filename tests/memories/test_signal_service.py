"""What a message says outright is known in its own transaction."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.models import AuditEntry, Memory, Observation, Todo
from memories.services import apply_signals, pin_memory
from memories.services.forgetting import confirm_forgetting, keep_all, list_named, list_requests
from nebo.errors import Conflict, InvalidInput
from tests.conftest import Team
from tests.memories.conftest import AGENT, live, remember, say

pytestmark = pytest.mark.django_db

SAID = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)


def hear(team: Team, text: str) -> list[Memory]:
    (message,) = say(team, text)
    return apply_signals(
        tenant=team.tenant,
        profile=team.person,
        session_id=message.session_id,
        persona_id=None,
        message_id=message.pk,
        text=text,
        speaker="",
        at=SAID,
        actor=AGENT,
    ).memories


def test_a_name_is_remembered_with_its_words_and_stands_in_the_profile(scope: Team) -> None:
    (memory,) = hear(scope, "Hi there! My name is Caroline.")

    seen = Observation.unscoped.get(memory=memory)
    scope.person.refresh_from_db()
    assert (memory.source, memory.trust, memory.status) == ("signal", "user", "active")
    assert (seen.extractor, seen.message.external_id) == ("signal", "chat:1")
    assert "Caroline" in seen.quote
    assert seen.message.content[seen.quote_start : seen.quote_end] == seen.quote
    assert scope.person.display_name == "Caroline"


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [
        ("I live in Berlin.", "location", "Berlin"),
        ("My timezone is Europe/Berlin.", "timezone", "Europe/Berlin"),
    ],
)
def test_place_and_timezone_stand_in_the_profile(scope: Team, text: str, column: str, value: str) -> None:
    hear(scope, text)

    scope.person.refresh_from_db()
    assert getattr(scope.person, column) == value


def test_a_question_says_nothing(scope: Team) -> None:
    assert hear(scope, "Do you know where I live?") == []


def test_a_move_supersedes_the_place_before(scope: Team) -> None:
    hear(scope, "I live in Berlin.")

    (memory,) = hear(scope, "I live in Lisbon now.")

    assert "Lisbon" in memory.value
    assert Memory.unscoped.get(status="superseded").superseded_by == memory


def test_a_task_becomes_a_todo(scope: Team) -> None:
    hear(scope, "Remind me to call the dentist tomorrow.")

    todo = Todo.unscoped.get()
    assert "dentist" in todo.text
    assert todo.due_at is not None and todo.due_at.date().isoformat() == "2024-05-02"


def test_forgetting_what_can_only_be_one_thing_is_done_at_once(scope: Team) -> None:
    memory = remember(scope, "Plays the cello", key="cello").memory
    remember(scope, "Plays tennis", key="tennis")

    changed = hear(scope, "Please forget that I play the cello.")

    memory.refresh_from_db()
    assert [m.pk for m in changed] == [memory.pk]
    assert memory.status == "deleted"
    assert [m.key for m in live(scope)] == ["tennis"]


def test_forgetting_what_could_be_several_waits_for_a_decision_that_names_each(scope: Team) -> None:
    remember(scope, "Has a dog called Rex", key="dog-rex")
    remember(scope, "Has a dog called Ida", key="dog-ida")
    remember(scope, "Has a cat", key="cat")

    assert hear(scope, "Forget about my dog.") == []

    (asked,) = list_requests(tenant=scope.tenant, profile_id=scope.person.pk)
    named = list_named(tenant=scope.tenant, requests=[asked])[asked.pk]
    assert len(live(scope)) == 3
    assert {memory.key for memory in named} == {"dog-rex", "dog-ida"}
    assert "2 memories" in Todo.unscoped.get().text
    assert len(AuditEntry.unscoped.get(action="memory.forget_proposed").detail["memories"]) == 2


def test_what_is_confirmed_is_forgotten_and_nothing_else(scope: Team) -> None:
    rex = remember(scope, "Has a dog called Rex", key="dog-rex").memory
    remember(scope, "Has a dog called Ida", key="dog-ida")
    hear(scope, "Forget about my dog.")
    (asked,) = list_requests(tenant=scope.tenant, profile_id=scope.person.pk)

    confirm_forgetting(tenant=scope.tenant, request=asked, actor=AGENT, memory_ids=[rex.pk])

    rex.refresh_from_db()
    asked.refresh_from_db()
    assert (rex.status, asked.status, asked.forgotten_ids) == ("deleted", "forgotten", [rex.pk])
    assert [memory.key for memory in live(scope)] == ["dog-ida"]
    assert Todo.unscoped.get().status == "done"


def test_a_memory_the_request_does_not_name_is_not_forgotten_by_it(scope: Team) -> None:
    remember(scope, "Has a dog called Rex", key="dog-rex")
    remember(scope, "Has a dog called Ida", key="dog-ida")
    cat = remember(scope, "Has a cat", key="cat").memory
    hear(scope, "Forget about my dog.")
    (asked,) = list_requests(tenant=scope.tenant, profile_id=scope.person.pk)

    with pytest.raises(InvalidInput):
        confirm_forgetting(tenant=scope.tenant, request=asked, actor=AGENT, memory_ids=[cat.pk])

    assert len(live(scope)) == 3


def test_what_is_kept_is_decided_once(scope: Team) -> None:
    remember(scope, "Has a dog called Rex", key="dog-rex")
    remember(scope, "Has a dog called Ida", key="dog-ida")
    hear(scope, "Forget about my dog.")
    (asked,) = list_requests(tenant=scope.tenant, profile_id=scope.person.pk)

    keep_all(tenant=scope.tenant, request=asked, actor=AGENT)

    assert len(live(scope)) == 2
    with pytest.raises(Conflict):
        confirm_forgetting(tenant=scope.tenant, request=asked, actor=AGENT)


@pytest.mark.parametrize(
    "text",
    [
        "remember globally: The wifi at the cabin is slow, upstairs only.",
        "Global memory: The wifi at the cabin is slow, upstairs only.",
        "GLOBAL  MEMORY :  The wifi at the cabin is slow, upstairs only.  ",
        "Please remember globally: The wifi at the cabin is slow, upstairs only.",
        "By the way.\nRemember globally: The wifi at the cabin is slow, upstairs only.\nThanks!",
    ],
)
def test_what_is_to_be_remembered_globally_is_kept_word_for_word(scope: Team, text: str) -> None:
    (memory,) = hear(scope, text)

    seen = Observation.unscoped.get(memory=memory)
    assert memory.value == "The wifi at the cabin is slow, upstairs only."
    assert (memory.scope, memory.status, memory.profile_id) == ("user", "active", scope.person.pk)
    assert seen.message.content[seen.quote_start : seen.quote_end] == memory.value


@pytest.mark.parametrize(
    "text",
    ["What does “remember globally:” do?", "remember globally:", "I will remember globally: trade was free"],
)
def test_talk_about_the_words_is_no_memo(scope: Team, text: str) -> None:
    assert [memory for memory in hear(scope, text) if "remember" in memory.tags] == []


def test_a_memo_of_several_lines_is_kept_whole(scope: Team) -> None:
    (memory,) = hear(scope, "remember globally: House rules:\n1. Shoes off\n2. No smoking")

    assert memory.value == "House rules:\n1. Shoes off\n2. No smoking"


def test_what_is_pinned_is_never_forgotten_in_passing(scope: Team) -> None:
    memory = remember(scope, "Plays the cello", key="cello").memory
    pin_memory(tenant=scope.tenant, memory=memory, actor=AGENT)

    hear(scope, "Please forget that I play the cello.")

    assert [m.key for m in live(scope)] == ["cello"]


def test_a_secret_told_to_be_remembered_is_not(scope: Team) -> None:
    hear(scope, "Remember that my card is 4111 1111 1111 1111.")

    assert live(scope) == []
    assert not Memory.unscoped.filter(value__contains="4111").exists()
