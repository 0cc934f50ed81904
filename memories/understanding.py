"""What one message was understood to say: its sentences by kind, and what they are to things already known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.reader import NOTHING_READ, Reading, Sentence


@dataclass(frozen=True, slots=True)
class Related:
    """What the sentence that begins at `start` is to a memory or a todo, and how likely (0 to 1)."""

    start: int
    object_id: UUID
    relation: Relation
    chance: float


@dataclass(frozen=True, slots=True)
class RelatedWords(Related):
    """What it is to words that were said: `object_id` is the message, `content[begin:end]` the words."""

    begin: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Understanding:
    """A message as it was read, outside any transaction, and before it was stored."""

    reading: Reading = NOTHING_READ
    related: tuple[Related, ...] = ()
    marked: tuple[
        Related, ...
    ] = ()  # the same said again that a person marked as wrong, or never to be mentioned

    def related_to(self, sentence: Sentence, relations: Iterable[Relation]) -> list[Related]:
        """What a sentence is to known things in one of these ways, the likeliest first."""
        wanted = set(relations)
        known = [one for one in self.related if not isinstance(one, RelatedWords)]
        found = [one for one in known if one.start == sentence.start and one.relation in wanted]
        return sorted(found, key=lambda one: -one.chance)

    def list_marked_as(self, sentence: Sentence) -> list[UUID]:
        """The marked memories that a sentence says again."""
        return [one.object_id for one in self.marked if one.start == sentence.start]

    def find_meant(self, request: Sentence) -> RelatedWords | None:
        """What a request to forget means of what was said."""
        words = (one for one in self.related if isinstance(one, RelatedWords) and one.start == request.start)
        return next(words, None)

    def without(self, starts: Collection[int]) -> Understanding:
        """The same, but for what the sentences that begin there are to known things."""
        return replace(self, related=tuple(one for one in self.related if one.start not in starts))


NOT_UNDERSTOOD = Understanding()
