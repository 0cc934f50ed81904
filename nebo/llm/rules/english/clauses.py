"""Messages cut into sentences and clauses, with exact positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CLAUSE_CHARS = 320  # characters; a longer clause is pasted text or a tirade, not a statement
MAX_SENTENCE_CHARS = 1_200  # characters; a longer run without a full stop is a list or pasted text
MAX_SENTENCES = 300  # of one message; of a longer one the first and the last halves of these are read

_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|\n+|(?<=[a-z])[.!?](?=[A-Z][a-z])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|approx|no|inc|jr|sr|u\.s|a\.m|p\.m)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s[-–—]+\s|\s?—\s?|--+\s?|(?<=\w)-\s|;\s+|\s?\(|\)\s?|:\s+(?=(?:I|we|my)\b)"
    r"|,?\s+(?:and|but|so|cause|'cause|because|plus|also)\s+(?=(?:I|we|my|our)(?:['’]\w+)?\s)"
    r"|,\s+(?=(?:I|we)(?:['’]\w+)?\s|my \w+(?: \w+)? (?:is|are|has|was|lives|works)\b)",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"```.{0,20000}?(?:```|\Z)|`[^`\n]{1,200}`|^>[^\n]*$"
    r"|[\"“](?=[^\"”\n]{0,400}\b(?:I|I['’]m|my|me|we|you|your|our|us)\b|[^\"”\n]{60})[^\"”\n]{0,400}[\"”]",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_OPENER = re.compile(
    r"(?:(?:hey|hi|hello|yo|oh|ah|aw|aww|wow|whoa|woohoo|yay|ugh|hm+|haha|lol|ok|okay|yes|yep|yeah"
    r"|yup|yea|no(?=[,.!])|nope|nah|well|so"
    r"|and|but|also|plus|anyway|anyways|btw|by the way|fyi|actually|honestly|frankly|basically"
    r"|literally|definitely"
    r"|absolutely|totally|sure|right|thanks|thank you|thx|cool|great|awesome|nice|true|exactly"
    r"|agreed|guess what"
    r"|please|pls|just so you know|for the record|to be honest|tbh|in fact|of course|like(?=,)|oh "
    r"yeah|turns out|luckily|thankfully"
    r"|as always|as ever|as usual|like I said|as I (?:said|mentioned|told you)(?: before| earlier)?"
    r"|unfortunately|sadly|finally|today|hopefully|as you know|you know|it turns out|i mean|personally|again)"
    r"(?:[\s,!.:…]+|$)(?:so much[\s,!.]+|a lot[\s,!.]+)?)",
    re.IGNORECASE,
)
_NAME_CALL = re.compile(
    r"(?!(?:Last|This|Next|Every|Yesterday|Tomorrow|Today|In|On|Recently|Lately|My|I"
    r"|We)\b)[A-Z][\w'’]{1,20}(?:\s[A-Z]\w{1,20})?\s?[,!]\s+(?=\S)(?!my\b)"
)
_SUBJECT = re.compile(
    r"(?:my|the|our)\s+\w+(?:\s\w+)?|[A-Z]\w+|me|you|the kids|(?:my )?(?:husband|wife|partner"
    r"|family|fam|friends?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `text` without its opener and its leading time, `lead` that time, `start` and `end` around both.

    `sentence` is the whole sentence, `before` what precedes the clause in it; `asks` says that the clause is asked.
    """

    text: str
    lead: str
    start: int
    end: int
    sentence: str
    before: str
    asks: bool


def list_clauses(text: str) -> Iterator[Clause]:
    """The clauses of a message, openers ("Yeah, well,") and calls by name ("Mel,") taken off; quoted text left out."""
    masked = _MASKED.sub(_blank, text)
    for start, end in _read_spans(_sentence_spans(masked)):
        if end - start <= MAX_SENTENCE_CHARS:
            yield from _clauses_of(masked, start, end)


def _read_spans(spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    every = list(spans)
    half = MAX_SENTENCES // 2
    return every if len(every) <= MAX_SENTENCES else every[:half] + every[-half:]


def _blank(match: re.Match[str]) -> str:
    """Quoted text as mere length, so that positions hold; its ends stay, so that it is seen to be cut out."""
    return "\x00" * len(match.group())


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for stop in _END.finditer(text):
        if stop.group()[0] == "." and _ABBREVIATION.search(text[max(0, stop.start() - 8) : stop.start() + 1]):
            continue
        yield at, stop.end()
        at = stop.end()
    yield at, len(text)


def _clauses_of(text: str, start: int, end: int) -> Iterator[Clause]:
    sentence = text[start:end]
    asked = "?" in sentence[-6:]
    for left, right in _clause_spans(sentence):
        asks = asked and (right == len(sentence) or bool(_ASKING.match(sentence)))
        clause = _without_opener(sentence, left, right)
        if clause and len(clause[1]) <= MAX_CLAUSE_CHARS:
            at, core = clause
            lead = _LEADING_TIME.match(core)
            text = core[lead.end() :] if lead else core
            yield Clause(
                text,
                lead["time"] if lead else "",
                start + at,
                start + at + len(core),
                sentence,
                sentence[:at],
                asks,
            )


def _clause_spans(sentence: str) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in _CUT.finditer(sentence):
        left = sentence[at : cut.start()].strip()
        if _is_lead(left):
            continue
        yield at, cut.start()
        at = cut.end()
    yield at, len(sentence)


def _is_lead(text: str) -> bool:
    """Whether a fragment only leads into what follows: a time ("Last Friday"), or half a subject ("My kids and I")."""
    rest = text
    while opener := (_OPENER.match(rest) or _NAME_CALL.match(rest)):
        rest = rest[opener.end() :]
    if not rest or _SUBJECT.fullmatch(rest):
        return True
    return len(rest) <= 30 and bool(_TIME_LEAD.fullmatch(rest))


_UNIT = (
    r"(?:day|night|morning|evening|week|weekend|month|year|spring|summer|autumn|fall|winter|time"
    r"|(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?"
    r"|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)s?"
)
_TIME = (
    r"(?:(?:on |in |by |back in |since |during )?(?:(?:last|this|this past|next|every(?: single)?"
    rf"|each|the other|the past|one) {_UNIT}|yesterday(?: \w+)?|tomorrow(?: \w+)?|today|tonight"
    r"|recently"
    r"|lately|nowadays|these days|right now|currently|earlier|later|now|sometimes|usually|(?:19"
    r"|20)\d\d|(?:a|two|three|four|five|six|\d+)(?: couple of| few)? (?:days?|weeks?|weekends?"
    r"|months?|years?) ago)"
    rf"|(?:on|in) {_UNIT}(?: (?:morning|evening|afternoon|night|\d{{1,4}}))?)"
)
_ASKING = re.compile(
    r"\s*(?:(?:hey|so|and|but|well|ok|okay|hi)[\s,]+){0,2}(?:do|does|did|am|is|are|was|were|can"
    r"|could|would|will|should|shall|have|has|had|what|who|which|when|where|why|how|what['’]s)\b",
    re.IGNORECASE,
)
_TIME_LEAD = re.compile(_TIME, re.IGNORECASE)
_LEADING_TIME = re.compile(rf"(?P<time>{_TIME}),?\s+(?=(?:I|we|my)\b)", re.IGNORECASE)


def _without_opener(sentence: str, left: int, right: int) -> tuple[int, str] | None:
    at = left + len(sentence[left:right]) - len(sentence[left:right].lstrip(" \t\n,*-•"))
    while at < right and (
        lead := _OPENER.match(sentence, at, right) or _NAME_CALL.match(sentence, at, right)
    ):
        at = lead.end()
    text = sentence[at:right].rstrip(" \t\n,;:.!?…")
    return (at, text) if text.strip("\x00 ") and len(text) > 3 else None
