"""What holds behind what somebody had said: "I said Callum was 15, he turned 16" tells that he turned 16."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.antecedents import find_antecedent, name_antecedent
from nebo.reading.meaning.cutting import OWN_SUBJECT, PAUSE
from nebo.reading.meaning.sentences import Span, capital
from nebo.reading.meaning.telling import ClauseReading
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.elided import name_ich

CORRECTS = 0.4  # chance of a correction, from which what was said before is no longer so
LEAST_WORDS = 3  # of what holds instead
_SAID = re.compile(
    r"(?:(?:oh|no|sorry|wait|ach|nein|perdona|perdón|pardon|scusa)[,.!]? )*"
    r"(?:I (?:said|told you|wrote|mentioned)|ich (?:sagte|schrieb|hab(?:e|t)? (?:dir )?(?:gesagt|erzählt))"
    r"|(?:te )?(?:dije|había dicho|conté)|j['’](?:ai|avais) dit|(?:ti )?(?:ho|avevo) detto)"
    r"(?: that| que| che|,? dass|,)? (?=\S)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:(?:but|and|aber|pero|mais|ma|actually|in fact|eigentlich|en realidad|en fait|in realtà),? )+",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"(?:it|that|es|das|c['’]est|ce)\b", re.IGNORECASE)


def without_told_wrong(span: Span, read: Callable[[str], ClauseReading]) -> Span:
    """A sentence without what was said before and isn't so; as it is where nothing whole takes its place."""
    said = _SAID.match(span.text)
    pause = PAUSE.search(span.text, said.end()) if said else None
    if said is None or pause is None or read(span.text).chances["correction"] < CORRECTS:
        return span
    before, holds = span.text[said.end() : pause.start()], _INSTEAD.sub("", span.text[pause.end() :], count=1)
    holds = name_ich(holds) if language_of(span.text) == "de" else holds
    who = find_antecedent(capital(before))
    named = name_antecedent(holds, who) if who else ""
    stands_alone = OWN_SUBJECT.match(holds) or (who and holds.startswith(who.who))
    if _IT_IS.match(holds) or len(holds.split()) < LEAST_WORDS or not (named or stands_alone):
        return span
    return Span(named or holds, span.start, span.end, read_as=span.text)
