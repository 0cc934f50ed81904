"""Names typed in small letters, where the words around them leave no doubt: "my brother joe is", "im priya"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.encoders.weights import Array
from nebo.reading.meaning.given_names import likeness
from nebo.reading.meaning.telling import ClauseReading
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.bare_verbs import PLURAL, THIRD_PERSON
from nebo.reading.words.naming import named_words
from nebo.reading.words.openers import is_greeting, without_opener
from nebo.reading.words.stop_words import ENGLISH, STOPWORDS, words

NAMED = 0.75  # chance of saying a name, from which "im jonas" does; "im livid" has less
NAMED_AT_FIRST = 0.5  # the same behind a greeting, where people say who they are
MAYBE, SURELY, PLAINLY = (
    0.0,
    1.5,
    2.5,
)  # log-odds from which a word is a name, the less its place says so, the more
SURELY_NONE = -10.0  # the same, up to which it is none anywhere
NEVER, NO_NAME = 99.0, -99.0
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
_WHOSE = (
    r"(?:my|our|meine?[nmr]?|unsere?[nmr]?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|mi[oae]|miei|nostr[oa])"
)
_THE = r"(?:the|die|der|den|dem|das|la|el|le|il|lo)"
# What stands behind the word for a relative: "mi marido, paco, es marinero", „meiner freundin jule“, "la vecina de
# arriba, la encarni, …"
_LOW = r"(?P<name>[^\W\d_]{3,15})(?![\w'’-])"
_BEHIND_KIN = re.compile(
    rf"(?:(?P<between>(?: [^\W\d_]+){{1,5}}), {_THE} {_LOW}(?=,| \(|[.!?]*$)"
    rf"|(?P<how>,? )(?P<near>[^\W\d_]{{3,15}})(?![\w'’-])(?P<then>,)?)"
)
_WHOSE_BEFORE = re.compile(rf"\b{_WHOSE} (?:[^\W\d_]+ )?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
# "dos niños: lola, de 12, y álvaro, de 9", "deux chats, plume et socrate", „zwei kinder, die sandra und den thorsten“
_MANY = r"(?:two|three|four|2|3|4|zwei|drei|vier|dos|tres|cuatro|deux|trois|quatre|due|tre|quattro)"
_LISTED = re.compile(
    rf"\b{_MANY} (?P<what>(?:[^\W\d_]+ )?[^\W\d_]+)[,:] (?P<items>[^.!?;]*?\b(?:and|und|y|e|et) [^.!?;]*)"
)
_ITEM = re.compile(rf"(?:^|, |\b(?:and|und|y|e|et) )(?:{_THE} )?{_LOW}(?=,| \(| (?:and|und|y|e|et) |\W*$)")
_CALLED = re.compile(
    rf"\b(?:called|named(?: (?:him|her|it))?|namens|me llamo|se llama|llamad[oa]|ich hei(?:ß|ss)e|hei(?:ß|ss)t"
    rf"|mi chiamo|si chiama|my name(?:['’]s| is)|je m['’]appelle|s['’]appelle|chiamat[oa]) (?:{_SINCE} )?{_NAME}\b"
)
_AM = re.compile(
    rf"(?:i['’]?m|i am|ich bin|soy|sono|je suis|moi,? c['’]est|moi je suis) {_NAME}"
    r"(?=[,.!]|$| (?:and|und|y|et|e) )",
    re.IGNORECASE,
)
_SOMEONE = re.compile(
    r"\b(?:someone|somebody|jemand(?:en|em)?|alguien|quelqu['’]un|qualcuno)(?: (?:new|neues|nuevo|nueva))?, "
    r"(?P<name>[^\W\d_]{3,15})(?=, )"
)
_WITH_ME = re.compile(
    r"^(?:so |and )?[Mm]e (?:and|n|&) (?P<name>[^\W\d_]{3,15})"
    r"(?= (?:are|have|had|got|went|live|work|moved|met|bought|split|broke|both|just)\b|['’](?:re|ve)\b)"
)
_NO_NAMES = words(
    """
    group school teacher house company dog cat after back off out names mayor menor mediana mediano pequeña pequeño
    gemela gemelo aîné aînée cadet cadette maggiore minore grande
    """
)


def write_names(
    text: str,
    read: Callable[[str], ClauseReading],
    encode: Callable[[str], Array],
    *,
    greeted: bool = False,
) -> str:
    """The text, as long as before, with a capital where such a name begins; `greeted` says that a greeting stands
    before it.
    """

    def looks(word: str) -> float:
        return likeness(word, encode) if word.islower() and _may_be_name(word) else NO_NAME

    for pattern in (_KIN[language_of(text)], _CALLED):
        for found in pattern.finditer(text):
            is_kin = "kin" not in found.groupdict() or (
                kin_of(found["kin"].lower()) and looks(found["name"]) > SURELY_NONE
            )
            if _may_be_name(found["name"]) and is_kin:
                text = _raise(text, found.start("name"))
    text = _write_beside_kin(_write_listed(text, looks), looks)
    text = _write_company(text, looks)
    bare = without_opener(text)
    at = text.find(bare)
    found_own = _AM.match(bare)
    if found_own and _may_be_name(found_own["name"]) and found_own["name"].islower() and at >= 0:
        raised = _raise(found_own[0], found_own.start("name"))
        meaning = read(raised)
        least = NAMED_AT_FIRST if greeted or is_greeting(text[: max(at, 0)]) else NAMED
        is_aged = re.match(r", \d\d\b", bare[found_own.end() :]) is not None
        says_it = meaning.slot == "name" and meaning.slot_chance >= least
        is_told = says_it and meaning.worth["good"] >= SURELY_TOLD
        if is_told or (is_aged and looks(found_own["name"]) >= MAYBE):
            text = _raise(text, at + found_own.start("name"))
    return text


def _write_company(text: str, looks: Callable[[str], float]) -> str:
    """With the name of whom the speaker does it with, or has met: "me and priya", "someone, priya, …"."""
    for beside in filter(None, (_WITH_ME.match(text), _SOMEONE.search(text))):
        if looks(beside["name"]) >= SURELY:
            text = _raise(text, beside.start("name"))
    return text


def _write_beside_kin(text: str, looks: Callable[[str], float]) -> str:
    """With the names of relatives and friends that stand beside the word for what they are."""
    for kin in _WORD.finditer(text):
        found = _BEHIND_KIN.match(text, kin.end()) if kin_of(kin[0].lower()) else None
        if found is None:
            continue
        part = "name" if found["between"] else "near"
        if looks(found[part]) >= _least(text, kin.start(), found):
            text = _raise(text, found.start(part))
    return text


def _least(text: str, at: int, found: re.Match[str]) -> float:
    """From which log-odds the word behind one for a relative is a name."""
    if found["between"]:
        return MAYBE
    if found["how"] == ", ":
        return MAYBE if found["then"] == "," else NEVER
    if _WHOSE_BEFORE.search(text[:at]):
        return SURELY
    return PLAINLY if at == 0 else NEVER


def _write_listed(text: str, looks: Callable[[str], float]) -> str:
    """With the names of several children or animals, of which at least one looks like a name."""
    for found in _LISTED.finditer(text):
        names = list(_ITEM.finditer(found["items"]))
        chances = [looks(one["name"]) for one in names]
        if len(names) > 1 and max(chances) >= SURELY and min(chances) > NO_NAME:
            for one in names:
                text = _raise(text, found.start("items") + one.start("name"))
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
