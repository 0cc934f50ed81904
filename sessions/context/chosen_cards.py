"""Which cards a context shows: what it doesn't say yet, and what no longer holds only with a word that says so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from nebo.reading.relations.coverage import Coverage
from nebo.reading.words.content_words import content_words, split_sentences
from sessions.context.answer import ContextMessageFields
from sessions.context.cards import Card, shorten_card

OVER = "(changed or settled since)"
TELLING_WORDS = 3  # content words of a sentence that tells something beside those that are told already


@dataclass(frozen=True, slots=True)
class ToldAlready:
    """What stands above the cards: its memories' ids, its words; and `over`, what was said and no longer holds."""

    known: Collection[str]
    coverage: Coverage
    over: Coverage

    def says(self, card: Card) -> bool:
        """Whether it has a card already: that memory, or nearly all that the turn tells."""
        if card.memory_id:
            return card.memory_id in self.known or self.coverage.has(card.bare)
        sentences = split_sentences(card.bare)
        told = [self.coverage.has_nearly(one) for one in sentences]
        rest = [one for one, known in zip(sentences, told, strict=True) if not known]
        return any(told) and all(len(content_words(one)) < TELLING_WORDS for one in rest)

    def mark(self, card: Card) -> Card:
        """A card of a turn that says what is over says that, too."""
        if card.memory_id or not any(map(self._is_over, split_sentences(card.bare))):
            return card
        return replace(card, text=f"{card.text} {OVER}")

    def _is_over(self, sentence: str) -> bool:
        return self.over.has(sentence) and not self.coverage.has_nearly(sentence)


def list_apart(cards: Iterable[Card], told: ToldAlready, *, question: str, room: int) -> list[Card]:
    """Cards that say what stands nowhere above, each once; a long one shows what it says of the question."""
    coverage = told.coverage.copy()  # what a card says is told only where it fits
    chosen = []
    for card in cards:
        if told.says(card) or not coverage.take(card.bare):
            continue
        marked = told.mark(card)
        fitting = marked if marked.tokens <= room else shorten_card(marked, question, room)
        if fitting is not None:
            chosen.append(fitting)
    return chosen


def list_spare(
    spare: Iterable[Card],
    told: ToldAlready,
    *,
    shown: Sequence[Card],
    messages: Sequence[ContextMessageFields],
    room: int,
) -> list[Card]:
    """The next best, as many as the room takes that nothing else needs."""
    coverage = told.coverage.copy()
    for card in shown:
        coverage.add(card.bare)
    listed = {message["id"] for message in messages}
    chosen = []
    for card in map(told.mark, spare):
        is_listed = bool(card.message_ids) and listed.issuperset(card.message_ids)
        if card.tokens > room or is_listed or told.says(card) or not coverage.take(card.bare):
            continue
        chosen.append(card)
        room -= card.tokens
    return chosen
