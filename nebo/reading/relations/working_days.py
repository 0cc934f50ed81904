"""How many days a week somebody works: another number, said of now, takes the place of the one that is known."""

from __future__ import annotations

import re

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.calendar_words import COUNTS

DOUBT = 0.5  # chance of asking, supposing or quoting, from which nothing is other
_NUMBER = rf"\d|{'|'.join(COUNTS[1:8])}"
_WORKS = re.compile(
    rf"\b(?:works?|working|arbeitet?|trabaj\w+|travaill\w+|lavor\w+) (?:only |nur |solo |s[oó]lo )?(?P<some>{_NUMBER})"
    r" (?:days?|tage|días|jours|giorni)\b(?! (?:straight|in a row|am stück|seguidos|de suite|di fila))"
    rf"|\bworking days (?:is|are) (?P<so>{_NUMBER})\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:again|now|these days|from now on|wieder|jetzt|inzwischen|otra vez|de nuevo|ahora|à nouveau|de nouveau"
    r"|maintenant|di nuovo|adesso|ora)\b",
    re.IGNORECASE,
)


def tells_working_days(text: str) -> bool:
    """Whether it says how many they are now: said lightly, it still may be so."""
    return bool(_WORKS.search(text) and _NOW.search(text))


def works_other_days(known: str, sentence: Sentence) -> bool:
    """Whether the speaker says that they work another number of days a week now than is known."""
    before, after = (_WORKS.search(text) for text in (known, sentence.text))
    if not (before and after and _NOW.search(sentence.text)) or denies(sentence.text):
        return False
    chances = sentence.meaning.chances
    if max(chances[kind] for kind in ("question", "supposed", "quoted")) >= DOUBT or tells_ahead(
        sentence.text
    ):
        return False
    own = find_antecedent(known) is None and find_antecedent(sentence.text) is None
    return own and _count(before) != _count(after)


def set_days(known: str, stated: str) -> str:
    """What is known with the number told now, without what stood beside the old one: "four, Fridays off"; empty where
    both don't tell one.
    """
    before, after = (_WORKS.search(text) for text in (known, stated))
    if not (before and after and _NOW.search(stated)) or _count(before) == _count(after):
        return ""
    start, end = before.span("some" if before["some"] else "so")
    behind = re.match(r"[^,;.!?]*", known[end:])
    return f"{known[:start]}{after['some'] or after['so']}{behind[0] if behind else ''}."


def _count(found: re.Match[str]) -> str:
    """As a figure."""
    said = (found["some"] or found["so"]).lower()
    spelt = (str(number) for number, words in enumerate(COUNTS) if said in words.split("|"))
    return next(spelt, said)
