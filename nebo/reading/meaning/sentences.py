"""Messages cut into sentences, with exact positions, in any language; code, links and pasted text left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_SENTENCE_CHARS = 400  # characters; a longer run is a list or pasted text, and is cut where it pauses
MAX_SENTENCES = 200  # of one message; of a longer one the first and the last halves of these are read
MIN_LETTERS = 2

_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+|\n+|(?<=\s)[:;]-?[()DP]+(?=\s)|(?<=[a-zà-ÿ])[.!?](?=[A-ZÀ-Þ][a-zà-ÿ])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|z\.b|d\.h|u\.a|bzw|ca|nr|str|usw|sr|sra|srta|ud|p\.ej|m|mme|mlle"
    r"|sig|dott|approx|inc|jr|u\.s|a\.m|p\.m)|\b[A-ZÀ-Þ])\.$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(  # "am 3. Mai", "bis 15.4. die Steuer"
    r"(?<=\d)\.\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|nächsten|(?:januar|februar|märz|april|mai|juni"
    r"|juli|august|september|oktober|november|dezember)\b)|(?:(?<=\d\.\d)|(?<=\d\.[01]\d))\.\s+[a-zß-ÿ]"
)
_DAY_OF_MONTH = re.compile(r"\b(?:zum|am|bis|vom|den|dem|ab) \d{1,2}\.$", re.IGNORECASE)  # "zum 1. fällig"
_NO_WORDS = re.compile(
    r"(?P<block>```.{0,20000}?(?:```|\Z)|^>[^\n]*$|^#{1,6} [^\n]*$"
    r"|^[ \t]*(?:[-*•]|\d+\.)?[ \t]*\*\*[^*\n]+\*\*:?[^\n]*$"
    r"|^[\"“„](?=[^\"“”]*\n)[^\"“”]{40,6000}[\"”][ \t]*$"
    r"|(?<=\n)[ \t]*[\"“„](?=[^\"“”\n]*[.!?] [^\"“”\n]*[.!?])[^\"“”\n]{40,6000}[\"”][ \t]*$|^(?: {4,}"
    r"|\t)[^\n]*[;{}()=<>][^\n]*$)"
    r"|(?:^|(?<=[.!?…][ \n]))\[[^\[\]\n]{3,300}\](?=[ \t]*$)"  # what is done, not said: "[shares a photo: …]"
    r"|`[^`\n]{1,200}`|https?://\S+",
    re.DOTALL | re.MULTILINE,
)
_PAUSE = re.compile(r"[;,:]\s+|\s[-–—]\s+|\s+(?=(?:and|but|so|und|aber|y|pero|et|mais|e|ma)\s)")
# "We adopted a cat!! named Bagel": no sentence begins so.
_GOES_ON = re.compile(r"\s+(?:named|called|namens|llamad[oa]s?|nommée?s?|chiamat[oaie])\s")
# "Sold the boat!! to a lovely couple": nor so, behind an exclamation mark.
_TO_WHOM = re.compile(
    r"\s+(?:to|with|from|for|by|an|mit|von|für) (?:an?|the|my|our|some|einen?|eine[mr]?|de[mnr]|die|mein\w*) "
)
_CRY_AMID = re.compile(rf"[.!…]+(?={_GOES_ON.pattern})|!+(?={_TO_WHOM.pattern})")
_QUOTED_AMID = re.compile(r"[.!?…]+[\"'”’»]+ [a-zß-ÿ]")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence as it stands: `text == message[start:end]`, but for a subject that a clause shares with another, and
    for what says nothing amid it.

    `read_as` are the words by whose meaning it is read, where its own say too little: those of the whole sentence, or
    of its main clause.
    """

    text: str
    start: int
    end: int
    read_as: str = ""


def list_sentences(message: str) -> list[Span]:
    """The sentences of a message in their order, without bullets and blanks around them."""
    masked = _NO_WORDS.sub(_blank, message)
    found = [
        _span(message, start, start + len(masked[start:end].rstrip("\n")))
        for start, end in _cut(masked)
        if _has_words(masked[start:end])
    ]
    if len(found) <= MAX_SENTENCES:
        return found
    half = MAX_SENTENCES // 2
    return found[:half] + found[-half:]


def _blank(match: re.Match[str]) -> str:
    """As long as what it stands for; a block ends the sentence before it."""
    return ("\n" if match["block"] else " ") + " " * (len(match.group()) - 1)


def _has_words(text: str) -> bool:
    return len(_LETTER.findall(text)) >= MIN_LETTERS


def _span(message: str, start: int, end: int) -> Span:
    text = message[start:end]
    start += len(text) - len(text.lstrip(" \t\r\n*-•–>#"))
    end = start + len(message[start:end].rstrip())
    return Span(_CRY_AMID.sub("", message[start:end]), start, end)


def _cut(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for stop in _END.finditer(text):
        if (stop.group() == "." and _is_inside(text, at, stop)) or _is_amid(text, stop):
            continue
        yield from _cut_long(text, at, stop.end())
        at = stop.end()
    yield from _cut_long(text, at, len(text))


def _is_amid(text: str, stop: re.Match[str]) -> bool:
    """Whether a sentence goes on behind what is cried out or quoted in it: "stop saying 'Sure!' at the beginning"."""
    if _GOES_ON.match(text, stop.end()) or _QUOTED_AMID.match(text, stop.start()):
        return True
    return stop.group().startswith("!") and _TO_WHOM.match(text, stop.end()) is not None


def _is_inside(text: str, at: int, stop: re.Match[str]) -> bool:
    """Whether a full stop is an abbreviation's, or a day's in German."""
    before = text[max(at, stop.start() - 8) : stop.end()]
    goes_on = text[stop.end() : stop.end() + 2].strip().islower()
    of_month = goes_on and _DAY_OF_MONTH.search(before) is not None
    return of_month or bool(_ABBREVIATION.search(before) or _ORDINAL.match(text, stop.start()))


def _cut_long(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_SENTENCE_CHARS:
        pauses = [m.end() for m in _PAUSE.finditer(text, start + 1, start + MAX_SENTENCE_CHARS)]
        cut = pauses[-1] if pauses else start + MAX_SENTENCE_CHARS
        yield start, cut
        start = cut
    yield start, end


def capital(text: str) -> str:
    """The text with its first letter as a capital."""
    return text[:1].upper() + text[1:]
