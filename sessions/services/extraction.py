"""Learning from a conversation: read what is new, ask the extractor, publish what it proposes.

Idle extraction and the flush before compaction share one watermark, `extracted_seq`, so neither does the
other's work again (seed 000, gotcha 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.extraction.material import MAX_MATERIAL_CHARS, MAX_MESSAGE_CHARS
from memories.extraction.run import apply_extraction, embed_answer, extract
from nebo.jobs.claims import Claim
from nebo.llm.types import ChatMessage
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from personality.services import schedule_directive
from sessions.models import Message, Session
from sessions.selectors import list_unread_messages
from sessions.services.turns import schedule


@dataclass(frozen=True, slots=True)
class Reading:
    """What one run reads: a stretch of messages up to `last_seq`, and whether more wait behind it."""

    session: Session
    material: tuple[ChatMessage, ...]
    first_seq: int
    last_seq: int
    more: bool


def session_of(claim: Claim) -> UUID:
    """The session a job is about."""
    return UUID(claim.payload["session_id"])


def as_material(message: Message) -> ChatMessage:
    """A stored message as a model is shown it."""
    return ChatMessage(
        role=message.role,
        content=message.content,
        name=message.name,
        id=str(message.pk),
        created_at=message.created_at,
    )


def first_batch(messages: Sequence[Message]) -> list[Message]:
    """As many messages from the beginning as one prompt holds; at least one."""
    size = 0
    batch: list[Message] = []
    for message in messages:
        size += min(len(message.content), MAX_MESSAGE_CHARS)
        if batch and size > MAX_MATERIAL_CHARS:
            break
        batch.append(message)
    return batch


def find_reading(*, tenant_id: UUID, session_id: UUID) -> Reading | None:
    """The next stretch of a session that extraction has not read; None when there is none."""
    session = (
        Session.objects.for_tenant(tenant_id)
        .select_related("tenant", "profile")
        .filter(pk=session_id)
        .first()
    )
    messages = list_unread_messages(tenant=session.tenant, session=session) if session else []
    if session is None or not messages:
        return None
    batch = first_batch(messages)
    material = tuple(map(as_material, batch))
    return Reading(session, material, batch[0].seq, batch[-1].seq, more=len(batch) < len(messages))


def extract_session(*, claim: Claim, trigger: str) -> None:
    """One run over one session: the model is asked with no transaction open."""
    with tenant_scope(claim.tenant_id):
        reading = find_reading(tenant_id=claim.tenant_id, session_id=session_of(claim))
    if reading is None:
        with claim.publish() as result:
            result["read"] = 0
        return
    answer = extract(reading.material)
    vectors = embed_answer(tenant=reading.session.tenant, answer=answer)
    with claim.publish() as result:
        session = _lock_unread(reading)
        if session is None:
            result["read"] = 0
            return
        actor = Actor(kind="job", id=str(claim.job_id))
        counts = apply_extraction(
            tenant=session.tenant,
            profile=session.profile,
            session_id=session.pk,
            persona_id=None,
            job_id=claim.job_id,
            answer=answer,
            vectors=vectors,
            actor=actor,
            trigger=trigger,
            seqs=(reading.first_seq, reading.last_seq),
        )
        if answer.styles:
            schedule_directive(tenant=session.tenant, profile=session.profile, persona_id=None)
        _advance(session.tenant, session, reading)
        result.update(counts, read=len(reading.material), model=f"{answer.provider}/{answer.model}")


def _lock_unread(reading: Reading) -> Session | None:
    """The session, locked, unless another run has read this stretch meanwhile."""
    rows = Session.objects.for_tenant(reading.session.tenant).select_related("tenant", "profile")
    session = rows.select_for_update(of=("self",)).filter(pk=reading.session.pk).first()
    if session is None or session.extracted_seq != reading.session.extracted_seq:
        return None
    return session


def _advance(tenant: Tenant, session: Session, reading: Reading) -> None:
    session.extracted_seq = reading.last_seq
    session.save(update_fields=["extracted_seq"])
    if reading.more:
        schedule(tenant=tenant, session=session, kind="flush")
