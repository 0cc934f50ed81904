"""What a message tells at once, by rule, in the turn's own transaction: no model, no waiting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memories.confidence import EXPLICIT
from memories.normalize import normalize_key
from nebo.llm.rules.grammar import read_statements
from nebo.llm.rules.statements import Statement, Turn

TASK_LIFE = timedelta(days=14)  # how long a task told in passing stays (seed 004)
MAX_SIGNAL_CHARS = 20_000  # characters of a message that are read: its first and its last half of that
SIGNAL_KINDS = ("name", "preference", "timezone", "place", "fact", "remember", "forget", "task")
_PLAIN_KIND = {
    "habit": "fact",
    "relation": "fact",
    "event": "fact",
    "project": "fact",
    "decision": "fact",
    "style": "preference",
}


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing just said.

    `key` is the slot, `value` a sentence, `detail` the bare value; `start` and `end` span the quote. Of styles that
    exclude each other, `slot` is the same.

    `category` is the extraction array's singular, by which it is stored like an extracted fact; `expires_at` is set
    for tasks. Of a `forget`, `detail` is what to forget: nothing is stored.
    """

    kind: str
    category: str
    key: str
    value: str
    detail: str
    start: int
    end: int
    confidence: float
    type: str
    entity_label: str
    entity_type: str
    fact_type: str
    importance: int
    tags: tuple[str, ...]
    due: date | None
    expires_at: datetime | None
    slot: str


_CATEGORY = {
    "preferences": "preference",
    "entities": "entity",
    "decisions": "decision",
    "styles": "style",
    "artifacts": "artifact",
}


def find_signals(
    text: str, *, speaker: str = "", at: datetime | None = None, shared: bool = False
) -> list[Signal]:
    """The signals of one user message, in its order; questions, hypotheticals, hedges and quoted speech give none.

    `at` is when it was said: it resolves "tomorrow" and dates the expiry of tasks. `shared` says that several
    named people speak in this session, so that keys must name their owner.
    """
    half = MAX_SIGNAL_CHARS // 2
    if len(text) <= MAX_SIGNAL_CHARS:
        return _signals(text, 0, speaker, at, shared=shared)
    cut = len(text) - half
    return _signals(text[:half], 0, speaker, at, shared=shared) + _signals(
        text[cut:], cut, speaker, at, shared=shared
    )


def _signals(text: str, offset: int, speaker: str, at: datetime | None, *, shared: bool) -> list[Signal]:
    turn = Turn(text, speaker, at, shared)
    return [_signal(statement, offset, at) for statement in read_statements(turn)]


def _signal(statement: Statement, offset: int, at: datetime | None) -> Signal:
    return Signal(
        kind="remember" if "remember" in statement.tags else _PLAIN_KIND.get(statement.kind, statement.kind),
        category=_CATEGORY[statement.category],
        key=normalize_key(statement.key),
        value=statement.value,
        detail=statement.detail,
        start=statement.start + offset,
        end=statement.end + offset,
        confidence=EXPLICIT,
        type=statement.type,
        entity_label=statement.entity,
        entity_type=statement.entity_type,
        fact_type=statement.fact_type,
        importance=statement.importance,
        tags=statement.tags,
        due=statement.due,
        expires_at=at + TASK_LIFE if at and statement.kind == "task" else None,
        slot=statement.slot,
    )
