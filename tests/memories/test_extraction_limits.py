"""How long an extraction may take, and what becomes of one that hangs (90 s, watched after 30 s)."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memories.learning.run import extract
from memories.models import Memory, Todo
from nebo.jobs.claims import LEASE, Claim, LeaseLost, claim_job
from nebo.jobs.models import Job
from nebo.jobs.worker.leases import RENEW_S
from nebo.jobs.worker.sweeper import sweep
from nebo.llm.errors import AllModelsFailed
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.routing import DEADLINE_S
from nebo.llm.types import ChatMessage
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.queue import TIME_LIMIT_S
from nebo.tenants.scoping import tenant_scope
from sessions.learning.extraction import extract_session
from sessions.models import Session
from sessions.scheduling import schedule
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller
from tests.scripted_server import ScriptedServer, drip, json_answer, scripted_server, silent

__all__ = ["scripted_server"]

CHAT = "/v1/chat/completions"
# An answer that says something only beside its question: a sentence read by itself makes no memory of it.
SAID = (
    ChatMessage("assistant", "What do you do in August?"),
    ChatMessage("user", "Hiking, with the old crew."),
)
FACT = {
    "key": "preference/hiking",
    "value": "Alice goes hiking with the old crew.",
    "message": 1,
    "quote": "Hiking, with the old crew",
}
ANSWER = {"choices": [{"message": {"content": json.dumps({"preferences": [FACT]})}}]}


@pytest.fixture
def models(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """Two configured models behind a real server on loopback, the cheaper one first."""
    chosen = tuple(OpenAIModel(name, base_url=f"{scripted_server.url}/v1") for name in ("cheap", "dear"))
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: chosen)
    return scripted_server


def test_the_limits_are_the_seeds() -> None:
    assert DEADLINE_S == 90
    assert timedelta(seconds=30) == LEASE
    assert LEASE.total_seconds() >= RENEW_S * 3
    assert TIME_LIMIT_S > DEADLINE_S  # what is learned within the limit can still be published


@pytest.mark.parametrize("behaviour", [silent(30), drip(ANSWER, pause_s=0.5)], ids=["silent", "dripping"])
def test_a_model_that_hangs_ends_at_the_limit(models: ScriptedServer, behaviour: Any) -> None:
    models.always(CHAT, behaviour)
    started = time.monotonic()

    with pytest.raises(AllModelsFailed):
        extract(SAID, deadline_s=0.6)

    assert time.monotonic() - started < 3


def test_a_model_that_hangs_leaves_time_for_the_next(models: ScriptedServer) -> None:
    models.on(CHAT, silent(30), json_answer(ANSWER))

    answer = extract(SAID, names=("Alice",), deadline_s=2)

    assert (answer.model, [fact.value for fact in answer.facts]) == (
        "dear",
        ["Alice goes hiking with the old crew."],
    )


def hanging_claim(call: Call, team: Team) -> Claim:
    """A turn was taken and its extraction claimed, by a worker of whom nothing more is heard."""
    session_id = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    said = {"messages": [{"role": message.role, "content": message.content} for message in SAID]}
    answer = call("POST", f"sessions/{session_id}/turns/", said)
    assert (answer.status_code, answer.json()["signals"]) == (201, []), answer.content
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).get(pk=session_id)
        job = schedule(tenant=team.tenant, session=session, kind="extract")
        Job.objects.for_tenant(team.tenant).filter(pk=job.pk).update(due_at=ClockTimestamp())
    claim = claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    assert claim is not None
    with tenant_scope(team.tenant):
        gone = database_now(Job) - timedelta(seconds=1)
        Job.objects.for_tenant(team.tenant).filter(pk=job.pk).update(lease_until=gone)
    return claim


def test_a_run_of_which_nothing_is_heard_is_done_by_another_worker_and_once(
    committed_db: None, acme: Team, models: ScriptedServer
) -> None:
    models.always(CHAT, json_answer(ANSWER))
    late = hanging_claim(caller(acme), acme)
    assert sweep().interrupted == 1
    again = claim_job(tenant_id=acme.tenant.pk, job_id=late.job_id)
    assert again is not None

    extract_session(claim=again, trigger="idle")
    with pytest.raises(LeaseLost):
        extract_session(claim=replace(late), trigger="idle")

    with tenant_scope(acme.tenant):
        (memory,) = Memory.objects.for_tenant(acme.tenant)
        assert (memory.value, memory.reinforced_count) == ("Alice goes hiking with the old crew.", 1)
        assert Job.objects.for_tenant(acme.tenant).get(pk=late.job_id).state == "succeeded"


def test_while_one_run_reads_a_session_a_second_one_waits(committed_db: None, acme: Team) -> None:
    running = hanging_claim(caller(acme), acme)
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get()
        second = schedule(tenant=acme.tenant, session=session, kind="extract")

    assert second.pk != running.job_id
    assert claim_job(tenant_id=acme.tenant.pk, job_id=second.pk) is None


def test_what_people_said_is_heard_once_while_every_model_fails(
    committed_db: None, acme: Team, models: ScriptedServer
) -> None:
    models.always(CHAT, json_answer({"error": "no"}, status=401))
    call = caller(acme)
    session_id = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    told = "I'm allergic to peanuts. I have to call the dentist tomorrow. " + "That was it for today. " * 8
    call("POST", f"sessions/{session_id}/turns/", {"messages": [{"role": "user", "content": told}]})

    states = [job.state for _ in range(2) for job in run_jobs(acme.tenant, kind="extract")]

    with tenant_scope(acme.tenant):
        (memory,) = Memory.objects.for_tenant(acme.tenant)
        (todo,) = Todo.objects.for_tenant(acme.tenant)
    assert states and set(states) == {"failed"}
    assert ("peanuts" in memory.value, memory.reinforced_count) == (True, 1)
    assert "dentist" in todo.text
