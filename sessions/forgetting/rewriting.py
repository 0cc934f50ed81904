"""Summaries written anew, without what is withheld. After an undo, the ones written meanwhile give way to those they
stood for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils import timezone

from memories.extraction.material import count_fitting
from nebo.jobs.claims import Claim
from nebo.llm.types import ChatReply
from nebo.tenants.scoping import tenant_scope
from sessions.material import as_material
from sessions.models import Compaction, Message, RollingSummary, Session, SessionSummary
from sessions.scheduling import schedule, session_of
from sessions.selectors import list_messages
from sessions.summaries.batches import SUMMARY_WORDS, request_part
from sessions.summaries.selectors import list_summaries
from sessions.summaries.supported import complete
from sessions.summaries.text import cumulate, keep_clean
from sessions.withheld import with_withheld, without_withheld_rolling


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
        claim.hold_words()
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
    hidden = session.compaction_count and not session.served_summary
    return Rewriting(session, list(folded) if hidden else (), read_at)


def _summarize_anew(rewriting: Rewriting) -> ChatReply:
    """As many messages at a time as a prompt takes, each time with what was summarised before."""
    left = tuple(map(as_material, rewriting.messages))
    summary, reply = "", None
    while left:
        count = max(count_fitting(left), 1)
        reply = complete(request_part(left[:count], summary, SUMMARY_WORDS))
        summary = cumulate(summary, reply.text)
        left = left[count:]
    assert reply is not None
    return replace(reply, text=keep_clean(summary, rewriting.session.tenant.sensitive_classes))


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
    summaries = list_summaries(tenant=session.tenant_id, session_id=session.pk)
    if session.ended_at is not None and not summaries.exists():
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
