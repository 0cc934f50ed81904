"""Names typed in small letters, where the words around them leave no doubt: "my brother joe is", "im priya"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.telling import ClauseReading
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.bare_verbs import PLURAL, THIRD_PERSON
from nebo.reading.words.naming import named_words
from nebo.reading.words.openers import is_greeting, without_opener
from nebo.reading.words.stop_words import ENGLISH, STOPWORDS

NAMED = 0.75  # chance of saying a name, from which "im jonas" does; "im livid" has less
NAMED_AT_FIRST = 0.5  # the same behind a greeting, where people say who they are
SURELY_TOLD = 0.95  # worth of it; "im livid" has less
_NAME = r"(?P<name>[a-zß-ÿ]{3,15})"
_PAST = (
    r"(?:just |never )?[a-z]{3,}ed|wants|died|left|came|went|said|got"
    r"|(?:is|are|was|were|has|have|had|do|does|did|ca|could|wo|would)n['’]?t"
)
_VERBS = {
    name: "|".join((THIRD_PERSON[name], PLURAL[name], *([_PAST] if name == "en" else [])))
    for name in THIRD_PERSON
}
_KIN = {
    name: re.compile(
        r"\b(?:my|our|meine?[nmr]?|unsere?|mi|nuestr[oa]|mon|ma|notre|mia|mio) (?P<kin>[^\W\d_]+) "
        rf"{_NAME}(?=['’]s\b|, (?:he|she|they|who)\b| (?:{verbs})\b| (?:and|und|y|et|e) (?:i|I|me|ich|yo|moi|je|io)\b)"
    )
    for name, verbs in _VERBS.items()
}
_SINCE = "(?:übrigens|jetzt|nun|inzwischen|halt|now|actually|ahora|maintenant|adesso|ora)"
_CALLED = re.compile(
    rf"\b(?:called|named(?: (?:him|her|it))?|namens|me llamo|se llama|llamad[oa]|ich hei(?:ß|ss)e|hei(?:ß|ss)t"
    rf"|mi chiamo|si chiama|my name(?:['’]s| is)|je m['’]appelle|s['’]appelle|chiamat[oa]) (?:{_SINCE} )?{_NAME}\b"
)
_AM = re.compile(
    rf"(?:i['’]?m|i am|ich bin|soy|sono|je suis) {_NAME}(?=[,.!]|$| (?:and|und|y|et|e) )", re.IGNORECASE
)
_NO_NAMES = frozenset(
    {"group", "school", "teacher", "house", "company", "dog", "cat", "after", "back", "off", "out", "names"}
)


def write_names(text: str, read: Callable[[str], ClauseReading], *, greeted: bool = False) -> str:
    """The text, as long as before, with a capital where such a name begins; `greeted` says that a greeting stands
    before it.
    """
    for pattern in (_KIN[language_of(text)], _CALLED):
        for found in pattern.finditer(text):
            if _may_be_name(found["name"]) and (
                "kin" not in found.groupdict() or kin_of(found["kin"].lower())
            ):
                text = _raise(text, found.start("name"))
    bare = without_opener(text)
    at = text.find(bare)
    found_own = _AM.match(bare)
    if found_own and _may_be_name(found_own["name"]) and found_own["name"].islower() and at >= 0:
        raised = _raise(found_own[0], found_own.start("name"))
        meaning = read(raised)
        least = NAMED_AT_FIRST if greeted or is_greeting(text[: max(at, 0)]) else NAMED
        if meaning.slot == "name" and meaning.slot_chance >= least and meaning.worth["good"] >= SURELY_TOLD:
            text = _raise(text, at + found_own.start("name"))
    return text


def _raise(text: str, at: int) -> str:
    return text[:at] + text[at].upper() + text[at + 1 :]


def _may_be_name(word: str) -> bool:
    return not (
        is_light(word)
        or word in STOPWORDS
        or word in ENGLISH
        or word in _NO_NAMES
        or word.endswith("ly")
        or kin_of(word)
        or not named_words(word)
    )
