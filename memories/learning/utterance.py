"""One message of a person on its way to what is learned of it, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memories.learning.confidential import ConfidentialSpans
from memories.models import ForgetRequest, Memory
from memories.understanding import Understanding
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


@dataclass(frozen=True, slots=True)
class Utterance:
    """What a person said, where, to whom, and how it was understood.

    `persona_id` is the persona that facts of this session are for alone, None for all; `todo_persona_id` the one the
    session names. With `shared`, others speak in it too.
    """

    tenant: Tenant | UUID
    profile: UserProfile
    session_id: UUID
    persona_id: UUID | None
    todo_persona_id: UUID | None
    message_id: UUID
    text: str
    at: datetime
    actor: Actor
    confidential: ConfidentialSpans
    shared: bool
    understood: Understanding
    speaker: str = ""

    def audience(self, told: HasSpan, *, others: UUID | None) -> UUID | None:
        """The persona that alone may know it, if it was told to one alone."""
        return self.confidential.audience(self.message_id, told.start, told.end, others=others)

    @property
    def listener(self) -> UUID:
        """The persona that is spoken with."""
        return self.todo_persona_id or default_persona_id(tenant_id_of(self.tenant))


@dataclass(slots=True)
class MessageOutcome:
    """What came of a message: memories that changed, forgotten ones too, and what it asks to have forgotten that
    somebody must decide on first.
    """

    memories: list[Memory] = field(default_factory=list)
    forget_requests: list[ForgetRequest] = field(default_factory=list)
