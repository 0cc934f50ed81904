"""A message that is understood by the one before it is about a question as much as that is, nearly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from search.answers.search import Hit
from search.questions.speaker_roles import ASSISTANT

LEANING_WORDS = 25  # an answer of so many words at most is understood by its question
PASSED_ON = 0.85  # of what a question is worth, to a short answer
ASKING = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Rated:
    """A result and how much it is about the question, 0 and up; 1 is as near as can be. `covered` is the share of the
    question's words that it holds.
    """

    hit: Hit
    relevance: float
    covered: float = 0.0


def lean(rated: Sequence[Rated], *, after_agent: bool) -> list[Rated]:
    """A short answer is worth nearly as much as the question right before it: "In Ghent." says nothing by itself.

    If the question is `after_agent`, after what the agent said, so is the agent's answer to whatever the person said:
    "'Come and see'" after "give me a subject line".
    """
    worth = {_place(one.hit): one.relevance for one in rated}
    speakers = {_place(one.hit): one.hit.speaker for one in rated}
    asked = {_place(one.hit) for one in rated if one.hit.text.rstrip().endswith(ASKING)}
    for one in sorted(rated, key=lambda one: one.hit.seq or 0):
        place = _place(one.hit)
        before = (place[0], place[1] - 1)
        answers = before in asked and len(one.hit.text.split()) <= LEANING_WORDS
        replies = after_agent and one.hit.speaker == ASSISTANT != speakers.get(before, ASSISTANT)
        if one.hit.seq and (answers or replies):
            worth[place] = max(worth[place], round(PASSED_ON * worth[before], 4))
    return [one if one.hit.seq is None else _with(one, worth[_place(one.hit)]) for one in rated]


def _with(one: Rated, relevance: float) -> Rated:
    return one if one.relevance == relevance else replace(one, relevance=relevance)


def _place(hit: Hit) -> tuple[UUID | None, int]:
    return hit.session_id, hit.seq or 0
