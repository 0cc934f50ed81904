"""Who only keeps company in a fact: "runs a shop in Ghent with her brother Wim" is of her, whatever Wim does."""

from __future__ import annotations

import re

from nebo.reading.relations.own_words import own_words
from nebo.reading.wording.covering import content_words
from nebo.reading.wording.names import names_of

LEAST = 3  # words that a fact without names tells beside its company; "lives with Tom" is over where Tom moves out
_WITH = r"\b(?:with|mit|con|avec|met)\s+(?:[^\W\d_A-ZÀ-Þ]+\s+){0,3}"
_SPEAKER = re.compile(
    r"\b(?:I|we|us|me|ich|wir|uns|yo|nosotr[oa]s|nos|je|nous|io|noi|ci)\b|\b[ij]['’]", re.IGNORECASE
)


def tells_of_company(known: str, stated: str) -> bool:
    """Whether a sentence is about somebody whom a fact of the speaker names as company alone, not about the speaker."""
    if _SPEAKER.search(stated):
        return False
    words = {word.lower() for word in re.findall(r"[^\W\d_][\w-]*", stated)}
    for name in names_of(known):
        company = re.search(rf"{_WITH}{re.escape(name)}\b", known)
        if company is None or name.lower() not in words:
            continue
        rest = own_words(f"{known[: company.start()]}{known[company.end() :]}")
        return bool(names_of(rest)) or len(set(content_words(rest)) - {"user"}) >= LEAST
    return False
