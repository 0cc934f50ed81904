"""The grammars there are, one a language, and the one door to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nebo.llm.rules.english import closings as english_closings
from nebo.llm.rules.english import reading as english
from nebo.llm.rules.statements import Closing, Statement, Turn


@dataclass(frozen=True, slots=True)
class Grammar:
    """How one language states things; `language` is its ISO 639-1 code."""

    language: str
    read: Callable[[Turn], list[Statement]]
    read_closings: Callable[[Turn], list[Closing]]
    is_about: Callable[[Closing, str], bool]
    compile_rules: Callable[[], None]


GRAMMARS = (
    Grammar("en", english.read, english_closings.read, english_closings.is_about, english.compile_rules),
)


def compile_rules() -> None:
    """Every grammar's patterns, now and not at first use: some 0.2 s."""
    for grammar in GRAMMARS:
        grammar.compile_rules()


def read_statements(turn: Turn) -> list[Statement]:
    """What a message states, in its order, in whichever language it is; the first reading of a slot wins."""
    found: dict[str, Statement] = {}
    for grammar in GRAMMARS:
        for statement in grammar.read(turn):
            found.setdefault(statement.key, statement)
    return sorted(found.values(), key=lambda statement: statement.start)


def read_closings(turn: Turn) -> list[Closing]:
    """What a message says is done or given up, in its order."""
    found = [closing for grammar in GRAMMARS for closing in grammar.read_closings(turn)]
    return sorted(found, key=lambda closing: closing.start)


def is_about(closing: Closing, text: str) -> bool:
    """Whether what was settled is what an open commitment says."""
    return any(grammar.is_about(closing, text) for grammar in GRAMMARS)
