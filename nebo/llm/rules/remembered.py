"""A summary by rule beside what memory knows: what no longer holds is left out, and what is remembered comes last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nebo.llm.rules.scored_sentences import ScoredSentence
from nebo.reading.relations.coverage import Coverage

LEAST = 0.3  # weight below which a sentence is left out, however much room there is


def without_closed(sentences: Sequence[ScoredSentence], over: Iterable[str]) -> list[ScoredSentence]:
    """The sentences that say nothing of what was replaced, ended or settled."""
    closed = Coverage(over)
    return [one for one in sentences if not says_closed(one.text, closed)]


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
