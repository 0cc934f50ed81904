"""The grammars there are, one a language, and the one door to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nebo.llm.rules.english import reading as english
from nebo.llm.rules.statements import Statement, Turn


@dataclass(frozen=True, slots=True)
class Grammar:
    """How one language states things; `language` is its ISO 639-1 code."""

    language: str
    read: Callable[[Turn], list[Statement]]


GRAMMARS = (Grammar("en", english.read),)


def read_statements(turn: Turn) -> list[Statement]:
    """What a message states, in its order, in whichever language it is; the first reading of a slot wins."""
    found: dict[str, Statement] = {}
    for grammar in GRAMMARS:
        for statement in grammar.read(turn):
            found.setdefault(statement.key, statement)
    return sorted(found.values(), key=lambda statement: statement.start)
