"""The dynamic block: earlier summary, active task, open loops, entity cards and recalled memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memories.models import Todo
from sessions.context.fencing import fence, one_line
from sessions.models import Session, SessionSummary

OPEN_LOOPS = 10  # shown at most


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
    """What the dynamic block is made of; empty parts are left out."""

    session: Session
    last_summary: SessionSummary | None = None
    todos: Sequence[Todo] = ()
    entity_cards: Sequence[str] = ()
    cards: Sequence[Card] = field(default_factory=tuple)


def render_dynamic(parts: DynamicParts) -> str:
    """The block as text."""
    sections = [
        _summary(parts.session.summary),
        _last_session(parts.last_summary),
        _active_task(parts.session.active_task),
        _open_loops(parts.todos),
        _recalled(parts.entity_cards, parts.cards),
    ]
    return "\n\n".join(section for section in sections if section)


def _summary(summary: str) -> str:
    return f"[Previous Conversation Summary]\n{fence('summary', [summary])}" if summary else ""


def _last_session(summary: SessionSummary | None) -> str:
    if summary is None or not summary.one_liner:
        return ""
    rows = [
        ("It was about", [summary.one_liner]),
        ("Left open", summary.open_loops),
        ("Promised", summary.commitments),
    ]
    lines = [f"- {name}: {one_line('; '.join(items))}" for name, items in rows if items]
    return f"## Last Conversation\n{fence('last-session', lines)}"


def _active_task(task: str) -> str:
    return f"## ACTIVE TASK\nYou are currently working on: {one_line(task)}" if task else ""


def _open_loops(todos: Sequence[Todo]) -> str:
    lines = [f"- [{todo.kind}] {one_line(todo.text)}" for todo in todos[:OPEN_LOOPS]]
    return f"## Open Loops\n{fence('open-loops', lines)}" if lines else ""


def _recalled(entity_cards: Sequence[str], cards: Sequence[Card]) -> str:
    lines = [one_line(card) for card in entity_cards]
    lines += [f"- {one_line(card.text)} [{cite(card)}]" for card in cards]
    return f"## Recalled For This Turn\n{fence('recalled', lines)}" if lines else ""


def cite(card: Card) -> str:
    """How a card names its source inside the prompt."""
    return f"memory {card.memory_id}" if card.memory_id else f"message {', '.join(card.message_ids)}"
