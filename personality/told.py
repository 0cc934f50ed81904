"""Wishes as a model tells them (“prefers short answers”), read by the rules for a person's own words."""

from __future__ import annotations

import re
from dataclasses import replace

from personality.overlay import VOLATILE_FIELDS
from personality.wishes import Wish, find_wishes

TOLD_OUTRIGHT = 0.60  # weight of what a model says was said in so many words
TOLD_INFERRED = 0.35  # of what it makes of it; alone neither is enough for any field
SAID_IN_SO_MANY_WORDS = 0.9  # confidence from which on a model means that (seed 000 §14)

_TELLING = re.compile(
    r"^(?:(?:the )?(?:user|person|speaker)|they|he|she|[A-Z]\w+)?\s*(?:now |would )?"
    r"(?:wants?|prefers?|likes?|asks?(?: for)?|asked(?: for)?|requests?|needs?|appreciates?)\s+"
    r"(?:(?:the |its |their )?(?:assistant|agent|ai|bot) to\s+|that\s+|to\s+)?(?P<rest>.+)$",
    re.IGNORECASE,
)
_AS_SAID = ("{}", "I prefer {}", "use {}", "be {}", "answer {}")


def find_told_wishes(value: str, *, quote: str, confidence: float) -> list[Wish]:
    """What a sentence about a person's style asks of the agent's manner, never of who it is; it waits for more."""
    told = _TELLING.match(value.strip().rstrip("."))
    rest = re.sub(r"^(?:replies|answers) in ", "answer in ", told["rest"]) if told else ""
    for form in _AS_SAID if rest else ():
        found = [wish for wish in find_wishes(form.format(rest)) if wish.field in VOLATILE_FIELDS]
        if found:
            return [_as_told(wish, quote, confidence) for wish in found]
    return []


def _as_told(wish: Wish, quote: str, confidence: float) -> Wish:
    weight = TOLD_OUTRIGHT if confidence >= SAID_IN_SO_MANY_WORDS else TOLD_INFERRED
    return replace(wish, mode="hedged", quote=quote, start=0, end=0, given_weight=weight)
