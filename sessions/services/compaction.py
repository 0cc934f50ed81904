"""Compaction: old messages are folded into a cumulative summary; nothing is deleted (seed 000 §10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memories.extraction.material import render_material
from memories.selectors import list_known_values
from nebo.jobs.claims import Claim
from nebo.llm.prompts import render_prompt
from nebo.llm.types import ChatReply, ChatRequest
from nebo.tenants.scoping import tenant_scope
from sessions.models import Compaction, Message, Session, Snapshot
from sessions.selectors import list_live_messages
from sessions.services.extraction import as_material, session_of
from sessions.standing import complete
from sessions.summaries import cumulate, keep_clean
from sessions.tokens import estimate_tokens
from sessions.withheld import with_withheld

KEEP_STEPS = (10, 3, 1)  # messages kept, tried in turn; seed 000 §10
SUMMARY_WORDS = 250
ACTIVE_TASK_CHARS = 200
SYSTEM = "You keep the memory of an assistant. You report faithfully and briefly."


@dataclass(frozen=True, slots=True)
class Fold:
    """What is folded into the summary and what stays."""

    session: Session
    folded: tuple[Message, ...]
    kept: tuple[Message, ...]
    read_at: datetime


def choose_kept(tokens: Sequence[int], *, limit: int) -> int:
    """How many of the last messages stay: ten, three or one, the first that fits under `limit` tokens."""
    for keep in KEEP_STEPS:
        if sum(tokens[-keep:]) <= limit:
            return keep
    return KEEP_STEPS[-1]


def find_fold(*, tenant_id: UUID, session_id: UUID) -> Fold | None:
    """What compaction would fold now; None where nothing is left to fold."""
    read_at = timezone.now()
    rows = with_withheld(Session.objects.for_tenant(tenant_id)).select_related("tenant")
    session = rows.filter(pk=session_id).first()
    if session is None:
        return None
    live = list(list_live_messages(tenant=session.tenant, session_id=session.pk))
    room = session.tenant.compaction_tokens - estimate_tokens(session.told_summary)
    keep = choose_kept([message.tokens for message in live], limit=max(room, 0))
    if len(live) <= keep:
        return None
    return Fold(session, tuple(live[:-keep]), tuple(live[-keep:]), read_at)


def compact_session(*, claim: Claim) -> None:
    """Summarise outside any transaction, then publish if nobody compacted meanwhile."""
    with tenant_scope(claim.tenant_id):
        fold = find_fold(tenant_id=claim.tenant_id, session_id=session_of(claim))
    if fold is None:
        with claim.publish() as result:
            result["folded"] = 0
        return
    summary = _summarize(fold)
    task = fold.session.told_task or _find_active_task(fold)
    with claim.publish() as result:
        result["folded"] = _publish(fold, summary, task)


def _summarize(fold: Fold) -> ChatReply:
    material = tuple(map(as_material, fold.folded))
    prompt = render_prompt(
        "sessions:prompts/summarize.txt",
        words=SUMMARY_WORDS,
        earlier=fold.session.told_summary or "(none)",
        conversation=render_material(material),
    )
    return complete(ChatRequest(task="summarize", system=SYSTEM, prompt=prompt, material=material))


def _find_active_task(fold: Fold) -> str:
    """What the two are working on, in a model's words; empty for none."""
    material = tuple(map(as_material, (*fold.folded, *fold.kept)))
    prompt = render_prompt("sessions:prompts/active_task.txt", conversation=render_material(material))
    request = ChatRequest(
        task="active_task", system=SYSTEM, prompt=prompt, material=material, max_output_tokens=60
    )
    text = complete(request).text.strip().strip('"')
    return "" if text.casefold().rstrip(".") in {"", "none"} else keep_clean(text)[:ACTIVE_TASK_CHARS]


def _publish(fold: Fold, summary: ChatReply, task: str) -> int:
    """Messages marked, summary replaced, the journal and a snapshot written; 0 if the fold is stale."""
    tenant = fold.session.tenant
    session = Session.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=fold.session.pk)
    if session.compaction_count != fold.session.compaction_count:
        return 0
    before, tokens_before = fold.session.told_summary, session.live_tokens
    last = fold.folded[-1].seq
    rows = Message.objects.for_tenant(tenant).filter(session=session, compacted=False)
    rows.filter(seq__lte=last).update(compacted=True)
    session.summary = keep_clean(cumulate(before, summary.text))
    session.live_tokens = sum(rows.filter(seq__gt=last).values_list("tokens", flat=True))
    session.compaction_count += 1
    session.recovering = True
    session.active_task = task
    session.save(update_fields=["summary", "live_tokens", "compaction_count", "recovering", "active_task"])
    compaction = Compaction.objects.for_tenant(tenant).create(
        session=session,
        number=session.compaction_count,
        seq_from=fold.folded[0].seq,
        seq_to=last,
        kept=len(fold.kept),
        tokens_before=tokens_before,
        tokens_after=session.live_tokens,
        summary_before=before,
        summary_after=session.summary,
        model=f"{summary.provider}/{summary.model}",
        created_at=fold.read_at,
    )
    known = list_known_values(tenant=tenant, profile_id=session.profile_id, session_id=session.pk)
    Snapshot.objects.for_tenant(tenant).create(compaction=compaction, **known)
    return len(fold.folded)
