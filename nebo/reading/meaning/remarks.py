"""What is only remarked on a fact: a feeling or an exclamation, "dead chuffed", "the clutch is going"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from nebo.reading.meaning.telling import DOUBT, TELLING, ClauseReading
from nebo.reading.times.calendar_words import WEEKDAYS
from nebo.reading.times.dates import find_when
from nebo.reading.wording.names import names_of

TRIVIAL = 0.85  # chance of being trivial, from which a part may be a remark
QUIET = 0.9  # chance of a confidence, from which a part asks for one
TELLS = 0.1  # chance of telling something, at most
MAX_WORDS = 6
ANY_DAY = date(2000, 1, 1)  # where only the words of a day count, not which it is
# What takes something away from what stands before it, or makes it depend on something: no mere remark.
_BINDS = re.compile(
    r"\b(?:no|not|never|\w+n['’]?t|only|just|except|unless|if|when|until|till|but|without|now|instead|mostly|usually|sometimes|or|nicht"
    r"|kein\w*|nie|nur|außer|ausser|wenn|falls|bis|ohne|aber|meist\w*|manchmal|oder|nunca|solo|sólo|salvo|excepto"
    r"|menos|si|cuando|hasta|sin|pero|casi|o|pas|jamais|sauf|seulement|quand|sans|mais|surtout|ou|non|mai|tranne|se"
    r"|quando|finché|senza|ma|quasi)\b|\d",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)
_NAMES_IT = re.compile(r"\b(?:hei(?:ß|ss)t|is called|se llama|s['’]appelle|si chiama)\b")


def asks_to_keep_quiet(part: str, read: Callable[[str], ClauseReading]) -> bool:
    """Whether a part only says that something is told in confidence."""
    meaning = read(part)
    return meaning.chances["confidence"] >= QUIET and meaning.worth["good"] < DOUBT


def is_remark(part: str, read: Callable[[str], ClauseReading]) -> bool:
    """Whether the last part of a sentence tells nothing; a figure, a name, a time, a condition or a denial does."""
    meaning = read(part)
    return (
        len(part.split()) <= MAX_WORDS
        and meaning.worth["trivial"] >= TRIVIAL
        and max(meaning.chances[kind] for kind in TELLING) < TELLS
        and not (
            _BINDS.search(part) or _WEEKDAY.search(part) or names_of(f"… {part}") or find_when(part, ANY_DAY)
        )
    )


def says_name(text: str) -> bool:
    """Whether it says what something is called, which is no mere remark: „…, Lumora heißt die“."""
    return _NAMES_IT.search(text) is not None
