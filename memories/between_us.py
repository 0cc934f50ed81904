"""What a person tells one persona alone: "just between us", "only for you", "don't tell the others".

The words hold for the statement they stand in; on their own, for the one before or after them in the same message.
Where it is unclear how far they reach, they reach further.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

Spans = tuple[tuple[int, int], ...]

_OTHERS = (
    r"(?:(?:the |any |your |all )?others?|any(?:one|body)(?: else)?|the rest|no one else|nobody else"
    r"|(?:the |any |your )?other (?:agents?|personas?|assistants?|bots?|ais?|people)|everyone(?: else)?)"
)
_MARKER = re.compile(
    r"\b(?:just|only|strictly|purely) between (?:us|you and me|the two of us|me and you)\b"
    r"|(?:^|[,;:(–-]\s*|\b(?:and|but|so|well)\s+)between (?:us|you and me)\b"
    r"|\b(?:this|that|it|what I(?:['’]ve)? (?:just )?(?:told|said|tell|say)[\w ]{0,20}?)(?:['’]s| is| stays?| remains?"
    r"| must stay| has to stay| should stay)(?: strictly| just| only)? "
    r"(?:between (?:us|you and me)|in here|confidential|(?:a |our )?secret|private)\b"
    r"|\bkeep (?:this|that|it)(?: all)? (?:between us|between you and me|to yourself|private|(?:a )?secret|confidential"
    r"|under wraps)\b"
    r"|\bonly for (?:you|your (?:ears|eyes))\b|\bfor your (?:ears|eyes) only\b"
    r"|\b(?:this|that|it)(?:['’]s| is) (?:just )?for you (?:only|alone)\b"
    rf"|\b(?:don['’]?t|do not|never|you (?:must|should|can)(?:n['’]t| not)) (?:ever )?tell {_OTHERS}\b"
    rf"|\b(?:don['’]?t|do not|never) (?:share|repeat|mention|pass|spread|reveal|discuss|bring up) (?:this|that|it)"
    rf"(?: on| around)?(?: (?:with|to) {_OTHERS})?\b"
    r"|\b(?:nobody|no one)(?: else)? (?:may|must|should|can|needs to|is to|ought to) know\b"
    r"|\b(?:can you keep a secret|in (?:strict )?confidence|strictly confidential|off the record)\b"
    r"|\b(?:nur )?unter uns(?: gesagt)?\b|\b(?:nur|das bleibt) zwischen uns\b|\bnur für dich\b|\bunter vier augen\b"
    r"|\b(?:sag|erzähl)(?:e|s)?(?: es| das)? (?:niemand(?:em)?|den anderen nicht|keinem)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:not|isn['’]?t|wasn['’]?t|no longer|needn['’]?t|don['’]?t (?:have|need) to)(?:\s+\w+){0,2}\s*$"
    r"|\b(?:i|we|they)\s+$",
    re.IGNORECASE,
)
_TOLD_BY_OTHERS = re.compile(
    r"\b(?:he|she|they|who|[A-Z]\w+)(?:['’]d| had| has)? (?:said|says|told|asked|whispered|wrote|swore|promised)\b"
)
# What may stand beside the words without being a statement of its own.
_FILLER = re.compile(
    r"\b(?:please|pls|ok(?:ay)?|hey|psst|so|but|and|well|now|right|though|this|that|it|is|stays?|listen|look"
    r"|promise(?: me)?|thanks|thank you|just|i|i['’]ll|i['’]m|want|need|have|going|will|let me|to|tell|telling|say|you"
    r"|something|a secret|secret|what|about|bitte|ja|das)\b|[^\w]",
    re.IGNORECASE,
)
_LOOKS_BACK = re.compile(
    r"\b(?:that|it)\b|\bjust (?:told|said)\b|^\W*(?:please )?(?:don['’]?t|do not|never) tell", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"(?:[^.!?…\n]|(?<=\bDr)\.|(?<=\bMr)\.|(?<=\bMs)\.|(?<=\bMrs)\.|(?<=\bSt)\.|(?<=\d)\.(?=\d))+[.!?…]*"
)
_CUT = re.compile(r"(?:[,;]|\s[–—-])\s*(?:and|but|so|oh)?,?\s*$", re.IGNORECASE)
MAX_READ_CHARS = 20_000  # characters of a message


def find_confided(text: str) -> Spans:
    """The stretches of a message that are for the persona spoken with alone, in order."""
    if not _MARKER.search(text[:MAX_READ_CHARS]):
        return ()
    sentences = [(m.start(), m.end()) for m in _SENTENCE.finditer(text[:MAX_READ_CHARS]) if m.group().strip()]
    found = [span for number in range(len(sentences)) for span in _spans_of(text, sentences, number)]
    return tuple(sorted(set(found)))


def _spans_of(text: str, sentences: Sequence[tuple[int, int]], number: int) -> Spans:
    start, end = sentences[number]
    marker = _MARKER.search(text, start, end)
    if marker is None or _is_void(text[start : marker.start()]):
        return ()
    rest = f"{text[start : marker.start()]} {text[marker.end() : end]}"
    if _FILLER.sub("", rest):
        return ((_statement_start(text, start, marker.start()), end),)
    other = _neighbour(text[start:end], len(sentences), number)
    return ((start, end),) if other is None else ((start, end), sentences[other])


def _is_void(before: str) -> bool:
    """Taken back ("it is not just between us"), or another's words ("she said it stays between us")."""
    return bool(_TAKEN_BACK.search(before) or _TOLD_BY_OTHERS.search(before))


def _statement_start(text: str, start: int, marker: int) -> int:
    """Behind ", and" the words open a statement of their own; elsewhere the whole sentence is meant."""
    return marker if marker > start and _CUT.search(text[start:marker]) and _goes_on(text, marker) else start


def _goes_on(text: str, marker: int) -> bool:
    found = _MARKER.match(text, marker)
    end = _SENTENCE.match(text, found.end()) if found else None
    return bool(end and _FILLER.sub("", end.group()))


def _neighbour(sentence: str, count: int, number: int) -> int | None:
    """The statement that words on their own are about."""
    before, after = number - 1, number + 1
    if number and (_LOOKS_BACK.search(sentence) or after >= count):
        return before
    return after if after < count else None


@dataclass(frozen=True, slots=True)
class Confided:
    """What of a conversation is for one persona alone: stretches by message, and replies that may repeat them."""

    persona_id: UUID | None = None
    spans: Mapping[UUID, Spans] = field(default_factory=dict)
    replies: frozenset[UUID] = frozenset()

    def audience(
        self, message_id: UUID | None, start: int | None, end: int | None, *, others: UUID | None
    ) -> UUID | None:
        """The persona that alone may know what rests on these words; `others` where they weren't confided.

        Without the words' place, whatever was read together with something confided counts as confided.
        """
        return self.persona_id if self._holds(message_id, start, end) else others

    def _holds(self, message_id: UUID | None, start: int | None, end: int | None) -> bool:
        if message_id is None:
            return bool(self.spans)
        if message_id in self.replies:
            return True
        spans = self.spans.get(message_id, ())
        if start is None or end is None:
            return bool(spans)
        return any(first < end and start < last for first, last in spans)


NOTHING_CONFIDED = Confided()


def read_confided(persona_id: UUID, messages: Sequence[tuple[UUID, str, str]]) -> Confided:
    """What messages (id, role, text), in their order, confide; a reply to such a one may repeat it."""
    spans: dict[UUID, Spans] = {}
    replies: set[UUID] = set()
    answering = False
    for message_id, role, text in messages:
        if role == "user":
            found = find_confided(text)
            answering = bool(found)
            if found:
                spans[message_id] = found
        elif answering:
            replies.add(message_id)
    return Confided(persona_id, spans, frozenset(replies))
