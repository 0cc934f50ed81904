"""How a rule of the grammar is written: a pattern, and the statements its match makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from nebo.llm.rules.english.clauses import Clause
from nebo.llm.rules.english.phrasing import say, slug
from nebo.llm.rules.statements import Category, Kind, Statement, Turn
from nebo.llm.rules.wordlists import words

NAME = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]{1,24}(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]{1,24}){0,2})"
ORG = rf"{NAME}(?:(?: (?:of|for|de|do|da|del|della|di|du|van|von|der|the|&))+ {NAME})?"
ADVERBS = (
    r"(?:(?:really|absolutely|totally|also|just|actually|truly|definitely|honestly|still|do|so"
    r"|personally|currently|now|recently|finally|already"
    r"|basically|generally|mostly|only|both|even|simply|genuinely|especially|officially|myself|all"
    r"|ended up and)\s+){0,3}"
)
IM = r"I(?:['’]?m|\sam)\s+"

_NOT_NAMES = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december i i'm i've so the a an and but is was who god lord "
    "english christmas easter halloween thanksgiving hi hey hello thanks ok okay it he she they we you my "
    "your this that yes no not sorry"
)
_DEMONYM = re.compile(
    r"(?:ish|ese|[ae]rican|[ai]lian|indian|asian|german|french|dutch|greek|swiss|czech|catholic"
    r"|jewish|muslim|christian|hindu|buddhist)$"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A match of a rule on a clause of a turn, with what is needed to make statements of it."""

    turn: Turn
    clause: Clause
    match: re.Match[str]

    @property
    def on(self) -> date | None:
        """The day the message was said."""
        return self.turn.at.date() if self.turn.at else None

    @property
    def owner(self) -> str:
        """Who owns what "my" names: "Caroline's", or "the user's"."""
        return f"{self.turn.speaker}'s" if self.turn.speaker else "the user's"

    def __getitem__(self, group: str) -> str:
        return (self.match[group] or "").strip()

    def says(self, kind: Kind, key: str, predicate: str, detail: str, **more: Any) -> Statement:
        """A statement whose value is a sentence about the speaker."""
        return self.states(kind, key, say(self.turn.speaker, predicate), detail, **more)

    def states(self, kind: Kind, key: str, value: str, detail: str, **more: Any) -> Statement:
        """A statement with its value as given; a shared conversation puts the speaker before the key."""
        category: Category = more.pop("category", "preferences")
        whose = f"{slug(self.turn.speaker)}/" if self.turn.shared and self.turn.speaker else ""
        if slot := more.get("slot"):
            more["slot"] = whose + slot
        return Statement(
            kind, category, whose + key, value, detail, self.clause.start, self.clause.end, **more
        )


Made = Sequence[Statement] | Statement | None


@dataclass(frozen=True)
class Rule:
    """A pattern from a clause's first word on (or `anywhere` in it) and the maker of its statements."""

    text: str
    make: Callable[[Reading], Made]
    anywhere: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """`text`, compiled when it is first asked for: most commands need none of them."""
        return re.compile(self.text, re.IGNORECASE)

    def read(self, turn: Turn, clause: Clause) -> list[Statement]:
        """The statements this rule finds in a clause."""
        match = self.pattern.search(clause.text) if self.anywhere else self.pattern.match(clause.text)
        made = self.make(Reading(turn, clause, match)) if match else None
        if made is None:
            return []
        return [made] if isinstance(made, Statement) else list(made)


def rule(pattern: str, make: Callable[[Reading], Made], *, anywhere: bool = False) -> Rule:
    """A rule from its pattern's text; letters' case doesn't matter except in NAME."""
    return Rule(pattern, make, anywhere)


def is_name(text: str) -> bool:
    """Whether capitalised words can be somebody's name: no weekday, month, nationality or faith."""
    words = text.lower().replace("’", "'").split()
    return bool(words) and not any(word in _NOT_NAMES for word in words) and not _DEMONYM.search(words[-1])


def named(text: str) -> str:
    """A name without the genitive's or the sentence's trailing marks."""
    return re.sub(r"['’]s?$", "", text.strip(" .,!"))
