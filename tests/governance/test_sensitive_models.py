"""What a workspace decides about sensitive matters holds for what a chat model reads, and for who approves it."""

from __future__ import annotations

import json

import pytest

from memories.extraction.answer import ExtractionAnswer
from memories.extraction.proposals import write_proposals
from memories.learning.run import embed_answer, extract
from memories.learning.runs import approve_run
from memories.models import ExtractionRun, Memory, Observation, Todo
from memories.new_memory import NewMemory
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.types import ChatMessage
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message
from tests.conftest import Team
from tests.governance.test_sensitive_classes import WAITS, decide
from tests.memories.conftest import apply_run, say
from tests.scripted_server import ScriptedServer, json_answer, scripted_server

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

CHAT = "/v1/chat/completions"


@pytest.fixture
def model(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    chosen = OpenAIModel("gpt-x", base_url=f"{scripted_server.url}/v1")
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: (chosen,))
    return scripted_server


def read_by(model: ScriptedServer, team: Team, messages: list[Message]) -> ExtractionAnswer:
    """What a model finds that reads three facts and a todo."""
    quoted = ("I was told I have multiple sclerosis", "My sister Ilse lives in Porto", "call my neurologist")
    answer = {
        "preferences": [
            {
                "key": "diagnosis",
                "value": "Has multiple sclerosis.",
                "message": 0,
                "quote": quoted[0],
                "explicit": True,
            },
            {"key": "sister", "value": "Their sister Ilse lives in Porto.", "message": 0, "quote": quoted[1]},
        ],
        "todos": [
            {
                "kind": "commitment",
                "text": "Call the neurologist about the sclerosis",
                "message": 0,
                "quote": quoted[2],
            }
        ],
    }
    reply = {"choices": [{"message": {"role": "assistant", "content": json.dumps(answer)}}]}
    model.on(CHAT, json_answer(reply))
    material = tuple(ChatMessage(m.role, m.content, m.name, str(m.pk), m.created_at) for m in messages)
    return extract(material, names=("Alice",))


SAID_TO_MODEL = (
    "I was told I have multiple sclerosis. My sister Ilse lives in Porto. "
    "I must call my neurologist about the sclerosis."
)


@pytest.mark.parametrize("choice", ["review", "never"])
def test_what_a_model_reads_is_held_to_the_same(acme: Team, model: ScriptedServer, choice: str) -> None:
    decide(acme, health=choice)
    team = acme
    tenant = Tenant.objects.get(pk=acme.tenant.pk)
    with tenant_scope(tenant):
        messages = say(team, SAID_TO_MODEL)
        answer = read_by(model, team, messages)
        counts = apply_run(team, answer, vectors=embed_answer(tenant=tenant, answer=answer))
        run = ExtractionRun.objects.for_tenant(tenant).get()
        waiting = Memory.objects.for_tenant(tenant).filter(status="quarantined")
        reasons = {memory.quarantine_reason for memory in waiting if "sclerosis" in memory.value}
        seen = Observation.objects.for_tenant(tenant).filter(quote__contains="sclerosis").count()
        live = Memory.objects.for_tenant(tenant).filter(status="active", value__contains="sclerosis").count()
        todos = Todo.objects.for_tenant(tenant).filter(text__contains="sclerosis").count()

    assert (live, todos) == (0, 0)
    assert reasons == ({WAITS} if choice == "review" else set())
    assert bool(counts.get("kept_out")) == (choice == "never")
    if choice == "never":
        assert seen == 0
        assert "sclerosis" not in json.dumps([run.proposals, run.outcome, run.counts])


def test_what_somebody_approves_of_a_run_is_live(acme: Team) -> None:
    decide(acme, health="review")
    proposed = NewMemory(value="Has multiple sclerosis.", source="extraction", trust="user")
    tenant = Tenant.objects.get(pk=acme.tenant.pk)
    with tenant_scope(tenant):
        apply_run(acme, ExtractionAnswer(provider="x", model="y", prompt_hash="z"))
        run = ExtractionRun.objects.for_tenant(tenant).get()
        run.status, run.proposals = "review", write_proposals([proposed], ())
        run.save()

        approve_run(tenant=tenant, run=run, vectors={}, actor=Actor("user", str(acme.owner.pk)))

        (memory,) = Memory.objects.for_tenant(tenant).filter(value__contains="sclerosis")
    assert memory.status == "active"
