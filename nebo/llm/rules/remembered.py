"""A summary by rule beside what memory knows: what no longer holds is left out, and what is remembered comes last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nebo.llm.rules.scored_sentences import DOUBT, ScoredSentence
from nebo.reading.relations.coverage import Coverage
from nebo.reading.words.content_words import content_words

SHARED = 2  # content words that a report and what it settles have in common, at least
LEAST = 0.3  # weight below which a sentence is left out, however much room there is


def without_closed(sentences: Sequence[ScoredSentence], over: Iterable[str]) -> list[ScoredSentence]:
    """The sentences that say nothing of what was replaced, ended or settled."""
    closed = Coverage(over)
    return [one for one in sentences if not says_closed(one.text, closed)]


def without_settled(sentences: Sequence[ScoredSentence], over: Iterable[str]) -> list[ScoredSentence]:
    """The sentences but for those that tell of something to do, or done, which is settled: "tax return's in"."""
    settled = list_settled(over)
    return [one for one in sentences if not (_is_of_task(one) and is_settled(one.text, settled))]


def list_settled(over: Iterable[str]) -> list[frozenset[str]]:
    """What those that no longer hold are about, for `is_settled`; bare words tell too little."""
    return [words for text in over if len(words := content_words(text)) >= SHARED]


def _is_of_task(one: ScoredSentence) -> bool:
    return max(one.meaning.chances["todo"], one.meaning.chances["done"]) >= DOUBT


def is_settled(text: str, settled: Iterable[frozenset[str]]) -> bool:
    """Whether something to do is one of those: it has half of its words."""
    words = content_words(text)
    return any(len(words & one) >= max(SHARED, len(one) / 2) for one in settled)


def without_bygone(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What was asked of the agent, or reported as done, counts on its day: on a later one it is no news."""
    last = max((one.on for one in sentences if one.on), default=None)
    return [one for one in sentences if one.on in (None, last) or not _is_of_its_day(one)]


def _is_of_its_day(one: ScoredSentence) -> bool:
    chances = one.meaning.chances
    if one.role == "assistant":  # it answered what was asked on the way
        return chances["todo"] < DOUBT
    acts = max(chances["request"], chances["done"]) >= DOUBT
    return acts and max(chances["lasting"], chances["todo"]) < DOUBT and one.meaning.worth["good"] < DOUBT


def says_closed(sentence: str, closed: Coverage) -> bool:
    """Whether a sentence says something that no longer holds, by itself or among other things."""
    return closed.has(sentence) or closed.stands_in(sentence)


def weigh_remembered(sentences: Sequence[ScoredSentence], kept: Iterable[str]) -> list[ScoredSentence]:
    """What memory says by itself takes only the room that is left."""
    covered = Coverage(kept)
    return [
        replace(one, weight=LEAST) if one.weight > LEAST and covered.has_nearly(one.text) else one
        for one in sentences
    ]
