"""A turn that was found, told so that it is understood by itself: day, speaker, and the question it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from nebo.postgres.batched_reads import read_uuid
from nebo.postgres.prepared import fetch_rows, number_parameters
from nebo.reading.words.content_words import is_bare, split_sentences
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.answers.search import Hit
from search.questions.speaker_roles import ASSISTANT, SPEAKERS

NEEDS_BEFORE_WORDS = 8  # a turn of so many words at most is shown with the question it answers
BEFORE_CHARS = 200  # characters of that question
ENDS_ASKING = ("?", "？", "؟")

# The last words of the message right before each turn, by the one index that messages have. A question at its end
# fits into 400 characters.
WORDS_BEFORE = """
SELECT m.session_id, turn.seq, m.id, m.role, m.name, right(coalesce(m.shown, m.content), 400) AS words
FROM unnest(%(session_ids)s::uuid[], %(seqs)s::bigint[]) AS turn(session_id, seq)
CROSS JOIN LATERAL (
    SELECT id, session_id, role, name, content, shown, archived_at FROM agent_sessions_message
    WHERE tenant_id = %(tenant_id)s AND session_id = turn.session_id AND seq = turn.seq - 1 OFFSET 0) m
WHERE m.archived_at IS NULL
"""
FIND_BEFORE = number_parameters(WORDS_BEFORE)


class PrecedingMessage(NamedTuple):
    """The message right before a turn: its id, who spoke, and its last words."""

    id: str
    speaker: str
    words: str


BeforeTurns = Mapping[tuple[UUID, int], PrecedingMessage]  # by session and number of the turn after it


@dataclass(frozen=True, slots=True)
class RenderedTurn:
    """A turn in words, with the messages it cites: its own last."""

    text: str
    message_ids: tuple[str, ...]


def places_of(hits: Sequence[Hit]) -> list[tuple[UUID, int]]:
    """Where the turns among the results stand, that may need the one before."""
    return [(hit.session_id, hit.seq) for hit in hits if hit.session_id and hit.seq]


def find_before(*, tenant: Tenant | UUID, hits: Sequence[Hit]) -> dict[tuple[UUID, int], PrecedingMessage]:
    """What was said right before the short turns among the results; one statement, none where there are no such."""
    places = places_of([hit for hit in hits if _is_short(hit)])
    if not places:
        return {}
    parameters = {
        "tenant_id": tenant_id_of(tenant),
        "session_ids": [session_id for session_id, _ in places],
        "seqs": [seq for _, seq in places],
    }
    names = ("session_id", "seq", "id", "role", "name", "words")
    return dict(before_of(dict(zip(names, row, strict=True))) for row in fetch_rows(FIND_BEFORE, parameters))


def before_of(row: Mapping[str, Any]) -> tuple[tuple[UUID, int], PrecedingMessage]:
    """A row of `WORDS_BEFORE`, by the place of the turn after it."""
    speaker = row["name"] or SPEAKERS.get(row["role"], row["role"])
    return (read_uuid(str(row["session_id"])), row["seq"]), PrecedingMessage(
        str(row["id"]), speaker, row["words"]
    )


def render_turn(hit: Hit, before: BeforeTurns) -> RenderedTurn | None:
    """A turn with its day and speaker, without which "yesterday" and "I" mean nothing; a short one with the question
    it answers. None for words of mere courtesy, unless they answer what the other asked.
    """
    asked = _asked_before(hit, before)
    if is_bare(hit.text) and (asked is None or hit.speaker == ASSISTANT):
        return None
    cited = tuple(str(message.id) for message in hit.messages)
    line = f"{hit.speaker}: {hit.text}"
    if asked:
        line = f"{asked.speaker}: {_last_question(asked.words)} – {line}"
        cited = (asked.id, *cited)
    return RenderedTurn(f"[{_day(hit.created_at)}] {line}", cited)


def _asked_before(hit: Hit, before: BeforeTurns) -> PrecedingMessage | None:
    if hit.session_id is None or hit.seq is None or not _is_short(hit):
        return None
    turn = before.get((hit.session_id, hit.seq))
    return turn if turn and _last_question(turn.words) else None


def _is_short(hit: Hit) -> bool:
    return hit.memory_id is None and len(hit.text.split()) <= NEEDS_BEFORE_WORDS


def _last_question(text: str) -> str:
    """The question a turn ends in, or nearly; empty where it asks nothing."""
    asked = [part for part in split_sentences(text)[-2:] if part.rstrip("\"'”’)* ").endswith(ENDS_ASKING)]
    return asked[-1][-BEFORE_CHARS:] if asked else ""


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
