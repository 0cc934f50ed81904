"""Words taken out of a conversation for good: out of the messages, and out of all that was made of them.

The app may write a message's row once only, so a function of the owner cuts it (nebo_redact); it can put nothing
but a mark in the place of words, and leaves the audit entry itself. What was made of the words goes with them: memories
that rest on them alone, observations, todos, requests, summaries, kept answers. The texts of whatever else is known
of the person are searched for words that no other message has (`sessions.redaction.scrubbing`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from memories.models import Memory, Observation, Withheld
from memories.screening.placeholders import REDACTED
from memories.storing.audited_writes import lock_person
from memories.storing.edit import delete_memory
from memories.withholding.withholding import show_anew
from nebo.errors import InvalidInput, NotFound
from nebo.jobs.claims import Claim
from nebo.reading.words.naming import named_words
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.taken_words import count_taken_words
from search.answer_versions import invalidate_answers
from sessions.models import Compaction, Message, RollingSummary, Session, SessionSummary, Snapshot
from sessions.redaction.scrubbing import DerivedText, scrub_person
from sessions.redaction.spans import Span, find_spans, widened_all, without_spans
from sessions.scheduling import schedule, schedule_rewriting
from sessions.selectors import list_messages


@dataclass(frozen=True, slots=True)
class Cut:
    """What is taken out of one message."""

    message: Message
    spans: tuple[Span, ...]

    @property
    def words(self) -> str:
        """What goes."""
        return " … ".join(self.message.content[start:end] for start, end in self.spans)


def redact_message(
    *,
    tenant: Tenant | UUID,
    session: Session,
    message_id: UUID,
    actor: Actor,
    words: Sequence[str] = (),
    stretch: Span | None = None,
) -> Message:
    """Take words, or a stretch, or all of it, out of a message for good; the message as it is now.

    Raises NotFound for one that isn't in the session, and InvalidInput for words that aren't in the message.
    """
    held = _hold(tenant, session)
    message = list_messages(tenant=tenant, session_id=session.pk).filter(pk=message_id).first()
    if message is None:
        raise NotFound
    spans = _spans_of(message, words, stretch)
    _redact(tenant, held, [Cut(message, spans)] if spans else [], actor)
    message.refresh_from_db()
    return message


def redact_withheld(*, claim: Claim) -> None:
    """Take out for good what was withheld for a memory that is erased; the job's payload names the rows."""
    with claim.publish() as result:
        rows = Withheld.objects.for_tenant(claim.tenant_id).filter(pk__in=claim.payload["withheld"])
        sessions = Session.objects.for_tenant(claim.tenant_id).filter(pk__in=rows.values("session_id"))
        result["messages"] = 0
        for session in sessions.order_by("pk"):
            held = _hold(claim.tenant_id, session)
            cuts = _cuts_of(claim.tenant_id, rows.filter(session=session))
            _redact(claim.tenant_id, held, cuts, Actor(kind="job", id=str(claim.job_id)))
            result["messages"] += len(cuts)


def _cuts_of(tenant_id: UUID, rows: QuerySet[Withheld]) -> list[Cut]:
    spans: dict[UUID, list[Span]] = {}
    for message_id, start, end in rows.values_list("message_id", "start", "end"):
        spans.setdefault(message_id, []).append((start, end))
    messages = Message.objects.for_tenant(tenant_id).filter(pk__in=list(spans)).order_by("seq")
    return [Cut(message, widened_all(message.content, spans[message.pk])) for message in messages]


def redact_session(*, tenant: Tenant | UUID, session: Session, actor: Actor) -> int:
    """Take all words out of a session for good; how many messages there were."""
    held = _hold(tenant, session)
    left = list_messages(tenant=tenant, session_id=session.pk).exclude(content=REDACTED)
    cuts = [Cut(message, ((0, len(message.content)),)) for message in left]
    _redact(tenant, held, cuts, actor)
    return len(cuts)


def _hold(tenant: Tenant | UUID, session: Session) -> Session:
    """The session, then the person: in the order of a turn."""
    rows = Session.objects.for_tenant(tenant).select_related("tenant", "person", "persona")
    held = rows.select_for_update(of=("self",), no_key=True).get(pk=session.pk)
    lock_person(tenant=tenant, person=held.person)
    return held


def _spans_of(message: Message, words: Sequence[str], stretch: Span | None) -> tuple[Span, ...]:
    content = message.content
    if stretch is not None:
        if not stretch[0] < stretch[1] <= len(content):
            raise InvalidInput(
                _("The message has %(number)s characters.") % {"number": len(content)}, field="end"
            )
        return widened_all(content, [stretch])
    if not words:
        return ((0, len(content)),) if content not in ("", REDACTED) else ()
    found: list[Span] = []
    for place, text in enumerate(words):
        spans = find_spans(content, text)
        if not spans:
            raise InvalidInput(_("The message does not say this."), field=f"words/{place}")
        found += spans
    return widened_all(content, found)


def _redact(tenant: Tenant | UUID, session: Session, cuts: Sequence[Cut], actor: Actor) -> None:
    if not cuts:
        return
    own = list_own_words(tenant=tenant, session=session, cuts=cuts)
    invalidate_answers(tenant=tenant, person_id=session.person_id)
    count_taken_words(tenant=tenant, person_id=session.person_id)
    for memory in _list_resting(tenant, session, cuts, own):
        delete_memory(tenant=tenant, memory=memory, actor=actor, purge=True, keep_words=True)
    _move_withheld(tenant, cuts)
    _cut(session, cuts, own, actor)
    show_anew(tenant=tenant, person_id=session.person_id, message_ids=[cut.message.pk for cut in cuts])
    since = min(cut.message.recorded_at for cut in cuts)
    made = DerivedText([cut.message.pk for cut in cuts], " ".join(cut.words for cut in cuts), own)
    scrub_person(tenant=tenant, person_id=session.person_id, made=made)
    _drop_summaries(tenant, session, since)


def list_own_words(*, tenant: Tenant | UUID, session: Session, cuts: Sequence[Cut]) -> list[str]:
    """Words of what is cut that stand in no other message of the person, nor in what is left of these."""
    words = {word for cut in cuts for word in named_words(cut.words)}
    others = Message.objects.for_tenant(tenant).filter(person_id=session.person_id)
    others = others.exclude(pk__in=[cut.message.pk for cut in cuts])
    left = " ".join(without_spans(cut.message.content, cut.spans, REDACTED) for cut in cuts).lower()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT w FROM unnest(%s::text[]) AS w WHERE NOT EXISTS (SELECT FROM agent_sessions_message"
            " WHERE tenant_id = %s AND person_id = %s AND id <> ALL(%s) AND strpos(lower(content), w) > 0)",
            [sorted(words), session.tenant_id, session.person_id, [cut.message.pk for cut in cuts]],
        )
        alone = [word for (word,) in cursor.fetchall()]
    return [word for word in alone if word not in left]


def _list_resting(
    tenant: Tenant | UUID, session: Session, cuts: Sequence[Cut], own: Collection[str]
) -> list[Memory]:
    """Memories that rest on these words alone, in any state, and those that have a word nobody else said."""
    seen = Observation.objects.for_tenant(tenant).filter(memory__person_id=session.person_id)
    spans = {cut.message.pk: cut.spans for cut in cuts}
    here = [one for one in seen.filter(message_id__in=list(spans)) if _is_cut(one, spans)]
    elsewhere = seen.filter(memory_id__in={one.memory_id for one in here})
    kept = set(elsewhere.exclude(pk__in=[one.pk for one in here]).values_list("memory_id", flat=True))
    resting = Q(pk__in={one.memory_id for one in here} - kept)
    for word in own:
        resting |= Q(value__icontains=word) | Q(key__icontains=word)
    rows = Memory.objects.for_tenant(tenant).filter(resting, person_id=session.person_id)
    return list(rows.select_related("person", "persona"))


def _is_cut(seen: Observation, spans: Mapping[UUID, Sequence[Span]]) -> bool:
    start, end = seen.quote_start, seen.quote_end
    if start is None or end is None or seen.message_id is None:
        return True
    return any(first < end and start < last for first, last in spans[seen.message_id])


def _move_withheld(tenant: Tenant | UUID, cuts: Iterable[Cut]) -> None:
    """What is withheld of these messages moves with the words behind a cut, or goes with them."""
    by_message = {cut.message.pk: cut for cut in cuts}
    rows = Withheld.objects.for_tenant(tenant)
    held = list(rows.filter(message_id__in=list(by_message)))
    rows.filter(pk__in=[one.pk for one in held]).delete()
    moved = []
    for one in held:
        place = moved_span((one.start, one.end), by_message[one.message_id].spans)
        if place is not None:
            one.start, one.end = place
            moved.append(one)
    created = {one.pk: one.created_at for one in moved}
    rows.bulk_create(moved, ignore_conflicts=True)
    for one in moved:
        one.created_at = created[one.pk]
    rows.bulk_update(moved, ["created_at"])


def moved_span(span: Span, cuts: Sequence[Span]) -> Span | None:
    """Where a stretch stands once these are cut; None for one that is touched by a cut."""
    if any(first < span[1] and span[0] < last for first, last in cuts):
        return None
    shift = sum(len(REDACTED) - (last - first) for first, last in cuts if last <= span[0])
    return span[0] + shift, span[1] + shift


def _cut(session: Session, cuts: Sequence[Cut], own: Sequence[str], actor: Actor) -> None:
    """SQL: only a function of the owner may change messages, observations, versions and the compaction journal."""
    spans = [{"message": str(cut.message.pk), "spans": [list(span) for span in cut.spans]} for cut in cuts]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nebo_redact(%s, %s, %s::jsonb, %s, %s, %s)",
            [
                session.tenant_id,
                session.pk,
                json.dumps(spans),
                list(own),
                str(actor)[:120],
                actor.request_id[:64],
            ],
        )


def _drop_summaries(tenant: Tenant | UUID, session: Session, since: datetime) -> None:
    """All summaries that may say it go, and are written anew."""
    rolling = RollingSummary.objects.for_tenant(tenant).filter(
        state__person_id=session.person_id, created_at__gte=since
    )
    if rolling.delete()[0]:
        schedule(tenant=session.tenant, session=session, kind="roll")
    SessionSummary.objects.for_tenant(tenant).filter(session=session, created_at__gte=since).delete()
    folds = Compaction.objects.for_tenant(tenant).filter(session=session, created_at__gte=since)
    Snapshot.objects.for_tenant(tenant).filter(compaction__in=folds).delete()
    session.summary, session.active_task, session.rolled_seq = "", "", 0
    session.save(update_fields=["summary", "active_task", "rolled_seq"])
    schedule_rewriting(tenant=tenant, person_id=session.person_id, session_id=session.pk)
