"""One more thing to do, told by its act alone behind another: "and renew the permit" after "I have to ring the vet"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import ClauseReading
from nebo.reading.wording.covering import language_of
from nebo.reading.words.act_verbs import begins_act

SURE = 0.7  # chance of a todo, from which a sentence names one by itself
_AND = re.compile(
    r"(?:(?:ah|oh|ach),? )?(?:and|also|plus|und|auch|außerdem|y|también|además|et|aussi|e|anche)\s+"
    r"(?:(?:(?:then|also|later|sometime|eventually|noch|auch|dann|irgendwann|später|demnächst|después|luego|también"
    r"|puis|aussi|encore|poi|anche),? )*)(?P<act>[^\s].*)",
    re.IGNORECASE,
)
_HAVE_TO = {
    "en": "I have to",
    "de": "ich muss",
    "es": "tengo que",
    "fr": "je dois",
    "it": "devo",
}
_INFINITIVE = re.compile(
    r"\b(?P<verb>[a-zäöüß]{3,}(?:en|ern|eln))\b(?P<behind> (?:auf|für|nach|in|zu[mr]?|bei|an|mit) [^,.;!?]+)?$"
)
_CLAUSE = re.compile(r",\s+(?:das|die|der|weil|since|because|it['’]?s|que|porque)\b.*$", re.IGNORECASE)


def as_one_more(before: str, span: Span, read: Callable[[str], ClauseReading]) -> Span:
    """The sentence with the "I have to" of the one before it, where it then names something to do; else as it is."""
    found = _AND.match(span.text)
    if (
        found is None
        or span.text.rstrip().endswith("?")
        or read(span.text).chances["todo"] >= SURE
        or not read(before).may_be("todo")
    ):
        return span
    language = language_of(span.text)
    act = _CLAUSE.sub("", found["act"]).rstrip(" .!")
    if language == "de":
        act = _verb_last(act)
    if not begins_act(act, language):
        return span
    whole = f"{_HAVE_TO[language]} {act}"
    return Span(whole, span.start, span.end) if read(whole).may_be("todo") else span


def _verb_last(act: str) -> str:
    """„das Auto ummelden auf Köln“ with its verb at the end, where German has it."""
    found = _INFINITIVE.search(act)
    if found is None or not found["behind"]:
        return act
    return f"{act[: found.start()]}{found['behind'].strip()} {found['verb']}"
