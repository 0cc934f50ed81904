"""Whom a conversation is about, beside those who speak: names in what is said of somebody near."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from nebo.reading.facts.values import find_person
from nebo.reading.meaning.reader import Sentence
from nebo.reading.times.calendar_words import WEEKDAYS
from nebo.reading.words.naming import named_words
from nebo.reading.words.stop_words import STOPWORDS, words

NEAR = 0.5  # chance of being about somebody near, from which a name in a sentence is theirs
MAYBE_NEAR = 0.15  # the same, for a name that is said again
REPEATED = 2  # sentences
NEAR_SLOTS = ("family", "partner", "friend")
OF_THE_NEAR = 0.3  # chance of answering one of these questions, with a name that a kinship stands before
THINGS = ("tool", "project", "travel", "home", "language", "possession")
# With a capital inside, too: "O'Leary", "McCarthy", "Jean-Luc".
_WORD = r"[A-ZÀ-ÖØ-Þ](?:[a-zà-öø-ÿ’'-]|(?<=[a-zà-öø-ÿ’'-])[A-ZÀ-ÖØ-Þ](?=[a-zà-öø-ÿ])){1,24}"
_NAME = rf"{_WORD}(?: {_WORD})?"
# "our singer Mette", "my new boss is Stefan", "his mother Graça", "mi madre, Amparo"
_OWN = r"\b(?i:my|our|his|her|their|meine?[nmr]?|unsere?[nmr]?|mis?|nuestr[oa]s?|su|mon|ma|notre|mi[ao]|nostr[oa])"
_KIN = re.compile(rf"{_OWN}(?: [^\W\d_A-Z][^\W\d_]*){{1,3}},? (?P<name>{_NAME})")
_IS = re.compile(rf"{_OWN}(?: [^\W\d_A-Z][^\W\d_]*){{1,3}} (?:is|es|est|è|ist) (?P<name>{_NAME})")
_ACTS = re.compile(  # a name that does something, or that somebody is with
    rf"(?<=[^\s.!?:„“\"] )(?P<name>{_NAME})(?=['’]s\b| (?:is|was|has|had|will|can|es|está|tiene|va|est|a|è|ha) )"
    rf"|\b(?i:with|and|con|y|avec|et|e) (?P<beside>{_NAME})"
)
_WITH_ME = re.compile(  # "Henrike and I", "with Balthasar about the rent"
    rf"(?P<name>{_NAME}) (?:and|und|y|et|e) (?:I|me|ich|yo|moi|je|io)\b"
    rf"|\b(?:with|to|mit|von|con|a|avec|à) (?P<beside>{_NAME}) (?:about|über|wegen|sobre|acerca|de|au sujet|su|di)\b"
)
_MET = re.compile(rf"\b(?:with|mit|con|avec) (?P<name>{_NAME})\b")
_FIRST = re.compile(rf"(?P<name>{_NAME})(?=(?:['’]s)? [a-zà-öø-ÿ])")
_PLACED = re.compile(rf"\b(?:in|at|from|near|im|aus|bei|nach|en|desde|à|chez|presso) (?P<name>{_NAME})")
_ONESELF = re.compile(r"I['’]")
_DAY = re.compile(rf"(?:{'|'.join(WEEKDAYS)})s?")
_POSSESSIVE = re.compile(r"['’]s$")
# German writes every noun with a capital: there only a kinship names somebody.
_GERMAN = words(
    "ich und ist der die das den dem mein meine meinem meinen wir mit nicht ein eine einen sich auf für"
)


def list_persons(sentences: Sequence[Sentence], *, speakers: Collection[str] = ()) -> list[str]:
    """The names of those who are spoken of, in the order of their first mention; never of those who speak."""
    left_out = {match["name"] for one in sentences for match in _PLACED.finditer(one.text)}
    left_out |= {name for one in sentences if one.meaning.slot == "pet" for name in _names_of(one)}
    found = [name for one in sentences for name in _names_of(one) if _is_somebody(name, one, sentences)]
    left_out |= {name for name in found if not name or _ONESELF.match(name) or _is_day(name)} | set(speakers)
    return _without_shorter([name for name in dict.fromkeys(found) if name not in left_out])


def _is_somebody(name: str, sentence: Sentence, sentences: Sequence[Sentence]) -> bool:
    """By a kinship, or where a sentence about somebody near names them; said again, a hint is enough."""
    near = sentence.meaning.chances["relative"]
    by_kin = {match["name"] for match in _KIN.finditer(sentence.text)}
    beside = {match["name"] or match["beside"] for match in _WITH_ME.finditer(sentence.text)}
    if name in by_kin | beside or near >= NEAR:
        return True
    if name == find_person(sentence.text) and _is_of_the_near(sentence):
        return True
    is_called = any(match["name"] == name for match in _IS.finditer(sentence.text))
    met = any(match["name"] == name for match in _MET.finditer(sentence.text)) and not _is_thing(
        name, sentences
    )
    return (is_called or met or near >= MAYBE_NEAR) and _is_repeated(name, sentences)


def _is_of_the_near(sentence: Sentence) -> bool:
    slots = sentence.meaning.slots
    return sum(slots.get(slot, 0.0) for slot in NEAR_SLOTS) >= OF_THE_NEAR


def _names_of(sentence: Sentence) -> Iterator[str]:
    """By kinship in any language; by a capital where names alone have one."""
    text = sentence.text
    german = _is_german(text)
    for pattern in (_KIN, _IS):
        found = (_bare(match["name"]) for match in pattern.finditer(text))
        yield from (name.split()[-1] for name in found if name) if german else found
    yield from (_bare(match["name"] or match["beside"]) for match in _WITH_ME.finditer(text))
    yield from filter(None, [find_person(text)])
    if not german:
        first = _FIRST.match(text)
        if first and named_words(first["name"]) and first["name"].lower() not in STOPWORDS:
            yield _bare(first["name"])
        yield from (_bare(match["name"] or match["beside"]) for match in _ACTS.finditer(text))


def _is_day(name: str) -> bool:
    return _DAY.fullmatch(name.lower()) is not None


def _is_german(text: str) -> bool:
    return bool(_GERMAN & set(re.findall(r"\w+", text.lower())))


def _is_thing(name: str, sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence that names it is about tools, plans or places."""
    return any(name in one.text and one.meaning.slot in THINGS for one in sentences)


def _is_repeated(name: str, sentences: Sequence[Sentence]) -> bool:
    return sum(name in one.text for one in sentences) >= REPEATED


def _bare(name: str) -> str:
    """Without what only begins the sentence before it: "So Ellis", "And Isla's"."""
    first, _, rest = name.partition(" ")
    return _POSSESSIVE.sub("", rest if rest and first.lower() in STOPWORDS else name)


def _without_shorter(names: Sequence[str]) -> list[str]:
    """ "Stefan" is "Stefan Brandt", where both are named, and so is "Brandt"."""
    longer = [name for name in names if " " in name]
    return [
        name
        for name in names
        if not any(other.startswith(f"{name} ") or other.endswith(f" {name}") for other in longer)
    ]
