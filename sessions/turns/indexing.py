"""What the index gets of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from memories.learning.confidential import ConfidentialSpans
from memories.screening.placeholders import says_nothing
from nebo.tenants.models import Tenant
from search.answer_versions import invalidate_answers
from search.indexing.passages import Passage, index_passages
from search.questions.speaker_roles import SPEAKERS
from sessions.models import Message, Session

INDEXED_ROLES = frozenset({Message.Role.USER, Message.Role.ASSISTANT})


def heading_of(message: Message) -> str:
    """`[8 May 2023] Caroline:` — what the index knows of a turn beside its words (docs/search.md#what-is-indexed)."""
    at = message.created_at
    return f"[{at.day} {at:%B %Y}] {speaker_of(message)}:"


def speaker_of(message: Message) -> str:
    """Their name, or which of the two it was."""
    return message.name or SPEAKERS[message.role]


def index_messages(
    tenant: Tenant, session: Session, messages: Sequence[Message], confidential: ConfidentialSpans
) -> None:
    """Searchable by words in this very transaction; vectors follow. What was confided only its persona finds."""
    if not session.index_turns:
        return
    passages = [
        Passage(
            source="session",
            text=message.words,
            heading=heading_of(message),
            session_id=session.pk,
            persona_id=confidential.audience(message.pk, None, None, others=session.persona_id),
            seq_from=message.seq,
            seq_to=message.seq,
            speaker=speaker_of(message),
            by_agent=message.role == Message.Role.ASSISTANT,
            occurred_at=message.created_at,
        )
        for message in messages
        if message.role in INDEXED_ROLES and message.content.strip() and not says_nothing(message.words)
    ]
    if passages:
        invalidate_answers(tenant=tenant, person_id=session.person_id)
        index_passages(tenant=tenant, person_id=session.person_id, passages=passages)
