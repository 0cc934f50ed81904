"""Where the memory tool is used: what was asked, by whom, as which persona, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.audit.log import record_read
from memories.models import Memory
from memories.normalize import effective_namespace
from memories.selectors import unexpired
from memories.storing.comparing import NOT_COMPARED, Comparison
from nebo.errors import InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model asked for."""

    action: str
    key: str = ""
    value: str = ""
    tags: Sequence[str] = ()
    query: str = ""
    namespace: str = ""
    layer: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    scope: str = ""
    due_at: datetime | None = None
    trust: str = ""

    @property
    def effective(self) -> str:
        """The namespace asked for; empty means everywhere."""
        return effective_namespace(self.layer, self.namespace)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """Whether it worked, what the model reads, and the same as data."""

    ok: bool
    text: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a call is answered: whose memories, as which persona, in which session, by whom.

    `audience_id` is the persona that what is stored is for alone, None for all. `vector` is that of what it asks
    or stores, `compared` what that is to known memories. `floor` is the relevance that a tenant set for what it finds,
    None for the measured one.
    """

    tenant: Tenant | UUID
    person: UserProfile
    actor: Actor
    persona_id: UUID | None = None
    audience_id: UUID | None = None
    session_id: UUID | None = None
    vector: list[float] | None = None
    compared: Comparison = NOT_COMPARED
    floor: float | None = None

    def visible(self, scope: str = "") -> QuerySet[Memory]:
        """Live memories that this persona may see here: the person's, this session's, and everyone's."""
        return self._live(scope).filter(Q(person=self.person) | Q(person__kind=UserProfile.Kind.SHARED))

    def own(self, scope: str = "") -> QuerySet[Memory]:
        """Those of them that may be deleted here: everyone's only where a call names that scope."""
        if scope == Memory.Scope.GLOBAL:
            return self._live(scope).filter(person__kind=UserProfile.Kind.SHARED)
        return self._live(scope).filter(person=self.person)

    def _live(self, scope: str) -> QuerySet[Memory]:
        rows = Memory.objects.for_tenant(self.tenant).filter(unexpired(), status=Memory.Status.ACTIVE)
        rows = rows.filter(~Q(scope=Memory.Scope.SESSION) | Q(session_id=self.session_id))
        if self.persona_id is not None:
            rows = rows.filter(Q(persona_id=None) | Q(persona_id=self.persona_id))
        if scope:
            rows = rows.filter(scope=scope)
        return rows.select_related("person", "persona")

    def note_read(self, action: str, ids: Sequence[UUID]) -> None:
        """One line of the audit log."""
        record_read(
            tenant=self.tenant,
            actor=self.actor,
            action=action,
            person_id=self.person.pk,
            memory_ids=list(ids),
        )


def clip(text: str, limit: int) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit].rstrip() + "..."


def needed(text: str, name: str) -> str:
    """The text. Raises InvalidInput for none."""
    if not text.strip():
        raise InvalidInput(f"This action needs a {name}.", field=name)
    return text
