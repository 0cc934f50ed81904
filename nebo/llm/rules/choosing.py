"""The sentences of a conversation that a summary keeps: the weightiest that fit, none twice, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nebo.llm.rules.lines import write_lines
from nebo.llm.rules.remembered import LEAST
from nebo.llm.rules.scored_sentences import ScoredSentence
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import differs_in_number

REPEATED = 0.6  # share of a sentence's words that another has, from which it says the same
ECHOED = 0.45  # the same, of what an assistant says


def choose(
    sentences: Sequence[ScoredSentence],
    *,
    limit_chars: int,
    limit: int = 60,
    recency: float = 0.0,
    least: float = LEAST,
) -> list[ScoredSentence]:
    """At most `limit` sentences of `limit_chars` characters in all; `recency` is what the last one weighs more.

    Where nothing has weight, the longest few stand for all: a summary of something must not be empty.
    """
    last = sentences[-1].place if sentences else 1
    ranked = sorted(sentences, key=lambda one: -(one.weight + recency * one.place / max(last, 1)))
    picked = _pick(
        [one for one in ranked if one.weight >= least], sentences, limit_chars=limit_chars, limit=limit
    )
    if not picked and sentences:
        longest = sorted(
            (one for one in sentences if one.role != "assistant"), key=lambda one: -len(one.text)
        )
        picked = _pick(longest[:3], sentences, limit_chars=limit_chars, limit=limit)
    return in_order(picked)


def repeats(text: str, other: str, *, share: float = REPEATED) -> bool:
    """Whether a sentence says what another says: most of its words, and no other number."""
    mine, theirs = stems(text), stems(other)
    return bool(mine) and len(mine & theirs) > share * len(mine) and not differs_in_number(text, other)


def _pick(
    ranked: Sequence[ScoredSentence], sentences: Sequence[ScoredSentence], *, limit_chars: int, limit: int
) -> list[ScoredSentence]:
    by_place = {one.place: one for one in sentences}
    chosen: dict[int, ScoredSentence] = {}
    for one in ranked:
        group = {part.place: part for part in _with_its_lead(one, by_place)}
        if not group or one.place in chosen or any(_says_again(one, other) for other in chosen.values()):
            continue
        if len(write_lines(in_order({**chosen, **group}.values()))) > limit_chars:
            continue
        chosen |= group
        if len(chosen) >= limit:
            break
    return list(chosen.values())


def in_order(sentences: Iterable[ScoredSentence]) -> list[ScoredSentence]:
    """As they were said."""
    return sorted(sentences, key=lambda one: one.place)


def _says_again(one: ScoredSentence, other: ScoredSentence) -> bool:
    """A reply says again from half of its words on: assistants repeat what they were told."""
    return repeats(one.text, other.text, share=ECHOED if one.role == "assistant" else REPEATED)


def _with_its_lead(one: ScoredSentence, by_place: dict[int, ScoredSentence]) -> list[ScoredSentence]:
    """A sentence that leans on the one before it brings that along, and stays out where that one does."""
    if not one.leans:
        return [one]
    lead = by_place.get(one.place - 1)
    return [lead, one] if lead else []
