"""A wish to be reminded, said behind what is to be done: "still need to ring the vet, remind me on Monday" is one
thing, due on Monday.
"""

from __future__ import annotations

import re

from nebo.reading.times.dates import names_time

_JOIN = r"[\s,;.–—-]*(?:(?:and|so|but|also|pls|please|und|bitte|y|por favor|et|e) )*"
# What may stand behind it is only when.
_WHEN = r"(?P<{0}>(?: (?!(?:to|about|of|that|i|when|if|how|why)\b)[\w:.'’]+){{0,4}})"
_REMINDER = re.compile(
    rf"{_JOIN}(?<!\w)(?:"
    rf"(?:(?:can|could|would|will) (?:you|u) )?(?:pls |please )?(?:remind|nudge|ping|poke) me"
    rf"(?: again)?(?: (?:about|of) (?:it|that|this))?{_WHEN.format('en')}"
    rf"|(?:kannst du mich|magst du mich){_WHEN.format('bitten')} (?:dran |daran )?erinnern"
    rf"|erinner[e']? mich(?: bitte)?{_WHEN.format('de')}(?<! dran)(?<! daran)(?: dran| daran)?"
    rf"|(?:recuérdamelo|me lo recuerdas|recuérdame|avísame){_WHEN.format('es')}"
    rf"|(?:rappelle[- ]le[- ]moi|rappelle[- ]moi|tu me le rappelles){_WHEN.format('fr')}"
    rf"|(?:ricordamelo|me lo ricordi|ricordami){_WHEN.format('it')}"
    r")[\s.!?]*$",
    re.IGNORECASE,
)


def without_reminder(text: str) -> str:
    """What is to be done, with the day of a reminder behind it if it has none; else as it is."""
    found = _REMINDER.search(text)
    if found is None or not text[: found.start()].strip():
        return text
    task = text[: found.start()]
    return task if names_time(task) else f"{task}{_when_of(found)}"


def find_reminder(text: str) -> str:
    """When somebody is to be reminded of what they said before, by a text that says nothing else; or empty."""
    found = _REMINDER.fullmatch(text)
    return _when_of(found) if found else ""


def _when_of(found: re.Match[str]) -> str:
    return next(filter(None, found.groups()), "")
