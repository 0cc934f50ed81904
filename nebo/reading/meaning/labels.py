"""What a few words before a colon only announce: "living situation: I'm in a flat in Leeds"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.cutting import OWN_SUBJECT
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import DOUBT, UNMEANT, ClauseReading, tells
from nebo.reading.wording.vocabulary import kin_of

# Two words to four, of which the last is no name's, or one that only leads on.
_LABEL = re.compile(
    r"(?P<label>(?i:so|ok(?:ay)?|well|right|also|und|pues|bueno|entonces|alors|allora)"
    r"|[^\W\d_][\w'’-]*(?: [\w'’-]+){0,2} [a-zß-ÿ][\w'’-]*) ?: +(?=\S+ \S)"
)
# Who says it, or on what condition, is no mere label: "my boss said: …".
_OF_SOMEBODY = re.compile(
    r"\b(?:sa(?:id|ys?)|tells?|told|ask(?:s|ed)?|wrote|writes|thinks?|sagte?|meinte?|schrieb|fragte?|dijo|dice|decía|pregunta"
    r"|dit|disait|ha detto|he|she|they|er|sie|ella|él|ellos|elle|il|lei|lui|if|unless|when|wenn|falls|si|se|song|lyrics"
    r"|quote|todo|to-do|like|e\.?g|z\.?b)\b",
    re.IGNORECASE,
)


def without_label(span: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What stands behind a label, where it tells something that the whole doesn't; with the label, where it has no
    subject of its own and means little alone: "next goal: a marathon in Kiel in April".
    """
    found = _LABEL.match(span.text)
    if found is None or _OF_SOMEBODY.search(found["label"]):
        return None
    if any(kin_of(word) for word in found["label"].lower().split()):
        return None
    rest, whole = span.text[found.end() :], read(span.text)
    if not tells(read(rest)) or any(
        whole.chances[kind] >= DOUBT for kind in ("question", "request", "todo", "wish", "remember")
    ):
        return None
    if OWN_SUBJECT.match(rest):
        return Span(rest, span.end - len(rest), span.end)
    meant = all(whole.chances[kind] < DOUBT for kind in UNMEANT)
    return Span(span.text, span.start, span.end, read_as=rest) if meant else None
