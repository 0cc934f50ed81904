"""Reading an English message: its clauses past the guards, through the tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from nebo.llm.rules.english import (
    belongings,
    daily,
    events,
    guards,
    habits,
    identity,
    loops,
    people,
    places,
    projects,
    requests,
    style,
    tastes,
    work,
)
from nebo.llm.rules.english.clauses import Clause, list_clauses
from nebo.llm.rules.english.rules import Reading, Rule, is_name, rule
from nebo.llm.rules.statements import Statement, Turn

MAX_REQUEST_CHARS = 400  # of a message; in a longer one "be brief" is about the work it describes
MAX_STATEMENTS = 40  # of one message; more is no message but a form

FACTS: tuple[Rule, ...] = (
    *identity.RULES, *places.RULES, *work.RULES, *people.RULES, *tastes.RULES,
    *projects.RULES, *daily.RULES, *habits.RULES, *belongings.RULES, *events.RULES,
)  # fmt: skip
ANYWHERE: tuple[Rule, ...] = (*people.ANYWHERE, *places.ANYWHERE, *loops.RULES)
REQUESTS: tuple[Rule, ...] = (*style.RULES, *requests.RULES)
RULES = (*FACTS, *ANYWHERE, *REQUESTS)
_NOTE = rule(r"(?P<what>.{4,400})", requests.note)
_NAMING = identity.RULES[1]


def compile_rules() -> None:
    """All patterns, now and not at first use."""
    for one in RULES:
        one.pattern  # noqa: B018  compiled by being looked at


def read(turn: Turn) -> list[Statement]:
    """What an English message states; nothing of a joke, a part to play, or a text to work on."""
    if guards.is_joke_or_material(turn.text):
        return []
    statements = _introduction(turn)
    one_off = _asks_for_work(turn.text)
    for clause in list_clauses(turn.text):
        statements += _read_clause(turn, clause, one_off=one_off)
        if len(statements) >= MAX_STATEMENTS:
            break
    return statements[:MAX_STATEMENTS]


def _read_clause(turn: Turn, clause: Clause, *, one_off: bool) -> list[Statement]:
    polite = requests.POLITE.match(clause.text)
    asked = _inner(clause, polite.end()) if polite else clause
    if memo := requests.REMEMBER.match(asked.text):
        return _remembered(turn, _inner(asked, memo.end()))
    wishes = [] if guards.is_hedged_request(clause) else _read_request(turn, asked, one_off=one_off)
    if wishes or polite:
        return wishes
    if guards.is_doubtful(clause) or guards.asks_outright(clause):
        return []
    return _read_facts(turn, clause)


def _read_request(turn: Turn, clause: Clause, *, one_off: bool) -> list[Statement]:
    if clause.asks and clause.text == clause.sentence.strip():
        return []
    if named := _NAMING.read(turn, clause):
        return named
    later = style.LATER.match(clause.text)
    made = (_first(REQUESTS, turn, _inner(clause, later.end())) if later else []) or _first(
        REQUESTS, turn, clause
    )
    lasting = not one_off or bool(style.LASTING.search(clause.text))
    return [s for s in made if lasting or s.category != "styles"]


def _read_facts(turn: Turn, clause: Clause) -> list[Statement]:
    """`I have a parrot named Polly` is told once: who Polly is says that there is a parrot."""
    anywhere = [s for each in ANYWHERE for s in each.read(turn, clause)]
    names = tuple(f"{verb} {s.entity}" for s in anywhere if s.entity for verb in ("named", "called"))
    first = _first(FACTS, turn, clause)
    return [s for s in first if not (s.key.startswith("has/") and s.value.endswith(names))] + anywhere


def _remembered(turn: Turn, clause: Clause) -> list[Statement]:
    """What is asked to be remembered is a fact when the grammar knows it, else a note; either way it matters."""
    if clause.asks and not clause.text:
        return []
    told = replace(clause, asks=False)
    found = _first(FACTS, turn, told) or _first(style.RULES, turn, told) or _NOTE.read(turn, told)
    return [replace(s, importance=max(2, s.importance), tags=(*s.tags, "remember")) for s in found]


def _first(rules: Iterable[Rule], turn: Turn, clause: Clause) -> list[Statement]:
    for each in rules:
        if made := each.read(turn, clause):
            return made
    return []


def _inner(clause: Clause, offset: int) -> Clause:
    """The clause from an offset on; the quote stays whole."""
    return replace(clause, text=clause.text[offset:])


def _introduction(turn: Turn) -> list[Statement]:
    """`Hi, I'm Sam.` at the head of a message."""
    match = identity.INTRODUCTION.match(turn.text)
    if not match or not is_name(match["name"]):
        return []
    clause = Clause(match.group(), "", 0, match.end(), match.group(), "", asks=False)
    return [
        Reading(turn, clause, match).says(
            "name", "user/name", f"is called {match['name']}", match["name"], importance=3, tags=("name",)
        )
    ]


def _asks_for_work(text: str) -> bool:
    """Whether a message asks for a piece of work, so that its wishes ("keep it short") are about that piece."""
    return len(text) > MAX_REQUEST_CHARS or bool(_WORK.search(text))


_WORK = re.compile(
    r"(?:^|[.!?\n]\s{1,3})(?:(?:please|can you|could you|would you|help me|i need you to|now)\s+)*"
    r"(?:write|draft|compose|translate|rewrite|summari[sz]e|create|generate|make (?:me )?an?|give "
    r"me an?|tell me|explain(?! (?:things|everything|stuff|it|like|simply))|plan|list|find|design"
    r"|code|implement|suggest)\b",
    re.IGNORECASE,
)
