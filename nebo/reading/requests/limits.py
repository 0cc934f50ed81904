"""Whether a wish holds in some cases alone: "longer answers are fine when it's about organs". By its meaning, or by the
words that name the case.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.one_sentence import Meaning

_POLITE = (
    r"(?:possible|you (?:can|could|like|want|don['’]?t mind|would|wouldn['’]?t mind|please|answer|reply|write|talk"
    r"|speak)|(?:that['’]?s|it['’]?s|that is|it is) (?:ok(?:ay)?|all right|alright|possible|not too)|ok(?:ay)?|need be"
    r"|i may|möglich|du (?:magst|kannst|willst|antwortest|schreibst)|es (?:geht|dir)|puedes|es posible|quieres"
    r"|tu (?:peux|veux)|possible|puoi|vuoi|possibile)\b"
)
_CASE = re.compile(
    r"\b(?:when(?:ever)?|if|unless|except|only (?:when|if)|as long as|wenn|falls|außer|sobald|cuando|si|salvo"
    rf"|excepto|quand|lorsque|sauf|quando|se|tranne)\s+(?!{_POLITE})[^\W\d_]"
    r"|\bwhen it comes to\b|\b(?:on|about|for|with|in) (?:anything|everything|stuff|questions|matters|topics|things)\b"
    r"|\bfor (?!(?:starters|hours|days|weeks|years|ages|always)\b)(?!(?:\w+ )?(?:answers|replies|responses)\b)"
    r"[a-z]{3,}s\b"
    r"|\bbei (?!(?:dir|mir|uns|antworten)\b)(?:[^\W\d_]+ )?[^\W\d_]+(?:fragen|themen|en|sachen)\b"
    r"|\bwas (?:das |den |die )?[^,.;]{3,25} (?:an)?geht\b"
    r"|\b(?:sobre|para|en) (?:temas?|cosas|preguntas|cuestiones|asuntos)\b"
    r"|\b(?:sur|pour) (?:les )?(?:questions|sujets)\b",
    re.IGNORECASE,
)


def is_limited(text: str, meaning: Meaning) -> bool:
    """Whether it holds in some cases alone, so that what it says isn't true of all answers."""
    return meaning.may_be("wish_if") or names_case(text)


def names_case(text: str) -> bool:
    """Whether a text names the case by its words; a politeness such as "if you can" is none."""
    return _CASE.search(text) is not None
