"""Closing a conversation: it is summarised for the next one with the same person, from all that was said.

One that goes on afterwards is open again and summarised anew at its next end; every summary stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from memories.extraction.material import render_material
from nebo.jobs.claims import Claim
from nebo.llm.prompts import prompt_hash, read_prompt, render_prompt
from nebo.llm.routing import has_chat_model
from nebo.llm.types import ChatReply, ChatRequest
from nebo.tenants.scoping import tenant_scope
from sessions.material import as_material
from sessions.models import Message, Session, SessionSummary
from sessions.scheduling import schedule, session_of
from sessions.selectors import list_messages, list_one
from sessions.summaries.batches import Batch, join_parts, list_batches, summarize_parts
from sessions.summaries.known import NOTHING_KNOWN, KnownWords, read_known_words
from sessions.summaries.selectors import list_summaries
from sessions.summaries.supported import SYSTEM, complete
from sessions.summaries.text import parse_session_summary
from sessions.withheld import with_withheld

PROMPT = "sessions:prompts/session_summary.txt"
SUMMARISED_MESSAGES = 400  # the last of a session; the earlier ones stand in its compaction summary
BEFORE_SHARE = 0.5  # of a run's time, for what stands before the last batch


@dataclass(frozen=True, slots=True)
class Ending:
    """A session and what a new summary would read; no messages where the last summary speaks for all of them."""

    session: Session
    messages: tuple[Message, ...]
    read_at: datetime
    known: KnownWords = NOTHING_KNOWN


def close_session(*, claim: Claim) -> None:
    """Summarise and close; a session with nothing new to say is closed without another summary."""
    with tenant_scope(claim.tenant_id):
        ending = _find_ending(claim)
    reply = _summarize(ending) if ending and ending.messages else None
    fields: dict[str, object] = {}
    if ending and reply:
        fields = parse_session_summary(reply.text, ending.session.tenant.sensitive_classes)
    with claim.publish() as result:
        if ending is None:
            return
        list_one(tenant=claim.tenant_id, session_id=ending.session.pk).select_for_update(no_key=True).get()
        claim.hold_words()
        if reply is not None:
            _keep_summary(ending, fields, reply)
        result["one_liner"] = reply is not None
        result["closed"] = _end(ending.session)


def _find_ending(claim: Claim) -> Ending | None:
    read_at = timezone.now()
    rows = with_withheld(Session.objects.for_tenant(claim.tenant_id)).select_related("tenant")
    session = rows.filter(pk=session_of(claim)).first()
    if session is None:
        return None
    stored = list_messages(tenant=claim.tenant_id, session_id=session.pk).filter(archived_at=None)
    messages = tuple(stored.order_by("-seq")[:SUMMARISED_MESSAGES])[::-1]
    newest = list_summaries(tenant=claim.tenant_id, session_id=session.pk).first()
    served = newest.seq_to if newest else 0
    if not messages or messages[-1].seq <= served:
        return Ending(session, (), read_at)
    known = read_known_words(tenant=claim.tenant_id, person_id=session.person_id, messages=messages)
    return Ending(session, messages, read_at, known)


def _summarize(ending: Ending) -> ChatReply:
    """A model reads what its compaction summary doesn't speak for: the last batch itself, the others as told before."""
    live = tuple(one for one in ending.messages if not one.compacted)
    read = live if live and has_chat_model() else ending.messages
    batches = list_batches(tuple(map(as_material, read)))
    summary = ending.session.served_summary
    before: list[ChatReply] = []
    if len(batches) > 1:
        before, _ = summarize_parts(batches[:-1], summary=summary, share=BEFORE_SHARE)
    return complete(_request(batches[-1], join_parts(summary, before), ending.known))


def _request(batch: Batch, earlier: str, known: KnownWords) -> ChatRequest:
    prompt = render_prompt(
        PROMPT, earlier=earlier or "(nothing)", conversation=render_material(batch.material)
    )
    return ChatRequest(
        task="session_summary",
        system=SYSTEM,
        prompt=prompt,
        material=batch.material,
        earlier=earlier,
        json=True,
        over=known.over,
        kept=known.kept,
    )


def _keep_summary(ending: Ending, fields: dict[str, object], reply: ChatReply) -> None:
    SessionSummary.objects.for_tenant(ending.session.tenant).create(
        session=ending.session,
        seq_to=ending.messages[-1].seq,
        said_from=min(message.created_at for message in ending.messages),
        said_to=max(message.created_at for message in ending.messages),
        model=f"{reply.provider}/{reply.model}",
        prompt_hash=prompt_hash(read_prompt(PROMPT)),
        created_at=ending.read_at,
        **fields,
    )


def _end(session: Session) -> bool:
    """Whether it ended; one that went on meanwhile did not. What the rolling summary lacks is written into it."""
    rows = Session.objects.for_tenant(session.tenant).filter(pk=session.pk, next_seq=session.next_seq)
    ended = bool(rows.filter(ended_at=None).update(ended_at=timezone.now()))
    if ended and session.turns_to_roll:
        schedule(tenant=session.tenant, session=session, kind="roll")
    return ended or rows.exists()
