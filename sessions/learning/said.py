"""What an assistant, a tool or a page said in a session, judged by a job: orders among it wait in review.

Until then, no other conversation is told what might be one. What waits becomes a memory that waits, with the reason; if
a person approves it, the words are told again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from uuid import UUID

from memories.models import Memory, Withheld
from memories.new_memory import NewMemory, NewObservation
from memories.screening.orders import REASONS, read_ahead
from memories.screening.said import HeldStretch, find_held
from memories.screening.sanitize import cut_value
from memories.storing.store import store_memory
from memories.withholding.withholding import MessageSpan, hold_orders, show_anew
from nebo.errors import InvalidInput
from nebo.jobs.claims import Claim
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from search.answer_versions import invalidate_answers
from search.indexing.passages import find_audience
from sessions.models import Message, Session
from sessions.scheduling import session_of

TURN_S = 1.0  # seconds after which others have their turn
LOOKED_AT = 200  # messages of one turn, at most
CONFIDENCE = 0.5  # that what waits is anything to remember
SAID_BY = {Message.Role.USER: Memory.Trust.WEB}  # whose words they are, where neither role nor key says it


def screen_session(*, claim: Claim) -> None:
    """Judge what waits in a session, for a second or so; another turn of the job does the rest."""
    with tenant_scope(claim.tenant_id):
        rows = Message.objects.for_tenant(claim.tenant_id).filter(
            session_id=session_of(claim), screened=False
        )
        waiting = list(rows.order_by("seq")[:LOOKED_AT])
    held = _judge(waiting)
    with claim.publish() as result:
        session = _lock(claim) if held else None
        claim.hold_words()
        if session is None:
            return
        invalidate_answers(tenant=claim.tenant_id, person_id=session.person_id)
        judged = [message for message in waiting if message.pk in held]
        result.update(screened=len(judged), held=_publish(session, judged, held, claim))
        if len(judged) < len(waiting):
            claim.give_way()


def _judge(messages: Sequence[Message]) -> dict[UUID, list[HeldStretch]]:
    """What is to wait of the first messages: of as many as can be judged in a turn."""
    found: dict[UUID, list[HeldStretch]] = {}
    ends_at = time.monotonic() + TURN_S
    for message in messages:
        found[message.pk] = find_held(message.content)
        for stretch in found[message.pk]:
            read_ahead(Memory.Trust.ASSISTANT, cut_value(message.content[stretch.start : stretch.end]))
        if time.monotonic() >= ends_at:
            break
    return found


def _lock(claim: Claim) -> Session | None:
    rows = Session.objects.for_tenant(claim.tenant_id).select_related("tenant", "person", "persona")
    return rows.select_for_update(of=("self",), no_key=True).filter(pk=session_of(claim)).first()


def _publish(
    session: Session, messages: Sequence[Message], held: Mapping[UUID, list[HeldStretch]], claim: Claim
) -> int:
    actor = Actor(kind="job", id=str(claim.job_id))
    for message in messages:
        for stretch in held[message.pk]:
            _hold(session, message, stretch, actor)
    ids = [message.pk for message in messages]
    Message.objects.for_tenant(session.tenant).filter(pk__in=ids).update(screened=True)
    show_anew(tenant=session.tenant, person_id=session.person_id, message_ids=ids)
    return sum(len(held[pk]) for pk in ids)


def _hold(session: Session, message: Message, stretch: HeldStretch, actor: Actor) -> None:
    """Have it wait as a memory, unless a person has approved just these words before."""
    words = message.content[stretch.start : stretch.end]
    new = _as_memory(session, message, stretch, actor)
    if _is_approved(session, new.value):
        return
    try:
        memory = store_memory(tenant=session.tenant, person=session.person, new=new, actor=actor).memory
    except InvalidInput:  # nothing of it can be seen
        return
    span = MessageSpan(message, stretch.start, stretch.start + len(words), Withheld.Found.ORDER)
    hold_orders(tenant=session.tenant, memory=memory, stretches=[span])


def _is_approved(session: Session, value: str) -> bool:
    rows = Memory.objects.for_tenant(session.tenant).filter(person=session.person, value=value)
    return rows.filter(status=Memory.Status.ACTIVE, trust=Memory.Trust.USER).exists()


def _as_memory(session: Session, message: Message, stretch: HeldStretch, actor: Actor) -> NewMemory:
    words = message.content[stretch.start : stretch.end]
    trust = message.trust or SAID_BY.get(Message.Role(message.role), Memory.Trust.ASSISTANT)
    value = cut_value(words)
    seen = NewObservation(
        extractor="rules",
        value=value,
        confidence=CONFIDENCE,
        trust=trust,
        message_id=message.pk,
        quote=words,
        quote_start=stretch.start,
        quote_end=stretch.end,
        actor=str(actor),
        observed_at=message.created_at,
    )
    return NewMemory(
        value=value,
        layer=Memory.Layer.TACIT,
        namespace="notes",
        source=Memory.Source.EXTRACTION,
        trust=trust,
        confidence=CONFIDENCE,
        persona_id=find_audience(
            tenant=session.tenant, session_id=session.pk, seq=message.seq, others=session.persona_id
        ),
        observations=(seen,),
        doubt=REASONS[stretch.kind],
    )
