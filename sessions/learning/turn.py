"""What the messages of a turn say, understood before they are stored, and what comes of it in the turn's transaction.

Long turns are left to the job, which reads them five seconds later: nobody waits for more than some 30 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memories.learning.confidential import ConfidentialSpans
from memories.learning.messages import ReadScope, learn_from_message
from memories.learning.relations import relate
from memories.learning.utterance import Utterance
from memories.models import ForgetRequest, Memory
from memories.understanding import NOT_UNDERSTOOD, Understanding
from nebo.encoders import threads
from nebo.reading.meaning.reader import read_all
from nebo.reading.meaning.sentences import list_sentences
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.pauses import keeps_out
from nebo.tenants.scoping import tenant_scope
from personality.models import PersonaCandidate
from personality.wishes.deciding import WishMessage, learn_wishes
from personality.wishes.relations import relate_rules
from sessions.learning.audience import audience_of
from sessions.models import Message, Session
from sessions.selectors import find_two_speakers, has_replies, list_one

TURN_SENTENCES = 6  # that are read while somebody waits, 5 ms each; more are left to the job


@dataclass(slots=True)
class TurnOutcome:
    """What came of some messages: memories that changed, what waits for a decision, decisions about the persona."""

    memories: list[Memory] = field(default_factory=list)
    forget_requests: list[ForgetRequest] = field(default_factory=list)
    decisions: list[PersonaCandidate] = field(default_factory=list)


def understand_turn(
    *,
    tenant: Tenant | UUID,
    session_id: UUID,
    messages: Sequence[tuple[str, str]],
    limit: int = TURN_SENTENCES,
    key_id: UUID | None = None,
) -> list[Understanding]:
    """Of each message (role, text) what it says; only people's are read. Opens a scope of its own where it must.

    Where collection through that key is paused, it is compared with nothing, and nothing was understood.
    """
    people = [text if role == Message.Role.USER else "" for role, text in messages]
    if not any(map(list_sentences, people)):
        return [Understanding(reading) for reading in read_all(people, limit=limit)]
    begun = threads.begin(read_all, people, limit=limit)
    with tenant_scope(tenant):
        sessions = list_one(tenant=tenant, session_id=session_id).only("person_id", "persona_id")
        session = sessions.annotate(is_paused=keeps_out(tenant=tenant, key_id=key_id)).first()
    readings = begun.result()
    if session is None:
        return [Understanding(reading) for reading in readings]
    if session.is_paused:
        return [NOT_UNDERSTOOD for _ in messages]
    found = relate(
        tenant=tenant, person_id=session.person_id, persona_id=session.persona_id, readings=readings
    )
    return relate_rules(
        tenant=tenant, person_id=session.person_id, persona_id=session.persona_id, understood=found
    )


def learn_from_messages(
    *,
    tenant: Tenant,
    session: Session,
    messages: Sequence[Message],
    understood: Mapping[UUID, Understanding],
    confidential: ConfidentialSpans,
    actor: Actor,
) -> TurnOutcome:
    """Store what people said in these messages; in the caller's transaction.

    Where nothing is to be extracted, only what is to be remembered globally is heard.
    """
    people = [m for m in messages if m.is_own]
    reads: ReadScope = "all" if session.auto_extract else "global_notes"
    outcome = TurnOutcome()
    for turn in _utterances(session, people, understood, confidential, actor):
        learned = learn_from_message(turn=turn, reads=reads)
        outcome.memories.extend(learned.memories)
        outcome.forget_requests.extend(learned.forget_requests)
    read = [m for m in people if _is_read(understood.get(m.pk, NOT_UNDERSTOOD))]
    if session.auto_extract and read and not _is_among_people(session, read):
        outcome.decisions = learn_wishes(
            tenant=tenant,
            person=session.person,
            persona=session.persona,
            messages=[
                WishMessage(m.pk, m.content, m.created_at, understood.get(m.pk, NOT_UNDERSTOOD)) for m in read
            ],
            actor=actor,
        )
    return outcome


def _is_among_people(session: Session, people: Sequence[Message]) -> bool:
    """Whether two people speak by name, and no agent does: what they ask of each other is asked of none."""
    speakers = _speakers_in(session, people)
    return len(speakers) > 1 and not has_replies(tenant=session.tenant, session_id=session.pk)


def _is_read(message: Understanding) -> bool:
    """Whether anything of it is; of one left to the job, that one also finds wishes and orders that break rules."""
    return message.reading.complete or bool(message.reading.sentences)


def keep_answers(
    *,
    session: Session,
    messages: Sequence[Message],
    understood: Mapping[UUID, Understanding],
    confidential: ConfidentialSpans,
    actor: Actor,
) -> None:
    """Keep what gives a new answer to something known, or leans on the message before, of messages read in their turn.
    Only a job finds all of it.
    """
    telling = [one for one in messages if _is_learned_later(understood.get(one.pk, NOT_UNDERSTOOD))]
    for turn in _utterances(session, telling, understood, confidential, actor):
        learn_from_message(turn=turn, reads="answers")


def _is_learned_later(message: Understanding) -> bool:
    return bool(message.related) or any(one.leans for one in message.reading.sentences)


def _utterances(
    session: Session,
    people: Sequence[Message],
    understood: Mapping[UUID, Understanding],
    confidential: ConfidentialSpans,
    actor: Actor,
) -> Iterator[Utterance]:
    """Each of these messages with all that it belongs to."""
    speakers = _speakers_in(session, people)
    persona_id = audience_of(session)
    for message in people:
        yield Utterance(
            tenant=session.tenant,
            person=session.person,
            session_id=session.pk,
            message_id=message.pk,
            text=message.content,
            at=message.created_at,
            actor=actor,
            speaker=message.name,
            persona_id=persona_id,
            todo_persona_id=session.persona_id,
            confidential=confidential,
            shared=bool(message.name and speakers - {message.name}),
            understood=understood.get(message.pk, NOT_UNDERSTOOD),
        )


def _speakers_in(session: Session, people: Sequence[Message]) -> set[str]:
    """Who speaks under a name in a session that is learned from, if somebody does now."""
    named = session.auto_extract and any(message.name for message in people)
    return find_two_speakers(tenant=session.tenant, session_id=session.pk) if named else set()
