"""What of forgetting takes longer: the same said in other words, and summaries written anew without it.

Two jobs. `forget-elsewhere` finds by meaning what else says what was forgotten, and puts a `rewrite` in the queue for
every conversation that was touched. `rewrite` writes its summaries anew; after an undo, the ones written meanwhile give
way to those they stood for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from memories.extraction.material import count_fitting, render_material
from memories.forgetting.mentions import (
    ForgottenMemory,
    Mentions,
    decide_mentions,
    find_forgotten,
    list_alike,
    list_other_matters,
)
from memories.forgetting.requests import ask_about_passages, close_questions
from memories.models import Memory, Withheld
from memories.storing.audited_writes import lock_person
from memories.storing.marking import mark_alike
from memories.withholding.lines import replace_lines
from memories.withholding.withholding import MessageSpan, keep_withheld, release
from nebo.jobs.claims import Claim
from nebo.jobs.services import enqueue
from nebo.llm.prompts import render_prompt
from nebo.llm.types import ChatMessage, ChatReply, ChatRequest
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from search.answer_cache import invalidate_answers
from sessions.background import list_summaries
from sessions.models import Compaction, Message, RollingSummary, Session, SessionSummary
from sessions.selectors import list_messages
from sessions.services.compaction import SUMMARY_WORDS, SYSTEM
from sessions.services.extraction import as_material, session_of
from sessions.services.turns import schedule
from sessions.summaries import cumulate, keep_clean
from sessions.supported_summaries import complete
from sessions.withheld import with_withheld, without_withheld_rolling


def forget_elsewhere(*, claim: Claim) -> None:
    """Find and withhold what says it in other words; nothing is left to find once it was undone."""
    tenant_id = claim.tenant_id
    forgotten = find_forgotten(tenant=tenant_id, memory_id=UUID(claim.payload["memory_id"]))
    found = decide_mentions(forgotten) if forgotten else None
    others = list_other_matters(forgotten) if forgotten else []
    alike = list_alike(tenant=tenant_id, forgotten=forgotten) if forgotten else []
    with claim.publish() as result:
        if forgotten is not None and found is not None and _stands(tenant_id, forgotten):
            result.update(_withhold(claim, forgotten, found, others))
            actor = Actor("job", str(claim.job_id))
            result["alike"] = mark_alike(tenant=tenant_id, memory=forgotten.memory, ids=alike, actor=actor)
        if forgotten is None:
            close_questions(
                tenant=tenant_id,
                memory_id=claim.payload["memory_id"],
                actor=Actor("job", str(claim.job_id)),
            )
        result["sessions"] = _schedule_rewriting(claim)


def _withhold(
    claim: Claim, forgotten: ForgottenMemory, found: Mentions, others: Sequence[MessageSpan]
) -> dict[str, int]:
    """What says it, and ask about what may; what only has its words is shown again."""
    tenant_id, memory = claim.tenant_id, forgotten.memory
    messages = keep_withheld(tenant=tenant_id, memory=memory, stretches=found.stretches)
    released = release(tenant=tenant_id, memory=memory, stretches=others)
    replace_lines(tenant=tenant_id, memory=memory, lines=found.lines)
    actor = Actor("job", str(claim.job_id))
    asked = ask_about_passages(tenant=tenant_id, memory=memory, stretches=found.unclear, actor=actor)
    return {"messages": len(messages), "released": released, "asked": len(asked.passages) if asked else 0}


def _stands(tenant_id: UUID, forgotten: ForgottenMemory) -> bool:
    """Whether it is forgotten still, once the person is held; answers made before count no more."""
    memory = forgotten.memory
    lock_person(tenant=tenant_id, person=memory.person)
    invalidate_answers(tenant=tenant_id, person_id=memory.person_id)
    now = Memory.objects.for_tenant(tenant_id).filter(pk=memory.pk, version=memory.version)
    return now.exists()


def _schedule_rewriting(claim: Claim) -> int:
    """A job a conversation in which words are withheld for this memory, or were until now."""
    rows = Withheld.objects.for_tenant(claim.tenant_id).filter(memory_id=claim.payload["memory_id"])
    newest = RollingSummary.objects.for_tenant(claim.tenant_id).filter(state__person_id=claim.person_id)
    spoken_for = newest.order_by("state_id", "-created_at", "-id").distinct("state_id")
    touched = {str(pk) for pk in rows.values_list("session_id", flat=True)}
    if touched or claim.payload.get("sessions"):
        touched |= {str(pk) for pk in spoken_for.values_list("session_id", flat=True) if pk}
    touched |= set(claim.payload.get("sessions", ()))
    for session_id in sorted(touched):
        schedule_rewriting(
            tenant=claim.tenant_id,
            person_id=claim.person_id,
            session_id=UUID(session_id),
            undone_since=claim.payload.get("undone_since"),
        )
    return len(touched)


def schedule_rewriting(
    *, tenant: Tenant | UUID, person_id: UUID | None, session_id: UUID, undone_since: str | None = None
) -> None:
    """Have the summaries of a conversation written anew."""
    enqueue(
        tenant=tenant,
        kind="rewrite",
        payload={"session_id": str(session_id), "undone_since": undone_since},
        dedupe_key=f"rewrite:{session_id}",
        person_id=person_id,
        session_id=session_id,
    )


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A conversation whose summary may say what is withheld, and what that summary stood for."""

    session: Session
    messages: Sequence[Message]
    read_at: datetime


def rewrite_summaries(*, claim: Claim) -> None:
    """Write anew what a conversation's summaries say, with no transaction open while a model is asked."""
    with tenant_scope(claim.tenant_id):
        rewriting = _find_rewriting(claim)
    reply = _summarize_anew(rewriting) if rewriting and rewriting.messages else None
    with claim.publish() as result:
        if rewriting is None:
            return
        session = (
            Session.objects.for_tenant(claim.tenant_id)
            .select_for_update(no_key=True)
            .get(pk=rewriting.session.pk)
        )
        if reply is not None:
            result["summary"] = _publish(rewriting, session, reply)
        if since := claim.payload.get("undone_since"):
            _give_way(session, datetime.fromisoformat(since))
        result["rolled"] = _roll_again(rewriting.session, session)
        _close_again(rewriting.session)


def _find_rewriting(claim: Claim) -> Rewriting | None:
    read_at = timezone.now()
    rows = with_withheld(Session.objects.for_tenant(claim.tenant_id)).select_related("tenant")
    session = rows.filter(pk=session_of(claim)).first()
    if session is None:
        return None
    folded = list_messages(tenant=claim.tenant_id, session_id=session.pk).filter(compacted=True)
    hidden = session.compaction_count and not session.told_summary
    return Rewriting(session, list(folded) if hidden else (), read_at)


def _summarize_anew(rewriting: Rewriting) -> ChatReply:
    """As many messages at a time as a prompt takes, each time with what was summarised before."""
    left = tuple(map(as_material, rewriting.messages))
    summary, reply = "", None
    while left:
        count = max(count_fitting(left), 1)
        reply = _summarize(left[:count], summary)
        summary = cumulate(summary, reply.text)
        left = left[count:]
    assert reply is not None
    return replace(reply, text=summary)


def _summarize(material: tuple[ChatMessage, ...], earlier: str) -> ChatReply:
    prompt = render_prompt(
        "sessions:prompts/summarize.txt",
        words=SUMMARY_WORDS,
        earlier=earlier or "(none)",
        conversation=render_material(material),
    )
    return complete(
        ChatRequest(task="summarize", system=SYSTEM, prompt=prompt, material=material, earlier=earlier)
    )


def _publish(rewriting: Rewriting, session: Session, reply: ChatReply) -> bool:
    """A line of the journal for the same messages; False where a compaction came in between and did it already."""
    if session.compaction_count != rewriting.session.compaction_count:
        return False
    session.summary = keep_clean(reply.text)
    session.compaction_count += 1
    session.save(update_fields=["summary", "compaction_count"])
    Compaction.objects.for_tenant(session.tenant_id).create(
        session=session,
        number=session.compaction_count,
        seq_from=rewriting.messages[0].seq,
        seq_to=rewriting.messages[-1].seq,
        kept=0,
        tokens_before=session.live_tokens,
        tokens_after=session.live_tokens,
        summary_after=session.summary,
        model=f"{reply.provider}/{reply.model}",
        created_at=rewriting.read_at,
    )
    return True


def _roll_again(before: Session, session: Session) -> bool:
    """From the beginning of this conversation, where its newest rolling summary may say what is withheld."""
    rows = RollingSummary.objects.for_tenant(session.tenant_id).filter(session=session)
    newest = rows.order_by("-created_at", "-id").first()
    if newest is None or without_withheld_rolling(rows).filter(pk=newest.pk).exists():
        return False
    session.rolled_seq = 0
    session.save(update_fields=["rolled_seq"])
    schedule(tenant=before.tenant, session=session, kind="roll")
    return True


def _close_again(session: Session) -> None:
    """An ended conversation is summarised again, where its summaries may say what is withheld."""
    told = list_summaries(tenant=session.tenant_id, session_id=session.pk)
    if session.ended_at is not None and not told.exists():
        schedule(tenant=session.tenant, session=session, kind="close")


def _give_way(session: Session, since: datetime) -> None:
    """What was written while words were withheld gives way to what it stood for, which says them."""
    for model in (RollingSummary, SessionSummary):
        rows = model.objects.for_tenant(session.tenant_id).filter(session=session)
        older = rows.filter(created_at__lt=OuterRef("created_at"), seq_to__gte=OuterRef("seq_to"))
        rows.filter(Exists(older), created_at__gt=since).delete()
    folds = list(
        Compaction.objects.for_tenant(session.tenant_id).filter(session=session).order_by("-number")[:2]
    )
    if len(folds) == 2 and folds[0].created_at > since and folds[0].seq_to == folds[1].seq_to:
        session.summary = folds[1].summary_after
        session.save(update_fields=["summary"])
