"""Learning from a conversation: read what is new, ask the extractor, publish what it proposes.

Idle extraction and the flush before compaction share one watermark, `extracted_seq`, so neither does the
other's work again (seed 000, gotcha 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memories.between_us import Confided, read_confided
from memories.extraction.answer import ExtractionAnswer
from memories.extraction.material import CONTEXT_MESSAGES, count_fitting
from memories.extraction.run import apply_extraction, embed_answer, extract
from nebo.jobs.claims import Claim
from nebo.llm.types import ChatMessage
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from personality.services import consider_styles, schedule_directive
from sessions.models import Message, Session
from sessions.selectors import list_messages_before, list_unread_messages
from sessions.services.audience import audience_of, listener_of
from sessions.services.turns import schedule

RULES = "rules"  # the provider that is no model


@dataclass(frozen=True, slots=True)
class Reading:
    """What one run reads: a stretch of messages up to `last_seq`, the few before it that were read earlier, and
    whether more wait behind it.
    """

    session: Session
    material: tuple[ChatMessage, ...]
    before: tuple[ChatMessage, ...]
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
    said = tuple(map(as_material, messages))
    count = count_fitting(said)
    read = list_messages_before(
        tenant=session.tenant, session_id=session.pk, seq=messages[0].seq, limit=CONTEXT_MESSAGES
    )
    before = tuple(map(as_material, read))
    return Reading(
        session, said[:count], before, messages[0].seq, messages[count - 1].seq, more=count < len(messages)
    )


def extract_session(*, claim: Claim, trigger: str) -> None:
    """One run over one session: the model is asked with no transaction open."""
    with tenant_scope(claim.tenant_id):
        reading = find_reading(tenant_id=claim.tenant_id, session_id=session_of(claim))
    if reading is None:
        with claim.publish() as result:
            result["read"] = 0
        return
    answer = extract(reading.material, before=reading.before)
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
            persona_id=audience_of(session),
            job_id=claim.job_id,
            answer=answer,
            vectors=vectors,
            actor=actor,
            trigger=trigger,
            seqs=(reading.first_seq, reading.last_seq),
            todo_persona_id=session.persona_id,
            confided=_confided(session, reading),
        )
        if answer.styles:
            _schedule_directives(session, reading)
            _consider_wishes(session, answer, actor)
        _advance(session.tenant, session, reading)
        result.update(counts, read=len(reading.material), model=f"{answer.provider}/{answer.model}")


def _confided(session: Session, reading: Reading) -> Confided:
    said = (*reading.before, *reading.material)
    return read_confided(listener_of(session), [(UUID(m.id), m.role, m.content) for m in said])


def _schedule_directives(session: Session, reading: Reading) -> None:
    """For those who may know of the styles: everyone or the one persona, and whoever was confided in."""
    audiences = {audience_of(session)}
    if _confided(session, reading).spans:
        audiences.add(listener_of(session))
    for persona_id in audiences:
        schedule_directive(tenant=session.tenant, profile=session.profile, persona_id=persona_id)


def _consider_wishes(session: Session, answer: ExtractionAnswer, actor: Actor) -> None:
    """What the rules read again they heard in the turn already."""
    if answer.provider != RULES:
        consider_styles(
            tenant=session.tenant,
            profile=session.profile,
            persona=session.persona,
            styles=answer.styles,
            actor=actor,
        )


def _lock_unread(reading: Reading) -> Session | None:
    """The session, locked, unless another run has read this stretch meanwhile."""
    rows = Session.objects.for_tenant(reading.session.tenant).select_related("tenant", "profile", "persona")
    session = rows.select_for_update(of=("self",), no_key=True).filter(pk=reading.session.pk).first()
    if session is None or session.extracted_seq != reading.session.extracted_seq:
        return None
    return session


def _advance(tenant: Tenant, session: Session, reading: Reading) -> None:
    session.extracted_seq = reading.last_seq
    session.save(update_fields=["extracted_seq"])
    if reading.more:
        schedule(tenant=tenant, session=session, kind="flush")
