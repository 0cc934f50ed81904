"""The names in a claim: nobody and no place may stand in it who wasn't said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from nebo.reading.times.calendar_words import MONTHS, WEEKDAYS, plain
from nebo.reading.wording.covering import is_light, language_of, list_words, means_same
from nebo.reading.words.kept import kept

_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]*|\b\w*[a-z]\w*[A-Z]\w*")
_STARTS = re.compile(r"(?:^|[.!?;:…]\s+|[\n\"“„«(]\s*)[\"“„«(*-]*\s*$")
# German writes every noun with a capital: only what follows these without an article is surely a name.
_BEFORE_NAMES = re.compile(r"\b(?:in|aus|bei|nach|von|mit|namens|heißt|heisst|für|zu)\s+$", re.IGNORECASE)

_AFTER_NOUN = re.compile(rf"{_BEFORE_NAMES.pattern.removesuffix('$')}[A-ZÄÖÜ][\w-]+ $")


@kept
def names_of(text: str) -> tuple[str, ...]:
    """The words of a text that are names by their form: written with a capital where the language has no need to."""
    german = language_of(text) == "de"
    return tuple(
        found.group()
        for found in _CAPITAL.finditer(text)
        if _is_name(found.group(), text[: found.start()], text[found.end() :], german=german)
    )


def find_foreign_name(claim: str, sources: Iterable[str]) -> str:
    """The first name in a claim that none of these texts has, or empty."""
    known = {word for text in sources for word in list_words(text)}
    for name in names_of(claim):
        parts = [part for part in list_words(name) if len(part) > 1 and not is_light(part)]
        if any(not any(means_same(part, word) for word in known) for part in parts):
            return name
    return ""


def _is_name(word: str, before: str, after: str, *, german: bool) -> bool:
    low = word.lower()
    if low in _calendar() or (len(word) < 2):
        return False
    if any(letter.isupper() for letter in word[1:]):
        return True
    if is_light(low) or low.removesuffix("'s") in ("the", "user"):
        return False
    if _STARTS.search(before):
        return _is_subject(after)
    if not german:
        return True
    is_noun = re.match(r" [A-ZÄÖÜ]", after)  # "für Projekt Birke": the second is the name
    return bool(_BEFORE_NAMES.search(before) and not is_noun) or bool(_AFTER_NOUN.search(before))


def _is_subject(after: str) -> bool:
    """Whether what follows the first word of a sentence makes it the name of somebody: "Ingrid is", "Ingrid's"."""
    return bool(
        re.match(
            r"['’]s\b|(?:[ ][A-ZÀ-Þ][\w-]+)*[ ](?:is|has|was|will|wants|says|said|likes|lives|works|plays|ist|hat|war"
            r"|wird|es|tiene|está|era|est|sera|è|ha|sarà|vive)\b",
            after,
        )
    )


@cache
def _calendar() -> frozenset[str]:
    """Months and weekdays, which are compared as times."""
    return frozenset(
        spelt for table in (*MONTHS, *WEEKDAYS) for name in table.split("|") for spelt in (name, plain(name))
    )
