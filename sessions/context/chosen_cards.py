"""Which cards a context shows: what it doesn't say yet. What no longer holds gives way to what holds in its place, or
stands with a word that says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nebo.reading.meaning.sentences import capital
from nebo.reading.relations.coverage import Coverage
from nebo.reading.words.content_words import content_words, split_sentences
from sessions.context.answer import ContextMessageFields
from sessions.context.cards import Card, shorten_card
from sessions.context.left_out import LeftOut, Rule

OVER = "(changed or settled since)"
_GAPS = re.compile(r" {2,}")
TELLING_WORDS = 3  # content words of a sentence that tells something beside those that are told already


@dataclass(frozen=True, slots=True)
class ShownAbove:
    """What stands above the cards: its memories' ids, its words; `over`, what was said and no longer holds, and what
    holds in place of each such text. `of_past`: the question may ask for just that.
    """

    known: Collection[str]
    coverage: Coverage
    over: Coverage
    instead: Mapping[str, str] = field(default_factory=dict)
    of_past: bool = False

    def says(self, card: Card) -> bool:
        """Whether it has a card already: that memory, or nearly all that the turn tells."""
        if card.memory_id:
            return card.memory_id in self.known or self.coverage.has(card.bare)
        sentences = split_sentences(card.bare)
        known = [self.coverage.has_nearly(one) for one in sentences]
        rest = [one for one, is_known in zip(sentences, known, strict=True) if not is_known]
        return any(known) and all(len(content_words(one)) < TELLING_WORDS for one in rest)

    def settle(self, card: Card, shown: Coverage) -> Card | None:
        """A card of a turn without what is over and `shown` otherwise; a word says so of what else is over."""
        if card.memory_id:
            return card
        sentences = split_sentences(card.bare)
        over = list(filter(self._is_over, sentences))
        if not over:
            return self._settle_parts(card, shown, list(filter(self._is_over_in_part, sentences)))
        if self.of_past or not all(self._is_replaced(one, shown) for one in over):
            return replace(card, text=f"{card.text} {OVER}")
        return _without(card, over)

    def _is_over(self, sentence: str) -> bool:
        return self.over.has(sentence) and not self.coverage.has_nearly(sentence)

    def _settle_parts(self, card: Card, shown: Coverage, sentences: Sequence[str]) -> Card:
        """A card without the parts of these sentences that are over and told otherwise; or with a word that says so."""
        for sentence in sentences:
            parts = sentence.split(", ")
            left = [one for one in parts if not self._is_over(one)]
            over = [one for one in parts if one not in left]
            if self.of_past or not (left and over) or not all(self._is_replaced(one, shown) for one in over):
                return replace(card, text=f"{card.text} {OVER}")
            rest = capital(", ".join(left))
            card = replace(
                card, text=card.text.replace(sentence, rest, 1), bare=card.bare.replace(sentence, rest, 1)
            )
        return card

    def _is_over_in_part(self, sentence: str) -> bool:
        """Whether it says among other things what is over: "the deadline is 30 June, the client is Alba"."""
        return self.over.stands_in(sentence) and not self.coverage.has_nearly(sentence)

    def _is_replaced(self, sentence: str, shown: Coverage) -> bool:
        """Whether what holds in place of a sentence is told, wherever it is known; for what is done, nothing does."""
        instead = [new for old, new in self.instead.items() if self.over.alike(old).has(sentence)]
        return bool(instead) and all(not new or shown.has_nearly(new) for new in instead)


def _without(card: Card, sentences: Collection[str]) -> Card | None:
    """What else a turn tells; nothing where that is a word or two, or where it is quoted otherwise."""
    left = " ".join(one for one in split_sentences(card.bare) if one not in sentences)
    if len(content_words(left)) < TELLING_WORDS or any(one not in card.text for one in sentences):
        return None
    text = card.text
    for one in sentences:
        text = text.replace(one, "", 1)
    return replace(card, text=_GAPS.sub(" ", text).strip(), bare=left)


def list_apart(
    cards: Sequence[Card],
    above: ShownAbove,
    *,
    question: str,
    room: int,
    left_out: LeftOut | None = None,
) -> list[Card]:
    """Cards that say what stands nowhere above, each once; a long one shows what it says of the question.

    `left_out` is told of the others.
    """
    coverage = above.coverage.copy()  # what a card says is told only where it fits
    offered = _with_memories(above.coverage, cards)
    others = left_out or LeftOut()
    chosen = []
    for card in cards:
        if above.says(card) or not (settled := above.settle(card, offered)):
            others.note_card(card.memory_id, Rule.SAID_ABOVE)
            continue
        if not coverage.take(settled.bare):
            others.note_card(card.memory_id, Rule.REPEATS)
            continue
        fitting = settled if settled.tokens <= room else shorten_card(settled, question, room)
        if fitting is not None:
            chosen.append(fitting)
        else:
            others.note_card(card.memory_id, Rule.NO_ROOM)
    return chosen


def _with_memories(coverage: Coverage, cards: Iterable[Card]) -> Coverage:
    """What is told once the memories among the cards are."""
    shown = coverage.copy()
    for card in cards:
        if card.memory_id:
            shown.add(card.bare)
    return shown


def list_spare(
    spare: Iterable[Card],
    above: ShownAbove,
    *,
    shown: Sequence[Card],
    messages: Sequence[ContextMessageFields],
    room: int,
    left_out: LeftOut | None = None,
) -> list[Card]:
    """The next best, as many as the room takes that nothing else needs."""
    coverage = above.coverage.copy()
    for card in shown:
        coverage.add(card.bare)
    listed = {message["id"] for message in messages}
    others = left_out or LeftOut()
    chosen = []
    for card in spare:
        settled = None if above.says(card) else above.settle(card, coverage)
        is_listed = bool(card.message_ids) and listed.issuperset(card.message_ids)
        if settled is None:
            others.note_card(card.memory_id, Rule.SAID_ABOVE)
        elif settled.tokens > room or is_listed:
            others.note_card(card.memory_id, Rule.NO_ROOM)
        elif not coverage.take(settled.bare):
            others.note_card(card.memory_id, Rule.REPEATS)
        else:
            chosen.append(settled)
            room -= settled.tokens
    return chosen
