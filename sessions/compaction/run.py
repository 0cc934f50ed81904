"""Compaction: old messages are folded into a cumulative summary; nothing is deleted.

A model reads all that is folded, in batches. What it had no time for stays live, and is folded by the next run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memories.extraction.material import render_material
from memories.selectors import list_known_values
from memories.understanding import Understanding
from nebo.jobs.claims import Claim
from nebo.llm.errors import LlmError
from nebo.llm.prompts import render_prompt
from nebo.llm.rules.summaries import without_taken_back
from nebo.llm.types import ChatReply, ChatRequest
from nebo.reading.meaning.reader import read_text
from nebo.tenants.scoping import tenant_scope
from sessions.learning.active_task import begun_at, fit_task, task_after
from sessions.material import as_material
from sessions.models import Compaction, Message, Session, Snapshot
from sessions.scheduling import schedule, session_of
from sessions.selectors import list_live_messages
from sessions.summaries.batches import list_batches, summarize_parts
from sessions.summaries.known import read_known_words
from sessions.summaries.supported import SYSTEM, complete
from sessions.summaries.text import cumulate, fit_summary
from sessions.tokens import estimate_tokens
from sessions.withheld import with_withheld

KEEP_STEPS = (10, 3, 1)  # messages kept, tried in turn; docs/design.md#conversation-numbers


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What is folded into the summary and what stays."""

    session: Session
    compacted: tuple[Message, ...]
    kept: tuple[Message, ...]
    read_at: datetime
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """What came of it: the summary that follows, and the task; `model` wrote it."""

    summary: str
    task: str
    model: str


def choose_kept(tokens: Sequence[int], *, limit: int) -> int:
    """How many of the last messages stay: ten, three or one, the first that fits under `limit` tokens."""
    for keep in KEEP_STEPS:
        if sum(tokens[-keep:]) <= limit:
            return keep
    return KEEP_STEPS[-1]


def plan_compaction(*, tenant_id: UUID, session_id: UUID) -> CompactionPlan | None:
    """What compaction would fold now; None where nothing is left to fold."""
    read_at = timezone.now()
    rows = with_withheld(Session.objects.for_tenant(tenant_id)).select_related("tenant")
    session = rows.filter(pk=session_id).first()
    if session is None:
        return None
    live = list(list_live_messages(tenant=session.tenant, session_id=session.pk))
    room = session.tenant.compaction_tokens - estimate_tokens(session.served_summary)
    keep = choose_kept([message.tokens for message in live], limit=max(room, 0))
    if len(live) <= keep:
        return None
    known = read_known_words(tenant=tenant_id, person_id=session.person_id, messages=())
    return CompactionPlan(session, tuple(live[:-keep]), tuple(live[-keep:]), read_at, known.over)


def compact_session(*, claim: Claim) -> None:
    """Summarise outside any transaction, then publish if nobody compacted meanwhile."""
    with tenant_scope(claim.tenant_id):
        plan = plan_compaction(tenant_id=claim.tenant_id, session_id=session_of(claim))
    if plan is None:
        with claim.publish() as result:
            result["folded"] = 0
        return
    replies, read = _summarize(plan)
    task = _find_active_task(plan)
    later = tuple(map(as_material, _narrow(plan, read).kept))
    policy = plan.session.tenant.sensitive_classes
    written = without_taken_back(fit_summary([reply.text for reply in replies], policy), later)
    compacted = CompactionResult(
        summary=cumulate(plan.session.served_summary, written),
        task=task,
        model=f"{replies[-1].provider}/{replies[-1].model}",
    )
    with claim.publish() as result:
        result["folded"] = _publish(claim, _narrow(plan, read), compacted)
        if read < len(plan.compacted):
            schedule(tenant=plan.session.tenant, session=plan.session, kind="compact")


def _narrow(plan: CompactionPlan, read: int) -> CompactionPlan:
    """What was not read is kept."""
    return replace(plan, compacted=plan.compacted[:read], kept=(*plan.compacted[read:], *plan.kept))


def _summarize(plan: CompactionPlan) -> tuple[list[ChatReply], int]:
    """What a model says of each batch, and how many messages it read. Raises LlmError."""
    batches = list_batches(tuple(map(as_material, plan.compacted)))
    return summarize_parts(batches, summary=plan.session.served_summary, over=plan.over)


def _find_active_task(plan: CompactionPlan) -> str:
    """What the two are working on now, in a model's words; empty for none. A model that fails leaves it as it was."""
    current = _follow_unread(plan)
    material = tuple(map(as_material, (*plan.compacted, *plan.kept)))
    prompt = render_prompt(
        "sessions:prompts/active_task.txt",
        current=current or "(none)",
        conversation=render_material(material),
    )
    request = ChatRequest(
        task="active_task",
        system=SYSTEM,
        prompt=prompt,
        material=material,
        earlier=current,
        max_output_tokens=60,
    )
    try:
        text = complete(request).text.strip().strip('"')
    except LlmError:
        return current
    return "" if text.casefold().rstrip(".") in {"", "none", "(none)"} else fit_task(text, otherwise=current)


def _follow_unread(plan: CompactionPlan) -> str:
    """The task after what nobody has read yet, such as a long import."""
    session, messages = plan.session, (*plan.compacted, *plan.kept)
    people = [message for message in messages if message.role == Message.Role.USER]
    begun = begun_at(session.served_task, people)
    unread = [
        message
        for message in people
        if not message.read_in_turn and message.seq > max(session.extracted_seq, begun)
    ]
    understood = {message.pk: Understanding(read_text(message.words)) for message in unread}
    return task_after(session.served_task, unread, understood)


def _publish(claim: Claim, plan: CompactionPlan, compacted: CompactionResult) -> int:
    """Messages marked, summary replaced, the journal and a snapshot written; 0 if the fold is stale."""
    tenant = plan.session.tenant
    session = Session.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=plan.session.pk)
    claim.hold_words()
    if session.compaction_count != plan.session.compaction_count:
        return 0
    before, tokens_before = plan.session.served_summary, session.live_tokens
    last = plan.compacted[-1].seq
    rows = Message.objects.for_tenant(tenant).filter(session=session, compacted=False)
    rows.filter(seq__lte=last).update(compacted=True)
    session.summary = compacted.summary
    session.live_tokens = sum(rows.filter(seq__gt=last).values_list("tokens", flat=True))
    session.compaction_count += 1
    session.recovering = True
    if session.next_seq == plan.session.next_seq or session.active_task == plan.session.active_task:
        session.active_task = compacted.task  # what was said meanwhile knows better
    session.save(update_fields=["summary", "live_tokens", "compaction_count", "recovering", "active_task"])
    compaction = Compaction.objects.for_tenant(tenant).create(
        session=session,
        number=session.compaction_count,
        seq_from=plan.compacted[0].seq,
        seq_to=last,
        kept=len(plan.kept),
        tokens_before=tokens_before,
        tokens_after=session.live_tokens,
        summary_before=before,
        summary_after=session.summary,
        model=compacted.model,
        created_at=plan.read_at,
    )
    known = list_known_values(tenant=tenant, person_id=session.person_id, session_id=session.pk)
    Snapshot.objects.for_tenant(tenant).create(compaction=compaction, **known)
    return len(plan.compacted)
