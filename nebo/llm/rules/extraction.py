"""The extraction answer, in the shape the extraction prompt asks of a model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from nebo.llm.rules.grammar import read_statements
from nebo.llm.rules.statements import Statement, Turn
from nebo.llm.types import ChatMessage

ARRAYS = ("preferences", "entities", "decisions", "styles", "artifacts")
_SINGULAR = {
    "preferences": "preference",
    "entities": "entity",
    "decisions": "decision",
    "styles": "style",
    "artifacts": "artifact",
}


def list_statements(material: Sequence[ChatMessage]) -> Iterator[tuple[int, Statement]]:
    """What the people in a conversation state, with the number of the message; assistants and tools say nothing."""
    shared = len({m.name for m in material if m.role == "user" and m.name}) > 1
    for number, message in enumerate(material):
        if message.role == "user":
            turn = Turn(message.content, message.name, message.created_at, shared)
            yield from ((number, statement) for statement in read_statements(turn))


def extract(material: Sequence[ChatMessage]) -> str:
    """The facts and todos of a conversation as JSON text."""
    answer: dict[str, list[dict[str, Any]]] = {name: [] for name in (*ARRAYS, "todos")}
    seen: set[tuple[str, str]] = set()
    for number, statement in list_statements(material):
        if statement.kind == "forget" or (statement.key, statement.value) in seen:
            continue
        seen.add((statement.key, statement.value))
        quote = material[number].content[statement.start : statement.end]
        array, row = (
            _todo(statement, number, quote) if statement.kind == "task" else _fact(statement, number, quote)
        )
        answer[array].append(row)
    return json.dumps(answer, ensure_ascii=False)


def _fact(statement: Statement, number: int, quote: str) -> tuple[str, dict[str, Any]]:
    return statement.category, {
        "key": statement.key,
        "value": statement.value,
        "category": _SINGULAR[statement.category],
        "tags": list(dict.fromkeys(tag for tag in statement.tags if tag)),
        "explicit": True,
        "type": statement.type,
        "entity": {"label": statement.entity, "type": statement.entity_type} if statement.entity else None,
        "fact_type": statement.fact_type,
        "importance": statement.importance,
        "message": number,
        "quote": quote,
    }


def _todo(statement: Statement, number: int, quote: str) -> tuple[str, dict[str, Any]]:
    return "todos", {
        "kind": statement.todo_kind,
        "text": statement.value,
        "due": statement.due.isoformat() if statement.due else None,
        "done": False,
        "message": number,
        "quote": quote,
    }
