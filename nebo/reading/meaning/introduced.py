"""Whom or what a clause names at its end: "twins, Edie and Rufus", „einen Hund namens Rex“."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nebo.reading.wording.covering import language_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.bare_verbs import DONE, PLURAL, THIRD_PERSON

_NAME = r"[A-ZÀ-ÖØ-Þ][\w’-]{1,24}"
_FEW = r"(?:two|three|zwei|drei|dos|tres|deux|trois|due|tre)"
_CALLED = (
    r"(?:(?:who is |who's )?called|named|namens|(?:der|die|das) heißt|(?:que )?se llama"
    r"|llamad[oa]s?|(?:qui )?s['’]appelle|nommée?s?|appelée?s?|che si chiama|chiamat[oaie])"
)
# "I live with my nan Dot", „mit meiner Oma Gerda“, "con mi abuela Pilar"
_WITH = re.compile(
    r"(?<=[a-zß-ÿ] )(?P<mine>my|our|mein\w*|unser\w*|mi|nuestr\w+|mon|ma|mia|mio) (?P<kin>[^\W\d_]+) "
    rf"(?P<name>{_NAME})$"
)
_NOMINATIVE = {
    "meiner": "meine",
    "meinem": "mein",
    "meinen": "mein",
    "unserer": "unsere",
    "unserem": "unser",
    "our": "my",
}
_END = re.compile(
    rf"\b(?:(?P<before>an?|our|my|ein|eine[nmr]?|mein\w*|un|une|una|uno|mis?|mon|ma|mes|mio|mia|nuestr\w+|{_FEW}) )?"
    r"(?P<what>(?:(?:little|small|young|old|best|baby|kleine[nr]?|neue[nr]?|beste[nr]?|mejor|petite?|meilleure?) )?"
    r"[^\W\d_]{3,})"
    rf"(?P<how>,| {_CALLED}) (?P<names>{_NAME}(?:(?:, {_NAME})* (?:and|und|y|e|et) {_NAME})?)$"
)
_OWN = re.compile(
    r"(?:i|i['’]m|we|we['’]re|ich|wir|je|j['’]\w+|nous|vivo|vivimos|estoy|voy|tengo|tenemos|comparto|abito|abitiamo|viviamo"
    r"|sto|vado|ho|abbiamo)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(
    rf"(?P<who>(?:(?:[Mm]y|[Oo]ur) )?(?:{_NAME}|[Mm]y [a-z]+))(?:['’]s got| has (?:got|found)| has| had| met| got) an? "
)
_SOMEONE = re.compile(
    r"(?:new )?(?:someone|somebody|jemand(?:en|em)?|alguien|quelqu['’]un|qualcuno)", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"my|our|mein\w*|mis?|mon|ma|mes|mio|mia|nuestr\w+")
_AND = re.compile(r" (?:and|und|y|e|et) ")
_MINE = {
    "en": {"": "my", "a": "my", "an": "my", "our": "my", "my": "my", "few": "my"},
    "de": {
        "": "meine",
        "ein": "mein",
        "einen": "mein",
        "einem": "mein",
        "eine": "meine",
        "einer": "meine",
        "few": "meine",
    },
    "es": {"": "mis", "un": "mi", "una": "mi", "few": "mis"},
    "fr": {"": "mes", "un": "mon", "une": "ma", "few": "mes"},
    "it": {"un": "il mio", "uno": "il mio", "una": "la mia"},
}  # fmt: skip
_ONE = {
    "en": r"(?:she|he|it|they(?=['’]re|['’]ve| are| have| were))",
    "de": r"(?:sie|er|der|die)(?= \w+t\b| ist\b| war\b| hat\b)",
    "es": r"(?:ella|él)",
    "fr": r"(?:elle|il)",
    "it": r"(?:lei|lui)",
}
_SEVERAL = {
    "en": r"(?:they)",
    "de": r"(?:sie|die|beide|die beiden)(?= \w+(?:en|nd)\b)",
    "es": r"(?:ellos|ellas|los dos|las dos)",
    "fr": r"(?:ils|elles)",
    "it": r"(?:loro)",
}
_IS_CALLED = re.compile(
    r"(?:['’]s|['’]re| is| are)? (?:called|named|hei(?:ß|ss)\w+|se llama\w*|s['’]appelle\w*|si chiama\w*)\b"
)
_HAS = rf"just|already|recently|{DONE}"
_OPENED = (
    (re.compile(rf"^['’]s(?= (?:{_HAS})\b)"), " has"),
    (re.compile(r"^['’]s(?= )"), " is"),
    (re.compile(r"^['’]ve(?= )"), " have"),
    (re.compile(r"^['’]re(?= )"), " are"),
)
_SINGLE = (
    (re.compile(r"^ (?:are)(?= )"), " is"),
    (re.compile(r"^ (?:have)(?= )"), " has"),
    (re.compile(r"^ (?:were)(?= )"), " was"),
)


@dataclass(frozen=True, slots=True)
class Introduced:
    """Names, and with whose they are: "my twins Edie and Rufus"."""

    who: str
    names: tuple[str, ...]


def find_introduced(text: str) -> Introduced | None:
    """Whom the end of a clause names, said as the speaker's."""
    found = _END.search(text)
    if found is None:
        return _find_with(text)
    before = (found["before"] or "").lower()
    if _SOMEONE.fullmatch(found["what"]) and found["how"] == ",":
        return Introduced(found["names"], (found["names"],))
    if (
        found["how"] == "," and not before and not kin_of(found["what"].split()[-1].lower())
    ):  # "Yeah, Caroline, they're …"
        return None
    names = found["names"]
    if (owner := _OWNER.match(text)) and before in ("a", "an"):  # "Freya has a young man, Duarte"
        return Introduced(f"{owner['who']}'s {found['what']} {names}", (names,))
    mine = _mine(before, language_of(text), many=bool(_AND.search(names)))
    who = f"{mine} {found['what']} {names}" if mine else names
    return Introduced(who, tuple(_AND.sub(", ", names).split(", ")))


def _mine(before: str, language: str, *, many: bool) -> str:
    """The word for "my" in the place of an article; where nothing stands, only several tell its form but in English."""
    if not (before or many or language == "en"):
        return ""
    if _POSSESSIVE.fullmatch(before):
        return _NOMINATIVE.get(before, before)
    return _MINE[language].get("few" if re.fullmatch(_FEW, before) else before, "")


def _find_with(text: str) -> Introduced | None:
    """The relative whom a clause of one's own names last."""
    found = _WITH.search(text)
    if found is None or not kin_of(found["kin"].lower()) or not _OWN.match(text):
        return None
    mine = _NOMINATIVE.get(found["mine"].lower(), found["mine"])
    return Introduced(f"{mine} {found['kin']} {found['name']}", (found["name"],))


def name_introduced(left: str, right: str) -> str:
    """`they turned 4` after "we have twins, Edie and Rufus": with who they are; empty where it tells of others."""
    found = find_introduced(left)
    if found is None:
        return ""
    language, many = language_of(left), len(found.names) > 1
    verb = (PLURAL if many else THIRD_PERSON)[language]
    if language in ("es", "it") and re.match(rf"{verb}\b", right, re.IGNORECASE):
        return f"{found.who} {right}"
    pronoun = re.match((_SEVERAL if many else _ONE)[language], right, re.IGNORECASE)
    if pronoun is None or _IS_CALLED.match(right, pronoun.end()):  # who has a name is called nothing else
        return ""
    if pronoun[0].lower() == "it" and any(kin_of(word) for word in found.who.lower().split()):
        return ""
    return f"{found.who}{agree(right[pronoun.end() :], many=many)}"


def agree(rest: str, *, many: bool) -> str:
    """What follows a pronoun, as it follows a name: "'re 4" is " are 4" of several, " is 4" of one."""
    for pattern, written in _OPENED:
        rest = pattern.sub(written, rest)
    if not many:
        for pattern, written in _SINGLE:
            rest = pattern.sub(written, rest)
    return rest
