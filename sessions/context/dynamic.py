"""The dynamic block: what came before (spine, summaries), active task, open loops, entity cards, recalled memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest

from django.utils import timezone

from memories.extraction.material import shorten
from memories.models import Todo
from sessions.background import Background
from sessions.context.budget import (
    DEFAULT_BUDGET,
    GOODBYE_SHARE,
    LAST_WORDS_SHARE,
    OPEN_LOOPS_SHARE,
    ROLLING_SHARE,
    SPINE_SHARE,
    fit,
)
from sessions.context.fencing import fence, one_line
from sessions.models import Session, SessionSummary
from sessions.tokens import cut_to_tokens, estimate_tokens

OPEN_LOOPS = 10  # shown at most
LAST_WORDS_CHARS = 300  # characters of one message
NOTHING_BEFORE = Background()
TITLES = {"PROFILE": "Profile", "PROJECTS": "Projects", "PEOPLE": "People", "OPEN_LOOPS": "Open"}


@dataclass(frozen=True, slots=True)
class Card:
    """Something recalled for this query, with what it cites."""

    text: str
    score: float
    memory_id: str = ""
    message_ids: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        cited = {"memory_id": self.memory_id} if self.memory_id else {"message_ids": list(self.message_ids)}
        return {**cited, "text": self.text, "score": self.score}


@dataclass(frozen=True, slots=True)
class DynamicParts:
    """What the dynamic block is made of; empty parts are left out. `budget` is the whole context's, in tokens."""

    session: Session
    background: Background = NOTHING_BEFORE
    todos: Sequence[Todo] = ()
    entity_cards: Sequence[str] = ()
    cards: Sequence[Card] = field(default_factory=tuple)
    budget: int = DEFAULT_BUDGET
    at: datetime = field(default_factory=timezone.now)


def render_dynamic(parts: DynamicParts) -> str:
    """The block as text."""
    sections = [
        _spine(parts),
        _summary(parts.session.told_summary),
        _rolling(parts),
        _last_session(parts),
        _active_task(parts.session.told_task),
        _open_loops(parts),
        _recalled(parts.entity_cards, parts.cards),
    ]
    return "\n\n".join(section for section in sections if section)


def _spine(parts: DynamicParts) -> str:
    """What lasts, the newest of each section first to fit; what stands among the open loops is not said twice."""
    shown = {todo.text for todo in parts.todos[:OPEN_LOOPS]}
    rows = [
        [f"- {TITLES[name]}: {one_line(item)}" for item in reversed(items) if item not in shown]
        for name, items in (parts.background.spine or {}).items()
    ]
    in_turns = dict.fromkeys(line for lines in zip_longest(*rows) for line in lines if line)
    kept = _fitting(list(in_turns), int(parts.budget * SPINE_SHARE))
    lines = sorted(kept, key=[line for row in rows for line in row].index)
    return f"## Long-Term Summary\n{fence('spine', lines)}" if lines else ""


def _summary(summary: str) -> str:
    return f"[Previous Conversation Summary]\n{fence('summary', [summary])}" if summary else ""


def _rolling(parts: DynamicParts) -> str:
    text = cut_to_tokens(one_line(parts.background.rolling), int(parts.budget * ROLLING_SHARE))
    return f"## So Far\n{fence('rolling', [text])}" if text else ""


def _last_session(parts: DynamicParts) -> str:
    """What the last conversation was about; of one that was left just now, its last words."""
    told = _fitting(_goodbye(parts.background.last_summary), int(parts.budget * GOODBYE_SHARE))
    lines = [*told, *_last_words(parts)]
    return f"## Last Conversation\n{fence('last-session', lines)}" if lines else ""


def _goodbye(summary: SessionSummary | None) -> list[str]:
    if summary is None or not summary.one_liner:
        return []
    rows = [
        ("It was about", [summary.one_liner]),
        ("On", [_day(summary.created_at)]),
        ("Left open", summary.open_loops),
        ("Promised", summary.commitments),
        ("What mattered", summary.what_mattered),
        ("People", summary.people),
        ("Tone", [summary.tone] if summary.tone else []),
    ]
    return [f"- {name}: {one_line('; '.join(items))}" for name, items in rows if items]


def _last_words(parts: DynamicParts) -> list[str]:
    said = parts.background.last_words
    lines = [
        f"- {_day(m.created_at)}, {one_line(m.name) or m.role}: {shorten(one_line(m.words), LAST_WORDS_CHARS)}"
        for m in reversed(said)
    ]
    return _fitting(lines, int(parts.budget * LAST_WORDS_SHARE))[::-1]


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    return list(lines[: fit([estimate_tokens(line) + 1 for line in lines], room)])


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _active_task(task: str) -> str:
    return f"## ACTIVE TASK\nYou are currently working on: {one_line(task)}" if task else ""


def _open_loops(parts: DynamicParts) -> str:
    shown = parts.todos[:OPEN_LOOPS]
    lines = [f"- [{todo.kind}] {one_line(todo.text)}{_due(todo, parts.at)}" for todo in shown]
    lines = _fitting(lines, int(parts.budget * OPEN_LOOPS_SHARE))
    return f"## Open Loops\n{fence('open-loops', lines)}" if lines else ""


def _due(todo: Todo, at: datetime) -> str:
    """`, due 9 May 2024`, unless the text names that day; an overdue one says so."""
    if todo.due_at is None:
        return ""
    day = _day(todo.due_at)
    named = day in todo.text
    if todo.due_at < at:
        return ", overdue" if named else f", overdue since {day}"
    return "" if named else f", due {day}"


def _recalled(entity_cards: Sequence[str], cards: Sequence[Card]) -> str:
    lines = [one_line(card) for card in entity_cards]
    lines += [f"- {one_line(card.text)} [{cite(card)}]" for card in cards]
    return f"## Recalled For This Turn\n{fence('recalled', lines)}" if lines else ""


def cite(card: Card) -> str:
    """How a card names its source inside the prompt."""
    return f"memory {card.memory_id}" if card.memory_id else f"message {', '.join(card.message_ids)}"
