"""Confidences: what a person tells one persona alone, in whatever words and language.

A confidence holds for the sentence that says it; where that tells nothing itself ("that stays between us"), for the
sentences before and after it in the same message. Where it is unclear how far it reaches, it reaches further:
hidden for nothing, a statement is missed by other personas; leaked, it can't be taken back.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.reader import Reading, Sentence

Spans = tuple[tuple[int, int], ...]

WHOLE: Spans = ((0, sys.maxsize),)  # a message that nobody has read to its end may confide anything
TELLS: tuple[Kind, ...] = (
    "lasting",
    "relative",
    "other",
    "event",
    "ended",
    "todo",
    "done",
    "put_off",
    "dropped",
)


def find_confidential(reading: Reading) -> Spans:
    """The stretches of a message that are for the persona spoken with alone, in order."""
    if not reading.complete:
        return WHOLE
    sentences = reading.sentences
    hidden = {place for own in range(len(sentences)) for place in _reach(sentences, own)}
    return tuple((sentences[place].start, sentences[place].end) for place in sorted(hidden))


def _reach(sentences: Sequence[Sentence], own: int) -> list[int]:
    """The places of the sentences that one is a confidence about: none if it is no confidence."""
    if not _is_confidence(sentences[own]):
        return []
    if any(sentences[own].meaning.is_sure(kind) for kind in TELLS):
        return [own]
    around = (_step(sentences, own, -1), _step(sentences, own, 1))
    return [own, *(place for place in around if place is not None)]


def _step(sentences: Sequence[Sentence], place: int, step: int) -> int | None:
    """The next sentence on one side that is no such words itself ("Psst. Not a word. OK?")."""
    place += step
    while 0 <= place < len(sentences) and _is_confidence(sentences[place]):
        place += step
    return place if 0 <= place < len(sentences) else None


def _is_confidence(sentence: Sentence) -> bool:
    """From a mere possibility on: see above what either mistake costs."""
    return sentence.meaning.may_be("confidence")


@dataclass(frozen=True, slots=True)
class ConfidentialSpans:
    """What of a conversation is for one persona alone: stretches by message, and replies that may repeat them.

    `awaits_reply`: a reply to the last of the messages would be such a one.
    """

    persona_id: UUID | None = None
    spans: Mapping[UUID, Spans] = field(default_factory=dict)
    replies: frozenset[UUID] = frozenset()
    awaits_reply: bool = False

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


NOTHING_CONFIDENTIAL = ConfidentialSpans()


def read_confidential(
    persona_id: UUID, messages: Sequence[tuple[UUID, str, Reading]], *, answers: bool = False
) -> ConfidentialSpans:
    """What messages (id, role, what the person said), in their order, confide to a persona.

    A reply may repeat what was confided since the one before it; `answers`: the first messages reply to such words.
    """
    spans: dict[UUID, Spans] = {}
    replies: set[UUID] = set()
    speaking = False
    for message_id, role, reading in messages:
        if role == "user":
            found = find_confidential(reading)
            answers = bool(found) or (answers and speaking)
            if found:
                spans[message_id] = found
        elif answers:
            replies.add(message_id)
        speaking = role == "user"
    return ConfidentialSpans(persona_id, spans, frozenset(replies), awaits_reply=answers)
