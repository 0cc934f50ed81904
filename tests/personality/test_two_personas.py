"""Two personas: what is told to one alone is never the other's, wherever it could come to light."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.test import TestCase

from memories.models import Memory
from nebo.jobs.models import Job
from nebo.jobs.worker.running import run_job
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks
from personality.models import Persona
from search.models import Chunk
from tests.conftest import Team
from tests.memories.conftest import Call, caller

pytestmark = pytest.mark.django_db
SECRET = "Zanzibar"  # a word that stands in nothing else
SHARED = "Lisbon"
MEMORY = {"value": f"Plans a trip to {SECRET}", "key": "trip", "importance": 3, "pinned": True}


@pytest.fixture
def admin(db: None, acme: Team) -> Call:
    """A key that may do anything, and the personas `coach` and `nurse`."""
    call = caller(acme, scopes=("read", "write", "admin"))
    for slug in ("coach", "nurse"):
        assert call("POST", "personas/", {"slug": slug, "name": slug.title()}).status_code == 201
    return call


def chat(call: Call, persona: str | None, key: str = "") -> str:
    body = {"user": "alice", "key": key or f"with-{persona}", **({"persona": persona} if persona else {})}
    session: str = call("POST", "sessions/", body).json()["id"]
    return session


def turn(call: Call, session: str, *texts: str, role: str = "user") -> dict[str, Any]:
    answer = call(
        "POST",
        f"sessions/{session}/turns/",
        {"messages": [{"role": role, "content": text} for text in texts]},
    )
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


def bound(team: Team, slug: str) -> Call:
    """A key of one persona."""
    with tenant_scope(team.tenant):
        persona = Persona.objects.for_tenant(team.tenant).get(slug=slug)
    return caller(team, speaks=Speaks(persona.pk), scopes=("read", "write"))


def work(team: Team) -> None:
    """Everything that waits in the queue, as a worker does it."""
    for _ in range(10):
        with tenant_scope(team.tenant):
            Job.objects.for_tenant(team.tenant).filter(state="queued").update(due_at="2020-01-01T00:00:00Z")
            waiting = list(
                Job.objects.for_tenant(team.tenant).filter(state="queued").values_list("pk", flat=True)
            )
        if not waiting:
            return
        for job_id in waiting:
            run_job(str(team.tenant.pk), str(job_id))


def everything(call: Call, session: str, persona: str | None) -> Iterator[tuple[str, str]]:
    """All that an agent reads as one persona, by name; asked for the secret itself."""
    named = {"persona": persona} if persona else {}
    query = f"trip to {SECRET} and {SHARED}"
    query_string = f"?persona={persona}" if persona else ""
    yield (
        "search",
        call("POST", "users/alice/search/", {"query": query, "limit": 50, **named}).content.decode(),
    )
    for ranking in ("adaptive", "dense", "lexical"):
        body = {"query": query, "limit": 50, "ranking": ranking, **named}
        yield ranking, call("POST", "users/alice/search/", body).content.decode()
    yield (
        "recall",
        call("POST", "users/alice/recall/", {"query": query, "min_similarity": 0, **named}).content.decode(),
    )
    for action, more in (("search", {"query": query}), ("list", {}), ("recall", {"key": "trip"})):
        body = {"action": action, **more, **named}
        yield f"tool {action}", call("POST", "users/alice/tool/", body).content.decode()
    yield "cards", call("GET", f"users/alice/entities/{query_string}").content.decode()
    yield "personality", call("GET", f"users/alice/personality/{query_string}").content.decode()
    yield "person", call("GET", "users/alice/").content.decode()
    for form in ("sections", "text", "openai", "anthropic"):
        body = {"query": query, "format": form}
        yield f"context {form}", call("POST", f"sessions/{session}/context/", body).content.decode()
    yield "memories", call("GET", f"users/alice/memories/?persona={persona or 'default'}").content.decode()
    yield (
        "todos",
        call("GET", f"users/alice/todos/?status=all&persona={persona or 'default'}").content.decode(),
    )
    if persona:
        for name in ("states", "rolling-summaries", "spine"):
            answer = call("GET", f"users/alice/{name}/{query_string}")
            yield name, answer.content.decode() if answer.status_code == 200 else ""


def where(places: Iterator[tuple[str, str]], word: str) -> list[str]:
    return [name for name, text in places if word in json.dumps(text, ensure_ascii=False)]


def ready(call: Call, team: Team) -> dict[str | None, str]:
    """A conversation with each, begun with something harmless that nothing is found by."""
    with tenant_scope(team.tenant):
        Persona.objects.for_tenant(team.tenant).get_or_create(
            pk=default_persona_id(team.tenant.pk), defaults={"slug": "default"}
        )
    sessions = {persona: chat(call, persona) for persona in ("coach", "nurse", None)}
    for session in sessions.values():
        turn(call, session, "Good morning!")
    return sessions


def test_a_memory_written_for_one_persona_is_that_ones_alone(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)
    body = {**MEMORY, "persona": "coach", "entity_refs": ["place:zanzibar"], "entity_label": SECRET}

    assert admin("POST", "users/alice/memories/", body).json()["persona"] == "coach"

    heard = where(everything(admin, sessions["coach"], "coach"), SECRET)
    assert {"search", "recall", "tool search", "tool list", "tool recall", "cards", "memories"} <= set(heard)
    assert {f"context {form}" for form in ("sections", "text", "openai", "anthropic")} <= set(heard)
    for other in ("nurse", None):
        assert where(_without_the_question(everything(admin, sessions[other], other)), SECRET) == []


def test_what_is_said_between_us_stays_with_the_one_it_was_said_to(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)
    said = f"I live in {SHARED}. Just between us, my boyfriend lives in {SECRET}."

    turned = turn(admin, sessions["coach"], said)
    turn(admin, sessions["coach"], f"Your {SECRET} plan is safe with me.", role="assistant")
    for number in range(5):  # enough for a rolling summary and a spine
        turn(admin, sessions["coach"], *(f"We talked about hill {number}{part}." for part in range(4)))
    admin("POST", f"sessions/{sessions['coach']}/close/")
    work(acme)

    personas = {memory["value"]: memory["persona"] for memory in turned["signals"]}
    assert {persona for value, persona in personas.items() if SECRET in value} == {"coach"}
    assert {persona for value, persona in personas.items() if SHARED in value} == {None}
    assert "search" in where(everything(admin, sessions["coach"], "coach"), SECRET)
    for other in ("nurse", None):
        found = list(_without_the_question(everything(admin, sessions[other], other)))
        assert where(iter(found), SECRET) == []
        assert "recall" in where(iter(found), SHARED)


def test_what_is_said_between_us_to_nobody_in_particular_is_the_default_personas(
    admin: Call, acme: Team
) -> None:
    sessions = ready(admin, acme)
    turn(admin, sessions[None], f"I'm planning a trip to {SECRET}. Don't tell the others.")
    turn(admin, sessions[None], f"{SECRET} it is, my lips are sealed.", role="assistant")
    work(acme)

    assert "search" in where(everything(admin, sessions[None], None), SECRET)
    for other in ("coach", "nurse"):
        assert where(_without_the_question(everything(admin, sessions[other], other)), SECRET) == []
    with tenant_scope(acme.tenant):
        chunks = Chunk.objects.for_tenant(acme.tenant).filter(text__contains=SECRET)
        assert {chunk.persona_id for chunk in chunks} == {default_persona_id(acme.tenant.pk)}


def test_a_persona_can_keep_to_itself_all_it_learns(admin: Call, acme: Team) -> None:
    admin("PATCH", "personas/coach/", {"memory_scope": "own"})
    sessions = ready(admin, acme)
    turn(
        admin,
        sessions["coach"],
        f"My favourite city is {SECRET}.",
        f"I still need to pack for {SECRET} tomorrow.",
        f"I live in {SECRET}.",
    )
    admin(
        "POST",
        "users/alice/tool/",
        {"action": "store", "key": "trip", "value": f"Flies to {SECRET}", "session": sessions["coach"]},
    )
    work(acme)

    assert "search" in where(everything(admin, sessions["coach"], "coach"), SECRET)
    for other in ("nurse", None):
        assert where(_without_the_question(everything(admin, sessions[other], other)), SECRET) == []
    with tenant_scope(acme.tenant):
        learned = Memory.objects.for_tenant(acme.tenant).filter(value__contains=SECRET)
        assert learned.count() >= 2
        assert {memory.persona.slug for memory in learned.select_related("persona")} == {"coach"}
        assert UserProfile.objects.for_tenant(acme.tenant).get(external_id="alice").location == ""


def test_the_default_persona_learns_for_all(admin: Call) -> None:
    refused = admin("PATCH", "personas/default/", {"memory_scope": "own"})

    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/memory_scope")


def test_a_key_of_one_persona_gets_nothing_of_the_others(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)
    turn(admin, sessions["coach"], f"Just between us: my favourite city is {SECRET}.")
    work(acme)
    nurse, coach = bound(acme, "nurse"), bound(acme, "coach")

    assert where(_without_the_question(everything(nurse, sessions["nurse"], "nurse")), SECRET) == []
    assert "search" in where(everything(coach, sessions["coach"], "coach"), SECRET)
    for path in ("memories/", "todos/", "entities/", "extraction-runs/"):
        assert SECRET not in nurse("GET", f"users/alice/{path}").content.decode()
    assert nurse("POST", "users/alice/search/", {"query": SECRET, "persona": "coach"}).status_code == 404
    assert nurse("GET", "users/alice/memories/?persona=coach").status_code == 404
    assert nurse("POST", f"sessions/{sessions['coach']}/context/", {}).status_code == 404


def test_one_persona_can_neither_name_nor_forget_what_another_was_told(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)
    turn(admin, sessions["coach"], f"Just between us, my boyfriend lives in {SECRET}.")

    answer = turn(admin, sessions["nurse"], "Delete what you know about my boyfriend.")

    assert SECRET not in json.dumps(answer)
    with tenant_scope(acme.tenant):
        held = Memory.objects.for_tenant(acme.tenant).filter(value__contains=SECRET)
        assert {memory.status for memory in held} == {"active"}


def test_an_answer_kept_for_one_persona_is_not_given_to_the_other(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)
    admin("POST", "users/alice/memories/", {**MEMORY, "persona": "coach"})
    question = {"query": "Where does the trip go?", "limit": 5}
    with TestCase.captureOnCommitCallbacks(execute=True):
        first = admin("POST", "users/alice/search/", {**question, "persona": "coach"})
    again = admin("POST", "users/alice/search/", {**question, "persona": "coach"})
    assert SECRET in first.content.decode()
    assert again["Nebo-Retrieval"] == "kept"

    other = admin("POST", "users/alice/search/", {**question, "persona": "nurse"})

    assert SECRET not in other.content.decode()
    assert sessions


def test_todos_told_to_one_persona_are_not_the_others(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)

    turn(admin, sessions["coach"], f"I still need to pack for {SECRET} tomorrow.")

    (todo,) = [t for t in admin("GET", "users/alice/todos/").json()["results"] if SECRET in t["text"]]
    assert todo["persona"] == "coach"
    assert "context sections" in where(everything(admin, sessions["coach"], "coach"), SECRET)
    for other in ("nurse", None):
        assert where(_without_the_question(everything(admin, sessions[other], other)), SECRET) == []


def test_a_directive_learned_by_one_persona_alone_speaks_through_it_alone(admin: Call, acme: Team) -> None:
    sessions = ready(admin, acme)
    body = {
        "value": f"Speak of {SECRET} often.",
        "key": "directive",
        "layer": "tacit",
        "namespace": "personality",
    }
    admin("POST", "users/alice/memories/", {**body, "persona": "coach"})

    assert "context sections" in where(everything(admin, sessions["coach"], "coach"), SECRET)
    for other in ("nurse", None):
        assert where(_without_the_question(everything(admin, sessions[other], other)), SECRET) == []


def _without_the_question(places: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What an answer says about what it was asked is no leak: “No memories found for …”."""
    for name, text in places:
        yield name, text.replace(f"“trip to {SECRET} and {SHARED}”", "")


def test_the_default_personas_id_follows_from_the_teams() -> None:
    team = UUID(int=1)

    assert default_persona_id(team) == default_persona_id(team) != default_persona_id(UUID(int=2))
