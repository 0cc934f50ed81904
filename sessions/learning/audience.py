"""Who may know what is said in a session: every persona, or the one that is spoken with alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from uuid import UUID

from memories.learning.confidential import ConfidentialSpans, read_confidential
from memories.understanding import NOT_UNDERSTOOD, Understanding
from nebo.llm.types import ChatMessage
from nebo.reading.meaning.reader import Reading
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from personality.models import Persona
from personality.personas.editing import ensure_default_persona
from search.indexing.passages import is_kept_for_one, open_session_chunks
from sessions.models import Message, Session


def audience_of(session: Session) -> UUID | None:
    """The persona that keeps what it learns to itself, if this session's does; None: everyone may know."""
    persona: Persona | None = session.persona
    own = persona is not None and persona.memory_scope == Persona.MemoryScope.OWN
    return session.persona_id if own else None


def listener_of(session: Session) -> UUID:
    """The persona that is spoken with; the default one where none is named."""
    return session.persona_id or default_persona_id(session.tenant_id)


def find_confidential_in(
    *,
    tenant: Tenant,
    session: Session,
    messages: Sequence[Message],
    understood: Mapping[UUID, Understanding],
) -> ConfidentialSpans:
    """What these new messages tell the session's persona alone; one query more where they begin with a reply.

    All of a message that wasn't read yet counts as confided, until the job that reads it calls `open_unconfidential`.
    """
    confidential = read_confidential(
        listener_of(session),
        [(m.pk, m.role, _read_of(m.pk, understood)) for m in messages],
        answers=_answers_confidence(tenant, session, messages),
    )
    _ensure_listener(tenant, session, confidential)
    return confidential


def find_confidential_again(
    *, session: Session, messages: Sequence[ChatMessage], understood: Mapping[UUID, Understanding]
) -> ConfidentialSpans:
    """What stored messages confide, for a job: no model is asked. A person's message that `understood` lacks is taken
    to confide all it says.
    """
    confidential = read_confidential(
        listener_of(session), [(UUID(m.id), m.role, _read_of(UUID(m.id), understood)) for m in messages]
    )
    _ensure_listener(session.tenant, session, confidential)
    return confidential


def open_unconfidential(
    *, tenant: Tenant, session: Session, confidential: ConfidentialSpans, first: int, last: int
) -> int:
    """Let every persona find what was read since, and confides nothing: the messages from seq `first` to `last`, all
    of which `confidential` knows, and the replies that came meanwhile. How many chunks were opened.

    In the job's transaction, holding the session.
    """
    if session.persona_id is not None or not session.index_turns:
        return 0
    rows = Message.objects.for_tenant(tenant).filter(session=session, seq__gte=first).order_by("seq")
    listed = list(rows.values_list("seq", "pk", "role"))
    read = [(seq, pk) for seq, pk, _ in listed if seq <= last]
    meanwhile = takewhile(lambda row: row[2] != Message.Role.USER, (row for row in listed if row[0] > last))
    seqs = [seq for seq, pk in read if confidential.audience(pk, None, None, others=None) is None]
    seqs += [] if confidential.awaits_reply else [seq for seq, _, _ in meanwhile]
    return open_session_chunks(tenant=tenant, person_id=session.person_id, session_id=session.pk, seqs=seqs)


def _ensure_listener(tenant: Tenant, session: Session, confidential: ConfidentialSpans) -> None:
    if (confidential.spans or confidential.replies) and session.persona_id is None:
        ensure_default_persona(tenant=tenant)


def _read_of(message_id: UUID, understood: Mapping[UUID, Understanding]) -> Reading:
    return understood.get(message_id, NOT_UNDERSTOOD).reading


def _answers_confidence(tenant: Tenant, session: Session, messages: Sequence[Message]) -> bool:
    """Whether the first of these messages replies to words that the index keeps for one persona.

    Where a persona is named, the whole transcript is that persona's, and nobody need look.
    """
    first = messages[0] if messages else None
    if first is None or first.role != Message.Role.ASSISTANT or session.persona_id is not None:
        return False
    return is_kept_for_one(tenant=tenant, session_id=session.pk, before_seq=first.seq)
