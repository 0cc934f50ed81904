"""Whether something stands beside what was known: a second cat, a job at weekends."""

from __future__ import annotations

import re

from nebo.reading.times.calendar_words import WEEKDAYS

_ADDS = re.compile(
    r"\b(?:another|(?:second|third)(?![ -](?:engineer|officer|mate|lieutenant|year|floor|violin|half))"
    r"|also|too|as well|besides|additionally|auch|zweite[nrs]?|zusätzlich|noch eine?n?|también|otr[oa]"
    r"|segund[oa](?! (?:oficial|maquinista|piso|curso|año))|además|aussi|deuxième|seconde?(?! \w)|un autre|une autre"
    r"|anche|altr[oa]|pure)\b",
    re.IGNORECASE,
)
# Who lives in the town of the new job "now too" lives nowhere else.
_LIVES_NOW_TOO = re.compile(
    r"\b(?P<lives>(?:live|living|lives|wohne?|lebe?|vivo|vivimos|habite|abito)\b[^,.;!?]{0,40}?)"
    r"\b(?P<now>now|jetzt|inzwischen|ahora|maintenant|adesso|ora) (?:too|also|as well|auch|también|aussi|anche)\b",
    re.IGNORECASE,
)
_AT_TIMES = re.compile(
    rf"\b(?:{'|'.join(WEEKDAYS)})s\b|\b(?:every|each|jeden|cada|chaque|ogni) \w+"
    r"|\b(?:weekends?|evenings?|part[- ]time|on the side|now and then|sometimes"
    r"|wochenenden?|abends|nebenbei|nebenher|manchmal|fin(?:es)? de semana|por las (?:tardes|noches)|a veces"
    r"|week-ends?|le soir|parfois|fine settimana|di sera|a volte)\b",
    re.IGNORECASE,
)


def adds_one_more(sentence: str) -> bool:
    """Whether a sentence says by its words that something stands beside what was known: a second cat, tea as well."""
    return bool(_ADDS.search(lives_there_now(sentence)))


def lives_there_now(sentence: str) -> str:
    """The sentence without the "too" of "I live there now too"."""
    return _LIVES_NOW_TOO.sub(r"\g<lives>\g<now>", sentence)


def is_at_times(stated: str) -> bool:
    """Whether something is done at times only: at weekends, in the evenings."""
    return bool(_AT_TIMES.search(stated))


def is_on_the_side(stated: str) -> bool:
    """Whether what somebody does for a living is one thing more, or done at times."""
    return adds_one_more(stated) or is_at_times(stated)
