"""What the session endpoints give: each shape, and the function that makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypedDict

from memories.api.answers import MemoryFields, memory_json
from memories.api.forgetting import ForgetRequestFields
from nebo.api.pausing import PausedFields, paused_json
from nebo.api.shapes import Id, Moment, like, one_of
from nebo.api.times import as_utc
from personality.wishes.decisions import DecisionFields
from sessions.models import Message, Session
from sessions.turns.append import TurnResult

EXAMPLE_IDENTITY = {
    "workspace": "T024BE7LD",
    "channel": "C0G9QF9GW",
    "conversation": "1733",
    "actor": "ana",
}


class SessionFields(TypedDict):
    """A conversation of one person with one persona."""

    id: Id
    key: Annotated[str, like("chat-42")]
    user: Annotated[str, like("ana")]
    persona: Annotated[str | None, like(None, "Its slug; null is the default one.")]
    identity: Annotated[dict[str, str] | None, like(EXAMPLE_IDENTITY, "What its key was made of, if it was.")]
    auto_extract: Annotated[bool, like(True)]
    recall: Annotated[bool | None, like(None, "Null: as the workspace has it.")]
    index_turns: Annotated[bool, like(True)]
    message_count: Annotated[int, like(12)]
    turn_count: Annotated[int, like(6)]
    compaction_count: Annotated[int, like(0)]
    summary: Annotated[str, like("", "What was said before the messages that still stand.")]
    active_task: Annotated[str, like("Plan the move")]
    started_at: Moment
    last_activity_at: Moment
    ended_at: Annotated[Moment | None, like(None)]


class MessageFields(TypedDict):
    """A message as agents are shown it."""

    id: Id
    seq: int
    role: Annotated[str, one_of(Message.Role)]
    name: Annotated[str, like("")]
    content: Annotated[str, like("I moved to Lisbon in March, by the way.")]
    withheld: Annotated[bool, like(False, "Whether words of it are withheld.")]
    external_id: Annotated[str | None, like("msg-17")]
    tokens: Annotated[int, like(11, "An estimate.")]
    compacted: Annotated[bool, like(False, "Whether the summary speaks for it.")]
    created_at: Moment


class AppendedFields(TypedDict):
    """A message that was appended."""

    id: Id
    seq: int
    external_id: Annotated[str | None, like("msg-17")]


class DecisionsFields(TypedDict):
    """What was decided about the persona."""

    decisions: list[DecisionFields]


class DueFields(TypedDict):
    """When it will be learned from."""

    due_at: Moment


class TurnFields(TypedDict):
    """What a turn left behind. One that isn't `collected`, since that is `paused`, leaves nothing: `messages` are those
    that were there before.
    """

    messages: list[AppendedFields]
    collected: Annotated[bool, like(True)]
    paused: Annotated[PausedFields | None, like(None)]
    signals: Annotated[list[MemoryFields], like([], "Memories that were read at once.")]
    persona: DecisionsFields
    extraction: DueFields | None
    forget_requests: Annotated[list[ForgetRequestFields], like([], "What waits for a decision.")]


class RedactedFields(TypedDict):
    """How much was redacted."""

    messages: Annotated[int, like(12)]


def session_json(session: Session) -> SessionFields:
    """A session as the API shows it."""
    return {
        "id": str(session.pk),
        "key": session.key,
        "user": session.person.external_id,
        "persona": session.persona.slug if session.persona else None,
        "identity": session.identity or None,
        "auto_extract": session.auto_extract,
        "recall": session.recall,
        "index_turns": session.index_turns,
        "message_count": session.next_seq - 1,
        "turn_count": session.turn_count,
        "compaction_count": session.compaction_count,
        "summary": session.served_summary,
        "active_task": session.served_task,
        "started_at": as_utc(session.started_at),
        "last_activity_at": as_utc(session.last_activity_at),
        "ended_at": as_utc(session.ended_at),
    }


def message_json(message: Message) -> MessageFields:
    """A message as the API shows it."""
    return {
        "id": str(message.pk),
        "seq": message.seq,
        "role": message.role,
        "name": message.name,
        "content": message.words,
        "withheld": message.shown is not None,
        "external_id": message.external_id,
        "tokens": message.tokens,
        "compacted": message.compacted,
        "created_at": as_utc(message.created_at),
    }


def turn_json(turn: TurnResult, requests: Sequence[ForgetRequestFields]) -> TurnFields:
    """A turn as its sender is answered; `requests` are what it asks to have forgotten."""
    due_at = turn.extraction_due_at
    return {
        "messages": [{"id": str(m.pk), "seq": m.seq, "external_id": m.external_id} for m in turn.messages],
        "collected": turn.pause is None,
        "paused": paused_json(turn.pause),
        "signals": [memory_json(memory) for memory in turn.learned],
        "persona": {"decisions": turn.decisions},
        "extraction": {"due_at": as_utc(due_at)} if due_at else None,
        "forget_requests": list(requests),
    }
