"""Who does it to whom, and whether it was only asked: "Jaan taught Mart" says nothing of what Mart taught Jaan.

Such claims share every word with their quote. Only plain cases are told here: one clause, the same verb, two who are
named or are the speaker, in the other order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nebo.reading.support.alike import is_alike
from nebo.reading.support.verdicts import Support, doubt, refuse
from nebo.reading.wording.covering import content_words, language_of, list_words, means_same
from nebo.reading.wording.vocabulary import kin_of

USER, KIN = "user", "kin"
SWAPPED = "The words quoted say it the other way round."
ONLY_ASKED = "The words quoted only ask whether it is so."
_I, _ME = frozenset({"i", "ich", "yo", "je", "io"}), frozenset({"me", "mich", "mir", "moi", "mi"})
_AUXILIARIES = frozenset({"has", "had", "hat", "hatte", "ha"})  # "Hat Silke besucht"
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_AND = re.compile(r"^\s*(?:,|and|or|und|oder|y|o|et|ou|e)?\s*$", re.IGNORECASE)
# Before the second of two who do it together, before who does it in a passive, and before a place.
_TURNS = frozenset({"with", "by", "mit", "von", "con", "por", "avec", "par", "da"})
_PLACES = frozenset({"in", "at", "from", "en", "bei", "aus", "à", "chez", "presso"})
_OWNED = re.compile(r"['’]s?$")
_CLAUSE = re.compile(
    r"[,;:.!?…—–\n]+\s*|\s(?=(?:but|and|because|while|aber|und|weil|denn|während|pero|y|porque|mais|et|car|parce|ma|e"
    r"|perché)\s)",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"\s(?:whether|ob)\s+", re.IGNORECASE)
_IF = {"en": re.compile(r"\sif\s+", re.IGNORECASE), "it": re.compile(r"\sse\s+", re.IGNORECASE)}


@dataclass(frozen=True, slots=True)
class _Party:
    """Somebody in a clause, and where."""

    name: str
    start: int
    end: int


def weigh_roles(claim: str, quote: str, own_names: Sequence[str]) -> Support | None:
    """What is wrong with who does it to whom, or with what was only asked; None where nothing is."""
    return _weigh_asked(claim, quote) or _weigh_order(claim, quote, own_names)


def _weigh_asked(claim: str, quote: str) -> Support | None:
    """Whether all that a claim tells stands behind "whether"."""
    marks = [_WHETHER, *filter(None, [_IF.get(language_of(quote))])]
    for mark in marks:
        found = mark.search(quote)
        if found is None or mark.search(f" {claim}"):
            continue
        asked = _CLAUSE.split(quote[found.end() :])[0]
        left = f"{quote[: found.start()]} {quote[found.end() + len(asked) :]}"
        claimed = [word for word in content_words(claim) if not _holds(left, word)]
        if claimed and all(_holds(asked, word) for word in claimed):
            return refuse(ONLY_ASKED)
    return None


def _holds(text: str, word: str) -> bool:
    return any(means_same(word, other) for other in list_words(text))


def _weigh_order(claim: str, quote: str, own_names: Sequence[str]) -> Support | None:
    own = {word for name in own_names for word in list_words(name)}
    for clause in filter(None, _CLAUSE.split(quote)):
        named = _capitals(claim) & _capitals(clause)
        ours = _with_speaker(claim, list(_list_parties(claim, named - own, own)))
        names = {one.name for one in ours}
        theirs = [one for one in _list_parties(clause, named - own, own) if one.name in names]
        swapped = _are_swapped(ours, theirs) or _is_theirs_alone(ours, theirs)
        if swapped and not (_is_turned(claim, ours) or _is_turned(clause, theirs)):
            return _weigh_verb(claim, clause, {one.name for one in ours})
    return None


def _with_speaker(claim: str, parties: Sequence[_Party]) -> Sequence[_Party]:
    """A claim that begins with its verb is of the speaker: "Owes Kalle a favour"."""
    first = next(iter(list_words(claim)), "")
    begins = not parties or parties[0].start > len(first)
    verb = content_words(claim)[:1] == (first,) or first in _AUXILIARIES
    return [_Party(USER, 0, 0), *parties] if begins and verb else parties


def _weigh_verb(claim: str, clause: str, parties: set[str]) -> Support | None:
    """Only with the same verb is the other order another thing: who lends borrows from nobody."""
    claimed = [word for word in content_words(claim) if word not in parties | {USER} and not kin_of(word)]
    others = list_words(clause)
    left = [word for word in claimed if not any(means_same(word, other) for other in others)]
    if not claimed:
        return None
    if not left:
        return refuse(SWAPPED)
    return doubt(SWAPPED) if all(any(is_alike(word, other) for other in others) for word in left) else None


def _capitals(text: str) -> set[str]:
    return {one.group().lower() for one in _WORD.finditer(text) if one.group()[0].isupper()}


def _list_parties(text: str, named: set[str], own: set[str]) -> Iterator[_Party]:
    """The speaker, those of `named`, and relatives, in their order; owners ("Lena's dog") are none."""
    before = ""
    for found in _WORD.finditer(text):
        word = found.group()
        plain, low = word.lower(), before
        before = plain
        name = _party(plain, named, own)
        if name and not _OWNED.search(word) and low not in _PLACES:
            yield _Party(name, found.start(), found.end())


def _party(plain: str, named: set[str], own: set[str]) -> str:
    if plain in _I or plain in _ME or plain == USER or plain in own:
        return USER
    if plain in named:
        return plain
    return f"{KIN} {min(kin_of(plain))}" if kin_of(plain) else ""


def _are_swapped(ours: Sequence[_Party], theirs: Sequence[_Party]) -> bool:
    """Whether the one who stands first stands behind the other. A relative may be the one who is named beside them."""
    if len(ours) < 2 or len(theirs) < 2 or ours[0].name == theirs[0].name:
        return False
    names = [one.name for one in theirs]
    return ours[0].name in names and not _is_mixed((ours[0].name, names[0]))


def _is_theirs_alone(ours: Sequence[_Party], theirs: Sequence[_Party]) -> bool:
    """Whether somebody named does it, at the head of the clause, and a claim has the speaker do it to them."""
    if len(theirs) != 1 or len(ours) < 2 or ours[0].name != USER:
        return False
    return theirs[0].start == 0 and theirs[0].name not in (USER, ours[0].name)


def _is_mixed(names: Sequence[str]) -> bool:
    kin = [name.startswith(f"{KIN} ") for name in names]
    return any(kin) and not all(kin) and USER not in names


def _is_turned(text: str, parties: Sequence[_Party]) -> bool:
    """Whether the two do it together, stand side by side, or it is said in the passive; or the object comes first."""
    if len(parties) < 2:
        return False
    first, second = parties[0], parties[1]
    between = text[first.end : second.start]
    object_first = text[first.start : first.end].lower() in _ME
    return object_first or bool(_AND.match(between)) or bool(_TURNS & set(between.lower().split()))
