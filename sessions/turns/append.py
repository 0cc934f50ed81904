"""The atomic turn: messages, what they state, chunks and the job that will learn from them, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memories.models import ForgetRequest, Memory
from memories.screening.placeholders import shown_instead
from memories.understanding import NOT_UNDERSTOOD, Understanding
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.jobs.lanes import Lane
from nebo.postgres.bulk_insert import insert_all
from nebo.postgres.prepared import execute, fetch_rows, number_parameters
from nebo.reading.meaning.small_talk import is_small_talk
from nebo.tenants.actor import Actor
from nebo.tenants.models import BroughtWords, Pause, Tenant, UserProfile
from nebo.tenants.pauses import NO_KEY, list_of_key, list_own, longest_of
from nebo.tenants.reads import Queries, TenantReads
from personality.models import PersonaCandidate
from personality.personas.selectors import list_all_personas
from personality.wishes.decisions import DecisionFields, decision_json
from personality.wishes.selectors import list_decided_about
from sessions.learning.active_task import task_after
from sessions.learning.audience import find_confidential_in
from sessions.learning.turn import TurnOutcome, learn_from_messages, understand_turn
from sessions.models import Message, Session
from sessions.selectors import list_one
from sessions.tokens import message_tokens
from sessions.turns.due_jobs import schedule_compaction, schedule_extraction, schedule_summaries
from sessions.turns.indexing import index_messages
from sessions.turns.state import advance_state

# Of each turn; Django takes longer to write it than Postgres to do it.
ADVANCE = number_parameters("""
UPDATE agent_sessions_session
SET next_seq = %(next_seq)s, turn_count = %(turn_count)s, live_tokens = %(live_tokens)s,
    last_activity_at = %(last_activity_at)s, ended_at = %(ended_at)s, turns_to_roll = %(turns_to_roll)s,
    active_task = %(active_task)s
WHERE tenant_id = %(tenant_id)s AND id = %(id)s
""")
# The ORM takes ten times as long to ask it as Postgres to say no.
FIND_KNOWN = number_parameters("""
SELECT 1 FROM agent_sessions_message
WHERE tenant_id = %(tenant_id)s AND session_id = %(session_id)s AND external_id IS NOT NULL
  AND external_id = ANY(%(external_ids)s) LIMIT 1
""")


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message as an agent tells it; `created_at` is when it was said."""

    role: str
    content: str
    name: str = ""
    external_id: str | None = None
    created_at: datetime | None = None
    understood: Understanding = NOT_UNDERSTOOD


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn left behind. `decisions` are those about the persona; `forget_requests` wait for one."""

    messages: list[Message]
    learned: list[Memory]
    extraction_due_at: datetime | None
    decisions: list[DecisionFields] = field(default_factory=list)
    forget_requests: list[ForgetRequest] = field(default_factory=list)
    pause: Pause | None = None  # why nothing of it was kept but what was there before


def understand(
    tenant: Tenant | UUID,
    session_id: UUID,
    messages: Sequence[NewMessage],
    trust: str = "",
    key_id: UUID | None = None,
) -> list[NewMessage]:
    """The messages with what they were understood to say; before the transaction in which they are stored.

    What a key brings that says that its words are nobody's own (`trust`) isn't read as a person's, and nothing is
    while collection is paused.
    """
    own = trust in ("", BroughtWords.USER)
    texts = [(new.role if own else Message.Role.ASSISTANT, new.content) for new in messages]
    found = understand_turn(tenant=tenant, session_id=session_id, messages=texts, key_id=key_id)
    return [replace(new, understood=one) for new, one in zip(messages, found, strict=True)]


def append_turn(
    *,
    tenant: Tenant | UUID,
    session_id: UUID,
    messages: Sequence[NewMessage],
    actor: Actor,
    check: Callable[[Session], None] = lambda session: None,
    lane: Lane | None = None,
) -> TurnResult:
    """Store a turn in the caller's transaction, unless `check` raises because of whose session it is.

    While collection is paused nothing of it is stored, and the result has the `pause`. A message whose `external_id`
    the session already holds is answered as it stands and not stored again; raises Conflict when its content differs,
    InvalidInput when one turn names an id twice. `lane` is where reading it waits, if not among what is being said now.
    """
    session, pauses = _lock_session(tenant, session_id, actor)
    check(session)
    tenant = session.tenant
    known = _known_messages(tenant, session, messages)
    pause = longest_of(pauses, key_id=actor.key_id)
    if pause is not None and _fresh(messages, known):
        return _left_out(tenant, session, messages, known, pause)
    fresh = _write_messages(tenant, session, _fresh(messages, known), actor.trust)
    understood = {m.pk: one.understood for m, one in zip(fresh, _fresh(messages, known), strict=True)}
    confidential = find_confidential_in(tenant=tenant, session=session, messages=fresh, understood=understood)
    outcome = learn_from_messages(
        tenant=tenant,
        session=session,
        messages=fresh,
        understood=understood,
        confidential=confidential,
        actor=actor,
    )
    decided = _decided_before(tenant, session, known) + outcome.decisions
    if fresh:
        if _withholds(outcome, understood.values()):
            _mark_as_read(tenant, fresh)
        index_messages(tenant, session, fresh, confidential)
        session.active_task = task_after(session.active_task, fresh, understood)
        _advance(tenant, session, fresh)
        schedule_compaction(tenant, session)
        schedule_summaries(tenant, session)
    reads_on = session.auto_extract or any(_is_unread(message) for message in fresh)
    due_at = schedule_extraction(tenant, session, lane) if fresh and reads_on else None
    return TurnResult(
        messages=_in_order(messages, fresh, known),
        learned=outcome.memories,
        extraction_due_at=due_at if session.auto_extract else None,
        decisions=[decision_json(candidate) for candidate in decided],
        forget_requests=outcome.forget_requests,
    )


def _left_out(
    tenant: Tenant,
    session: Session,
    messages: Sequence[NewMessage],
    known: Mapping[str | None, Message],
    pause: Pause,
) -> TurnResult:
    """Of a turn that isn't collected: what of it was there before, in the order told."""
    there = [known[new.external_id] for new in messages if new.external_id in known]
    decided = [decision_json(candidate) for candidate in _decided_before(tenant, session, known)]
    return TurnResult(there, [], None, decisions=decided, pause=pause)


def _fresh(messages: Sequence[NewMessage], known: Mapping[str | None, Message]) -> list[NewMessage]:
    return [new for new in messages if new.external_id not in known]


def _is_unread(message: Message) -> bool:
    """Whether a job must still find out what a person said, if only to whom it may be shown."""
    return message.is_own and not message.read_in_turn


def _decided_before(
    tenant: Tenant, session: Session, known: Mapping[str | None, Message]
) -> list[PersonaCandidate]:
    """Of messages told again, what was decided when they were heard."""
    again = [message.pk for message in known.values()] if session.auto_extract else []
    return list(list_decided_about(tenant=tenant, message_ids=again)) if again else []


def _lock_session(tenant: Tenant | UUID, session_id: UUID, actor: Actor) -> tuple[Session, list[Pause]]:
    """Turns of a session queue here; with the pauses that may be in their way. No key update: who holds the person's
    row may point at the session, which this turn will wait for.
    """
    found = LOCKED.read(tenant=tenant, session_id=session_id, key_id=actor.key_id or NO_KEY)
    if not found["session"]:
        raise NotFound
    session: Session = found["session"][0]
    session.tenant, session.person = found["tenant"][0], found["person"][0]
    session.persona = next(iter(found["persona"]), None)
    return session, [*found["pauses"], *found["pauses_of_key"]]


def _list_locked(
    tenant: UUID, *, session_id: UUID, key_id: UUID, person_id: UUID, persona_id: UUID
) -> Queries:
    session = list_one(tenant=tenant, session_id=session_id)
    return {
        "person_id": session.values_list("person_id"),
        "persona_id": session.values_list("persona_id"),
        "session": session.select_for_update(no_key=True),
        "tenant": Tenant.objects.filter(pk=tenant),
        "person": UserProfile.objects.for_tenant(tenant).filter(pk=person_id),
        "persona": list_all_personas(tenant=tenant).filter(pk=persona_id),
        "pauses": list_own(tenant=tenant, person_id=person_id, session_id=session_id),
        "pauses_of_key": list_of_key(tenant=tenant, key_id=key_id),
    }


LOCKED = TenantReads(
    _list_locked,
    given={"session_id": "uuid", "key_id": "uuid"},
    found={"person_id": "uuid", "persona_id": "uuid"},
)


def _known_messages(
    tenant: Tenant, session: Session, messages: Sequence[NewMessage]
) -> dict[str | None, Message]:
    """Stored messages by external id, among those this turn names."""
    wanted = list_external_ids(messages)
    if not wanted or not _holds_any(tenant, session, list(wanted)):
        return {}
    rows = Message.objects.for_tenant(tenant).filter(session=session, external_id__in=wanted)
    known: dict[str | None, Message] = {str(row.external_id): row for row in rows}
    for external_id, index in wanted.items():
        if external_id in known and known[external_id].content != messages[index].content:
            raise Conflict(
                "this external_id is taken by another message", field=f"messages/{index}/external_id"
            )
    return known


def _holds_any(tenant: Tenant, session: Session, external_ids: Sequence[str]) -> bool:
    """Mostly none."""
    asked = {"tenant_id": tenant.pk, "session_id": session.pk, "external_ids": external_ids}
    return bool(fetch_rows(FIND_KNOWN, asked))


def list_external_ids(messages: Sequence[NewMessage]) -> dict[str, int]:
    """The ids that a turn names, each with its message's place. Raises InvalidInput when it names one twice."""
    places: dict[str, int] = {}
    for index, new in enumerate(messages):
        if new.external_id and places.setdefault(new.external_id, index) != index:
            raise InvalidInput(
                "the same external_id twice in one turn", field=f"messages/{index}/external_id"
            )
    return places


def _write_messages(
    tenant: Tenant, session: Session, news: Sequence[NewMessage], trust: str
) -> list[Message]:
    now = timezone.now()
    rows = [
        Message(
            tenant=tenant,
            session=session,
            person_id=session.person_id,
            seq=session.next_seq + offset,
            role=new.role,
            name=new.name,
            trust=trust,
            content=new.content,
            shown=shown_instead(new.content),
            external_id=new.external_id or None,
            tokens=message_tokens(new.content),
            created_at=new.created_at or now,
            read_in_turn=new.understood.reading.complete,
            passing=is_small_talk(new.understood.reading),
        )
        for offset, new in enumerate(news)
    ]
    return insert_all(rows)


def _withholds(outcome: TurnOutcome, understood: Iterable[Understanding]) -> bool:
    """Whether the turn asks to forget something, or says what is never to be mentioned."""
    forgets = any(memory.status == Memory.Status.DELETED for memory in outcome.memories)
    return forgets or any(one.marked for one in understood)


def _mark_as_read(tenant: Tenant, messages: Sequence[Message]) -> None:
    """What this very turn has withheld isn't indexed either."""
    rows = Message.objects.for_tenant(tenant).filter(pk__in=[message.pk for message in messages])
    shown = dict(rows.values_list("pk", "shown"))
    for message in messages:
        message.shown = shown[message.pk]


def _advance(tenant: Tenant, session: Session, messages: Sequence[Message]) -> None:
    """Counters of the session and of the state that outlives it; a closed session is open again."""
    now = timezone.now()
    session.next_seq = messages[-1].seq + 1
    session.turn_count += 1
    session.live_tokens += sum(message.tokens for message in messages)
    session.last_activity_at = now
    session.ended_at = None
    session.turns_to_roll += sum(message.role == Message.Role.USER for message in messages)
    execute(ADVANCE, {**vars(session), "tenant_id": tenant.pk})
    advance_state(tenant=tenant, session=session, messages=messages, at=now)


def _in_order(
    asked: Sequence[NewMessage], fresh: Sequence[Message], known: dict[str | None, Message]
) -> list[Message]:
    """One stored message for each one told, in the order told."""
    written = iter(fresh)
    return [known[new.external_id] if new.external_id in known else next(written) for new in asked]
