"""A life of conversations with one persona: first message to spine."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.models import Memory, Todo
from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.tenants.scoping import operator_scope, tenant_scope
from sessions.lifecycle.idle import close_idle_sessions
from sessions.models import RollingSummary, Session, SessionState, SessionSummary, Spine
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.sessions.conftest import Call, caller

pytestmark = pytest.mark.usefixtures("committed_db")


def begin(call: Call, key: str, persona: str | None) -> str:
    body = {"user": "alice", "key": key, "persona": persona}
    return str(call("POST", "sessions/", body).json()["id"])


def say(call: Call, session_id: str, *texts: str) -> None:
    for text in texts:
        body = {"messages": [{"role": "user", "content": text}]}
        assert call("POST", f"sessions/{session_id}/turns/", body).status_code == 201


def context(call: Call, session_id: str, query: str = "") -> dict[str, Any]:
    answer = call("POST", f"sessions/{session_id}/context/", {"query": query})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def state_of(team: Team, slug: str = "coach") -> SessionState:
    with tenant_scope(team.tenant):
        return SessionState.objects.for_tenant(team.tenant).get(persona__slug=slug)


def session_row(team: Team, session_id: str) -> Session:
    with tenant_scope(team.tenant):
        return Session.objects.for_tenant(team.tenant).get(pk=session_id)


def leave(team: Team, session_id: str, *, minutes: int) -> None:
    """Nothing is said for so long."""
    with tenant_scope(team.tenant):
        moment = timezone.now() - timedelta(minutes=minutes)
        Session.objects.for_tenant(team.tenant).filter(pk=session_id).update(last_activity_at=moment)


def sweep() -> int:
    with operator_scope():
        return close_idle_sessions()


def test_the_timeline_of_the_seed_from_the_first_message_to_the_spine(acme: Team) -> None:
    call = caller(acme, scopes=("read", "write", "admin"))
    for slug in ("coach", "friend"):
        assert call("POST", "personas/", {"slug": slug, "name": slug.title()}).status_code == 201

    # t=0: the first message makes person, session and state, a memory for all, and a todo for the coach
    first = begin(call, "monday", "coach")
    say(call, first, "I live in Austin. Remind me to call the dentist tomorrow.")
    state = state_of(acme)
    assert (state.message_count, session_row(acme, first).turn_count) == (1, 1)
    assert state.last_user_message.startswith("I live in Austin")
    assert state.last_interaction_at is not None
    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get(value__contains="Austin")
        todo = Todo.objects.for_tenant(acme.tenant).select_related("persona").get()
    assert (memory.persona_id, todo.persona and todo.persona.slug) == (None, "coach")

    # t=1 to t=3: the fourth message makes a rolling summary due, and no turn waits for it
    say(call, first, "I work as a carpenter.", "My sister Ingrid visits in May.")
    assert run_jobs(acme.tenant, kind="roll") == []
    say(call, first, "I've been building a wooden boat with her for two years.")
    with tenant_scope(acme.tenant):
        assert not RollingSummary.objects.for_tenant(acme.tenant).exists()
    (job,) = run_jobs(acme.tenant, kind="roll")
    state = state_of(acme)
    assert (job.state, state.message_count) == ("succeeded", 4)
    assert state.rolling_success_at is not None and state.rolling_error is None
    with tenant_scope(acme.tenant):
        rolling = RollingSummary.objects.for_tenant(acme.tenant).get()
    assert (rolling.seq_from, rolling.seq_to) == (1, 4)
    assert "boat" in rolling.text and len(rolling.text) <= 600

    # t=35 min: nobody spoke, the session ends and is summarised
    leave(acme, first, minutes=35)
    assert sweep() == 1
    run_jobs(acme.tenant, kind="close")
    assert session_row(acme, first).ended_at is not None
    with tenant_scope(acme.tenant):
        summary = SessionSummary.objects.for_tenant(acme.tenant).get()
    assert summary.one_liner
    assert any("dentist" in item for item in summary.commitments)

    # t=36 min: a new session; the state counts on, and the context knows the last one and the rolling summary
    second = begin(call, "tuesday", "coach")
    say(call, second, "Good morning!")
    assert state_of(acme).message_count == 5
    known = context(call, second, "What did we plan?")
    dynamic = known["dynamic"]
    assert "Ingrid" in dynamic.split("## So Far")[1]
    assert f"{known['stable']}{dynamic}".count("wooden boat") == 1  # told once, wherever it stands
    assert "Call the dentist" in dynamic.split("## Open Loops")[1]

    # t=n: past twenty messages a spine is written, with its four sections
    say(call, second, *[f"Plank number {number} is cut and sanded now." for number in range(16)])
    run_jobs(acme.tenant, kind="spine")
    with tenant_scope(acme.tenant):
        spine = Spine.objects.for_tenant(acme.tenant).get()
    assert (spine.version, spine.message_count >= 20) == (1, True)
    assert set(spine.sections["shared"]) == {"PROFILE", "PROJECTS", "PEOPLE"}
    asked = context(call, second, "Who am I?")
    text = asked["stable"] + asked["dynamic"]
    assert "Austin" in text and "Ingrid" in text

    # and what was promised to the coach is none of the friend's business, in no part of the context
    third = begin(call, "wednesday", "friend")
    say(call, third, "Hello there.")
    answer = context(call, third, "What should I not forget?")
    assert "dentist" not in answer["dynamic"] + answer["stable"]
    assert "Austin" in answer["dynamic"]


def test_a_session_that_goes_on_opens_again_and_is_summarised_anew(acme: Team) -> None:
    call = caller(acme)
    session_id = begin(call, "chat", None)
    say(call, session_id, "We talked about the garden fence.")
    leave(acme, session_id, minutes=31)
    sweep()
    run_jobs(acme.tenant, kind="close")
    assert session_row(acme, session_id).ended_at is not None

    say(call, session_id, "And now about the rowing boat.")
    assert session_row(acme, session_id).ended_at is None
    leave(acme, session_id, minutes=31)
    sweep()
    run_jobs(acme.tenant, kind="close")

    assert session_row(acme, session_id).ended_at is not None
    told = call("GET", f"sessions/{session_id}/summaries/").json()["results"]
    assert [row["seq_to"] for row in told] == [2, 1]


def test_closing_twice_says_nothing_twice(acme: Team) -> None:
    call = caller(acme)
    session_id = begin(call, "chat", None)
    say(call, session_id, "We talked about the garden fence.")

    for _ in range(2):
        call("POST", f"sessions/{session_id}/close/")
        run_jobs(acme.tenant, kind="close")

    assert len(call("GET", f"sessions/{session_id}/summaries/").json()["results"]) == 1


def test_what_was_said_while_it_was_being_closed_keeps_it_open(acme: Team) -> None:
    call = caller(acme)
    session_id = begin(call, "chat", None)
    say(call, session_id, "We talked about the garden fence.")
    call("POST", f"sessions/{session_id}/close/")
    say(call, session_id, "One more thing: the boat.")

    run_jobs(acme.tenant, kind="close")

    (told,) = call("GET", f"sessions/{session_id}/summaries/").json()["results"]
    assert told["seq_to"] == 2


def test_the_next_session_knows_the_last_words_while_no_summary_is_written(acme: Team) -> None:
    call = caller(acme)
    first = begin(call, "first", None)
    say(call, first, "The blue suitcase stands at Ole's place.")
    leave(acme, first, minutes=31)

    second = begin(call, "second", None)
    say(call, second, "Hi again.")
    before = context(call, second)["dynamic"]
    call("POST", f"sessions/{first}/close/")
    run_jobs(acme.tenant, kind="close")
    after = context(call, second)["dynamic"]

    assert "blue suitcase" in before.split("## Last Conversation")[1]
    assert "It was about" in after and "It was about" not in before


def test_last_words_of_yesterday_are_found_by_search_alone(acme: Team) -> None:
    call = caller(acme)
    first = begin(call, "first", None)
    say(call, first, "The blue suitcase stands at Ole's place.")
    leave(acme, first, minutes=24 * 60)

    second = begin(call, "second", None)
    say(call, second, "Hi again.")

    assert "## Last Conversation" not in context(call, second, "zzz")["dynamic"]


def test_what_the_rolling_summary_lacks_is_written_into_it_at_the_end(acme: Team) -> None:
    call = caller(acme)
    session_id = begin(call, "chat", None)
    say(call, session_id, "We want to paint the fence green.", "Ole brings the paint on Friday.")
    call("POST", f"sessions/{session_id}/close/")
    run_jobs(acme.tenant, kind="close")

    run_jobs(acme.tenant, kind="roll")

    (rolling,) = call("GET", "users/alice/rolling-summaries/").json()["results"]
    assert (rolling["seq_to"], "paint" in rolling["text"]) == (2, True)


def test_a_session_whose_closing_was_given_up_is_closed_once_it_went_on(acme: Team) -> None:
    call = caller(acme)
    session_id = begin(call, "chat", None)
    say(call, session_id, "We talked about the garden fence.")
    leave(acme, session_id, minutes=40)
    sweep()
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).filter(kind="close").update(
            state="dead", created_at=timezone.now() - timedelta(minutes=39)
        )
    assert sweep() == 0

    say(call, session_id, "And now about the boat.")
    leave(acme, session_id, minutes=31)

    assert sweep() == 1


def test_a_promise_that_stayed_open_too_long_expires(acme: Team) -> None:
    call = caller(acme)
    say(call, begin(call, "chat", None), "I still have to call the dentist.")
    with tenant_scope(acme.tenant):
        Todo.objects.for_tenant(acme.tenant).update(expires_at=timezone.now() - timedelta(minutes=1))
        enqueue(tenant=acme.tenant, kind="expire-todos", payload={}, dedupe_key="expire-todos")

    (job,) = run_jobs(acme.tenant, kind="expire-todos")

    assert (job.state, job.result) == ("succeeded", {"expired": 1})
    (todo,) = call("GET", "users/alice/todos/?status=expired").json()["results"]
    assert todo["closed_by"] == f"job:{job.pk}"
