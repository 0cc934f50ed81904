"""One message of a person on its way to what is learned of it, and what came of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.learning.confidential import NOTHING_CONFIDENTIAL, ConfidentialSpans
from memories.models import ForgetRequest, Memory
from memories.understanding import NOT_UNDERSTOOD, Understanding
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of


class HasSpan(Protocol):
    """Whatever stands at `message[start:end]`."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What a person said, where, to whom, and how it was understood.

    `persona_id` is the persona that facts of this session are for alone, None for all; `todo_persona_id` the one the
    session names, whose todos come of it. What is `confidential` to one persona is stored for it alone. With `shared`,
    others speak in the session too: whose a fact is must be said.
    """

    tenant: Tenant | UUID
    person: UserProfile
    session_id: UUID
    message_id: UUID
    text: str
    at: datetime
    actor: Actor
    speaker: str = ""
    persona_id: UUID | None = None
    todo_persona_id: UUID | None = None
    confidential: ConfidentialSpans = NOTHING_CONFIDENTIAL
    shared: bool = False
    understood: Understanding = NOT_UNDERSTOOD

    def audience(self, part: HasSpan, *, others: UUID | None) -> UUID | None:
        """The persona that alone may know it, if it was told to one alone."""
        return self.confidential.audience(self.message_id, part.start, part.end, others=others)

    @property
    def listener(self) -> UUID:
        """The persona that is spoken with."""
        return self.todo_persona_id or default_persona_id(tenant_id_of(self.tenant))

    def known_before(self, *, without: Collection[UUID]) -> QuerySet[Memory]:
        """What is known of the person from before the message, the newest first; nothing that a person marked."""
        rows = Memory.objects.for_tenant(self.tenant).filter(
            Q(valid_from=None) | Q(valid_from__lte=self.at),
            person=self.person,
            scope=Memory.Scope.USER,
            status=Memory.Status.ACTIVE,
            pinned=False,
            confirmed_at=None,
        )
        return rows.exclude(pk__in=without).order_by("-created_at")


@dataclass(slots=True)
class MessageOutcome:
    """What came of a message: memories that changed, forgotten ones too, and what it asks to have forgotten that
    somebody must decide on first.
    """

    memories: list[Memory] = field(default_factory=list)
    forget_requests: list[ForgetRequest] = field(default_factory=list)
