"""Who may know what is said in a session: every persona, or the one that is spoken with alone."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memories.between_us import Confided, read_confided
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from personality.models import Persona
from personality.services import ensure_default_persona
from sessions.models import Message, Session


def audience_of(session: Session) -> UUID | None:
    """The persona that keeps what it learns to itself, if this session's does; None: everyone may know."""
    persona: Persona | None = session.persona
    own = persona is not None and persona.memory_scope == Persona.MemoryScope.OWN
    return session.persona_id if own else None


def listener_of(session: Session) -> UUID:
    """The persona that is spoken with; the default one where none is named."""
    return session.persona_id or default_persona_id(session.tenant_id)


def find_confided_in(*, tenant: Tenant, session: Session, messages: Sequence[Message]) -> Confided:
    """What these messages tell the session's persona alone; one query more where they begin with a reply."""
    confided = read_confided(
        listener_of(session),
        [(m.pk, m.role, m.content) for m in (*_asked(tenant, session, messages), *messages)],
    )
    if (confided.spans or confided.replies) and session.persona_id is None:
        ensure_default_persona(tenant=tenant)
    return confided


def _asked(tenant: Tenant, session: Session, messages: Sequence[Message]) -> list[Message]:
    """The person's words that the first of these messages answers, if it is a reply.

    Where a persona is named, the whole transcript is that persona's, and nobody need look.
    """
    first = messages[0] if messages else None
    if first is None or first.role != Message.Role.ASSISTANT or session.persona_id is not None:
        return []
    rows = Message.objects.for_tenant(tenant).filter(
        session=session, role=Message.Role.USER, seq__lt=first.seq
    )
    return list(rows.order_by("-seq")[:1])
