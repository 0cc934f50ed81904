"""What somebody answers in a word or two is learned with the question: by the job, which sees both."""

from __future__ import annotations

from typing import Any

import pytest

from memories.models import Memory, Todo
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.sessions.conftest import Call, caller
from tests.sessions.test_forgetting import work


def tell(call: Call, *messages: dict[str, Any]) -> None:
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    for message in messages:
        answer = call("POST", f"sessions/{session}/turns/", {"messages": [message]})
        assert answer.status_code == 201, answer.content


def user(text: str, **more: str) -> dict[str, str]:
    return {"role": "user", "content": text, **more}


def assistant(text: str, **more: str) -> dict[str, str]:
    return {"role": "assistant", "content": text, **more}


def values(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        rows = Memory.objects.for_tenant(team.tenant).filter(status=Memory.Status.ACTIVE)
        return sorted(rows.values_list("value", flat=True))


def test_an_answer_is_learned_with_its_question_and_cites_the_answer(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    tell(
        call,
        user("I'm Marit."),
        assistant("Nice to meet you! Where do you live?"),
        user("In Ghent, near the canal."),
        assistant("And what do you do for a living?"),
        user("Nurse at the Mercy."),
    )
    assert not any("Ghent" in value or "Nurse" in value for value in values(acme))

    work(acme)

    assert {"Marit is a nurse at the Mercy.", "Marit lives in Ghent, near the canal."} <= {
        value.replace("The user", "Marit") for value in values(acme)
    }
    with tenant_scope(acme.tenant):
        home = Memory.objects.for_tenant(acme.tenant).get(value__contains="Ghent")
        assert home.observations.get().quote == "In Ghent, near the canal."


@pytest.mark.parametrize(
    "asked",
    [
        {"role": "tool", "content": "Where do you live?"},
        {"role": "user", "content": "Where do you live?", "name": "Marit"},
    ],
)
def test_what_a_tool_or_one_self_asks_is_answered_by_nothing(
    committed_db: None, acme: Team, asked: dict[str, str]
) -> None:
    call = caller(acme)
    tell(call, asked, user("In Ghent, near the canal.", name="Marit"))

    work(acme)

    assert not any("lives" in value for value in values(acme))


def test_another_person_of_the_talk_may_ask(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    tell(call, user("Where do you live?", name="Ole"), user("In Ghent, near the canal.", name="Marit"))

    work(acme)

    assert "Marit lives in Ghent, near the canal." in values(acme)


def test_several_things_to_do_in_one_sentence_are_closed_one_by_one(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    tell(
        call,
        user("I have to tell the gas people, and find someone to take the piano."),
        user("I've told the gas people."),
    )
    work(acme)

    with tenant_scope(acme.tenant):
        todos = dict(Todo.objects.for_tenant(acme.tenant).values_list("text", "status"))
    assert todos == {"Tell the gas people": "done", "Find someone to take the piano": "open"}


def todos_of(team: Team) -> dict[str, str]:
    with tenant_scope(team.tenant):
        return dict(Todo.objects.for_tenant(team.tenant).values_list("text", "status"))


def test_an_errand_that_is_asked_after_is_closed_by_what_is_said_of_it(
    committed_db: None, acme: Team
) -> None:
    call = caller(acme)
    tell(
        call,
        user("I need to sign the lease and order flour from the mill."),
        assistant("Got it. And the flour?"),
        user("Ordered it this morning."),
    )

    work(acme)

    assert todos_of(acme) == {"Sign the lease": "open", "Order flour from the mill": "done"}


def test_what_somebody_answers_is_to_be_done_is_a_todo(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    tell(
        call,
        user("We've moved, boxes everywhere."),
        assistant("Welcome home! So what's next?"),
        user("get a broadband engineer out and change my address with the bank"),
    )

    work(acme)

    assert todos_of(acme) == {
        "Get a broadband engineer out": "open",
        "Change my address with the bank": "open",
    }


def test_what_is_told_behind_an_answer_is_learned_by_itself(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    tell(
        call,
        user("I'm Nadia."),
        assistant("What do you do?"),
        user("Accountant, but I'm about to leave that and open a bakery in Todmorden with my friend Zofia."),
    )

    work(acme)

    assert any(value.endswith("is an accountant.") for value in values(acme))
    assert any("about to open a bakery in Todmorden" in value for value in values(acme))
    assert not any("leave that" in value for value in values(acme))


def test_an_answer_that_its_turn_kept_bare_stands_once(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    tell(
        call,
        user("I'm Marit."),
        assistant("Hello Marit! What do you do for a living?"),
        user("Restoring old church organs in Flanders."),
    )

    work(acme)

    told = [value for value in values(acme) if "organs" in value]
    assert len(told) == 1, told
    assert told[0].startswith(("Marit ", "The user "))
