"""Whether a wish holds in some cases alone: "longer answers are fine when it's about organs". By its meaning, or by the
words that name the case.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.one_sentence import Meaning

_EVEN = r"(?<!\beven )(?<!\bauch )(?<!\bmême )(?<!\banche )(?<!\baun )"
# A case is what is talked of, or how: "when it's about organs", "if I ask for it". Whatever the agent does is none
# ("when you greet me"), nor is a politeness ("if it's all right"), or what was ("when we started").
_CASE = re.compile(
    rf"{_EVEN}\b(?:when(?:ever)?|if|unless|as long as)\s+"
    r"(?:(?:it['’]?s|it is|that['’]?s)\s+(?!(?:ok(?:ay)?|fine|all right|alright|possible|not|no|too)\b)|it comes to\b"
    r"|(?:we|i)(?:['’]?(?:re|m))?\s+(?!(?:may|might|can|could|was|were|had|\w+ed)\b)[a-z]|talking\b|asking\b)"
    rf"|{_EVEN}\b(?:wenn|falls|sobald|außer wenn)\s+(?:es\s+um|wir|ich)\b"
    r"|\bbei (?:[^\W\d_]+ )?[^\W\d_]*(?:fragen|themen|sachen)\b|\bwas (?:das |den |die )?[^,.;]{3,25} angeht\b"
    rf"|{_EVEN}\b(?:cuando|si|salvo cuando)\s+(?:hablemos|hablamos|(?:te )?pregunt[eo]|se trat[ea]|estemos|sea sobre)\b"
    rf"|{_EVEN}\b(?:quand|lorsque|si|sauf quand)\s+(?:on parle|c['’]est|je (?:te )?(?:demande|parle)|il s['’]agit)\b"
    rf"|{_EVEN}\b(?:quando|se|tranne quando)\s+(?:parliamo|si tratta|si parla|(?:ti )?chiedo)\b"
    r"|\b(?:on|about) (?:anything|everything|questions|matters|topics)\b"
    r"|\b(?:ok|okay|fine|only|except) for [a-z]{3,}s\b"
    r"|\b(?:sobre|para) (?:temas?|cosas|preguntas|asuntos)\b|\b(?:sur|pour) (?:les )?(?:questions|sujets)\b",
    re.IGNORECASE,
)


def is_limited(text: str, meaning: Meaning) -> bool:
    """Whether it holds in some cases alone, so that what it says isn't true of all answers."""
    return meaning.may_be("wish_if") or names_case(text)


def names_case(text: str) -> bool:
    """Whether a text names the case by its words."""
    return _CASE.search(text) is not None
