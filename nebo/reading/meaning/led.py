"""What leads up to an order or a confidence, or gives its reason, doesn't change what it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from nebo.encoders.weights import Array
from nebo.reading.meaning.attested import as_attested
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.words.bare_request import bare_requests
from nebo.reading.words.forget_words import asks_to_keep, begins_to_forget

HINT = 0.02  # chance of a confidence from which the words before the first pause are read by themselves
LEAD_WORDS = 6
HINT_OF_ORDER = 0.01  # chance of a request to forget from which it is read without what stands around it
ORDER = 0.6  # chance of the bare request, from which it is one
REPORTED = (
    0.7  # chance of being somebody else's words, without what is said of them in between, from which it is
)
_APART = re.compile(
    r"(?P<who>(?:my|our|the|mein\w*|unser\w*|der|die|mi|nuestr[oa]|el|la|mon|ma|le|il mio|la mia) [^\W\d_]+),"
    r" [^,.;:]{2,40}, (?=(?:(?:always|keeps?|immer|siempre|toujours|sempre) )?(?:say(?:s|ing)|said|reckons|thinks"
    r"|told me|sagte?|meinte?|glaubt|behauptet|dice|dijo|opina|cree|dit|pense|prétend|pensa)\b)",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"[,:;–—]")


def as_ordered(text: str, meaning: Meaning, read: Callable[[str], Meaning]) -> Meaning:
    """An order to forget is one, whatever leads up to it and why: "oh and forget that I failed, it's embarrassing"."""
    if meaning.is_sure("forget") or asks_to_keep(text):
        return meaning
    bare = bare_requests(text)
    if meaning.chances["forget"] < HINT_OF_ORDER and not any(map(begins_to_forget, bare)):
        return meaning
    chance = max((read(one).chances["forget"] for one in bare), default=0.0)
    if chance < ORDER:
        return meaning
    sure: frozenset[Kind] = frozenset({"forget"})
    confided = meaning.acts & {"confidence"}
    chances = {**meaning.chances, "forget": chance}
    return replace(meaning, chances=chances, acts=confided | sure, asks=meaning.asks | sure)


def as_reported(
    text: str, meaning: Meaning, read: Callable[[str], Meaning], encode: Callable[[str], Array]
) -> Meaning:
    """What somebody says is theirs to say, whatever is said of them in between: "my boss, old Alf, says …"; but what a
    doctor finds is so.
    """
    meaning, found = as_attested(text, meaning, read, encode), _APART.match(text)
    if found is None or meaning.chances["quoted"] >= REPORTED:
        return meaning
    chance = read(f"{found['who']} {text[found.end() :]}").chances["quoted"]
    if chance < REPORTED:
        return meaning
    sure: frozenset[Kind] = frozenset({"quoted"})
    chances = {**meaning.chances, "quoted": chance}
    return replace(meaning, chances=chances, acts=meaning.acts | sure, asks=meaning.asks | sure)


def as_confided(text: str, meaning: Meaning, read: Callable[[str], Meaning]) -> Meaning:
    """A sentence that begins with "just between us, …" is a confidence, whatever else it tells."""
    if meaning.chances["confidence"] < HINT or meaning.may_be("confidence"):
        return meaning
    lead = _PAUSE.split(text, maxsplit=1)[0]
    if lead == text or len(lead.split()) > LEAD_WORDS or not read(lead).is_sure("confidence"):
        return meaning
    chances = {**meaning.chances, "confidence": read(lead).chances["confidence"]}
    sure: frozenset[Kind] = frozenset({"confidence"})
    return replace(meaning, chances=chances, acts=meaning.acts | sure, asks=meaning.asks | sure)
