"""A caller of the API, messages to cite, and short ways to remember."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from memories.extraction.answer import ExtractionAnswer
from memories.learning.messages import learn_from_message
from memories.learning.relations import relate
from memories.learning.run import RunContext, apply_extraction
from memories.learning.utterance import Utterance
from memories.models import Memory
from memories.new_memory import NewMemory
from memories.storing.comparing import NO_COMPARISONS, Comparison, Mark
from memories.storing.store import Stored, store_memory
from memories.understanding import Understanding
from nebo.reading.meaning.reader import read_text
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from sessions.models import Message, Session
from tests.conftest import Team

Call = Callable[..., Any]
AGENT = Actor("key", "test")
JOB = Actor("job", "test")
SAID = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)
NO_VECTORS: Mapping[str, list[float]] = {}


def caller(team: Team, **binding: Any) -> Call:
    """`call("POST", "users/alice/memories/", {...})` as a key of that team."""
    with tenant_scope(team.tenant):
        secret = issue_key(tenant=team.tenant, **binding).secret
    client = Client(headers={"Authorization": f"Bearer {secret}"})

    def call(method: str, path: str, body: Any = None, **headers: Any) -> Any:
        body = {} if body is None and method == "POST" else body
        arguments = {} if body is None else {"data": body, "content_type": "application/json"}
        return getattr(client, method.lower())(f"/api/v1/{path}", **arguments, headers=headers or None)

    return call


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme)


@pytest.fixture
def scope(db: None, acme: Team) -> Iterator[Team]:
    """Inside acme's scope."""
    with tenant_scope(acme.tenant):
        yield acme


def remember(team: Team, value: str, *, vector: list[float] | None = None, **fields: Any) -> Stored:
    """Store through the service, as an agent unless told otherwise."""
    deduplicate = fields.pop("deduplicate", True)
    actor = JOB if fields.get("source") == "extraction" else AGENT
    return store_memory(
        tenant=team.tenant,
        person=team.person,
        new=NewMemory(value=value, **fields),
        actor=actor,
        vector=vector,
        deduplicate=deduplicate,
    )


def say(team: Team, *contents: str, role: str = "user", key: str = "chat", name: str = "") -> list[Message]:
    """Messages of one session, stored as they are; `name` is who speaks."""
    session, _ = Session.objects.for_tenant(team.tenant).get_or_create(person_id=team.person.pk, key=key)
    first = Message.objects.for_tenant(team.tenant).filter(session=session).count() + 1
    rows = [
        Message(
            tenant=team.tenant,
            session=session,
            person=team.person,
            seq=first + offset,
            role=role,
            name=name,
            content=content,
            external_id=f"{key}:{first + offset}",
        )
        for offset, content in enumerate(contents)
    ]
    return Message.unscoped.bulk_create(rows)


def hear(team: Team, text: str, **how: Any) -> list[Memory]:
    """A message of the person's, heard; what was learned."""
    (message,) = say(team, text)
    return hear_message(team, message, **how)


def hear_message(
    team: Team,
    message: Message,
    *,
    at: datetime = SAID,
    speaker: str = "",
    persona_id: UUID | None = None,
    understood: Understanding | None = None,
    thorough: bool = False,
    shared: bool = False,
) -> list[Memory]:
    """A message as a turn takes it: read, and read beside what is known, before it is stored; what was learned."""
    if understood is None:
        (understood,) = relate(
            tenant=team.tenant,
            person_id=team.person.pk,
            persona_id=persona_id,
            readings=[read_text(message.content)],
            thorough=thorough,
        )
    turn = Utterance(
        tenant=team.tenant,
        person=team.person,
        session_id=message.session_id,
        message_id=message.pk,
        text=message.content,
        at=at,
        actor=AGENT,
        speaker=speaker,
        todo_persona_id=persona_id,
        shared=shared,
        understood=understood,
    )
    return learn_from_message(turn=turn).memories


def apply_run(
    team: Team,
    answer: ExtractionAnswer,
    *,
    vectors: Mapping[str, list[float]] = NO_VECTORS,
    compared: Mapping[Mark, Comparison] = NO_COMPARISONS,
    **fields: Any,
) -> dict[str, int]:
    """What a model proposes, applied as a job does."""
    context = RunContext(
        **{"tenant": team.tenant, "person": team.person, "actor": JOB, "trigger": "idle", **fields}
    )
    return apply_extraction(context=context, answer=answer, vectors=vectors, compared=compared)


def live(team: Team) -> list[Memory]:
    """The person's live memories, the oldest first."""
    rows = Memory.objects.for_tenant(team.tenant).filter(status="active")
    return list(rows.order_by("created_at"))
