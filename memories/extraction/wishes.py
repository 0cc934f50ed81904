"""Wishes for how to be answered, known again however a model words them and wherever it puts them."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.extraction.parsing import ExtractedFact
from nebo.llm.rules.grammar import read_statements
from nebo.llm.rules.statements import Statement, Turn

STYLES = "styles"
PLACES = ("style", "preference")  # where models put wishes
PROFILE_PREFIX = "user/"  # a column of the person's profile stays one

_TOLD = re.compile(
    r"^(?:(?:the |this )?(?:user|person|speaker)\s+|they\s+|[A-ZÀ-Þ][\w'’-]*\s+)??"
    r"(?:(?:really|generally|usually|strongly|clearly|always)\s+)?"
    r"(?P<verb>wants?|prefers?|likes?|ask(?:s|ed)? for|would like|request(?:s|ed)?|needs?|uses?|appreciates?)\s+"
    r"(?P<asked>(?:that )?(?:(?:the |its? |my |their )?(?:assistant|agent|ai|bot)|it|you|me) "
    r"(?:(?P<never>never )?to |should |must )?)?",
    re.IGNORECASE,
)


def as_style(fact: ExtractedFact) -> tuple[ExtractedFact, str]:
    """A fact under the key the rules give its wish, and that wish's slot; any other fact as it is, with no slot."""
    if fact.category not in PLACES or fact.key.startswith(PROFILE_PREFIX):
        return fact, ""
    wish = find_wish(fact.value)
    return (replace(fact, category="style", key=wish.key), wish.slot) if wish else (fact, "")


def find_wish(value: str) -> Statement | None:
    """The wish that a sentence in third person tells of: it is put back into the person's mouth and read by rule."""
    told = _TOLD.match(value)
    if told is None:
        return None
    rest = value[told.end() :]
    lead = "" if told["asked"] else "I use " if told["verb"].lower().startswith("use") else "I prefer "
    said = f"never {rest}" if told["never"] else f"{lead}{rest}"
    found = (statement for statement in read_statements(Turn(said)) if statement.category == STYLES)
    return next(found, None)
