"""Where a breathless sentence, which tells many things in one go, begins anew: "…, I've got surgery in March and …"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.conditions import binds
from nebo.reading.meaning.cutting import cut, first_part, without_link
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import ClauseReading, tells
from nebo.reading.words.openers import without_opener

BREATHLESS = 22  # words of such a sentence
LEAST = 3  # words of what stands before
# Who does it is said anew: "…, I've got …", „…, wir ziehen im Mai um“.
_OWN = re.compile(
    r"(?:i|we|ich|wir|yo|nosotros|je|on|nous|io|noi"
    r"|(?:my|our|mein\w*|unser\w*|mis?|mon|ma|notre|mi[oa]) [^\W\d_]+)(?=['’\s])",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:it|that|this|there|them|then|so|es|das|dort|da|eso|allí|ça|cela|ciò|lì)\b(?!['’])", re.IGNORECASE
)


def cut_breathless(span: Span, read: Callable[[str], ClauseReading]) -> tuple[Span, Span] | None:
    """Two clauses that each tell something, and may each be over alone, though both answer one question; None where
    there are none.
    """
    if len(span.text.split()) < BREATHLESS:
        return None
    for left, right in cut(span):
        rest = without_link(right)
        clause = without_opener(first_part(rest).text, call=False)
        anew = _OWN.match(clause) and not _POINTS.search(clause)
        if not anew or binds(left.text, right.text) or len(left.text.split()) < LEAST:
            continue
        if tells(read(without_opener(left.text, call=False))) and tells(read(clause)):
            return left, rest
    return None
