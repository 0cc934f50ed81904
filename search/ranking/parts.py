"""What ranking knows of each message and memory: its own features, its place, and what the question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain
from typing import Any

import numpy as np

from search.questions.dates import Days, asks_when, closeness, find_days
from search.questions.intent import find_intents, suits
from search.questions.names import find_mentioned
from search.questions.speaker_roles import ASSISTANT, SPEAKERS, USER, find_shares
from search.ranking.fusion import (
    AGENT_TALK_WEIGHTS,
    COVERAGE_SHARES,
    TURN_WEIGHTS,
    Features,
    cover,
    rank,
    recency,
)
from search.ranking.merging import merge_chunks
from search.ranking.positions import Floats, Positions
from search.ranking.types import AGENTS, REPLIES, Ranked, Weights
from search.retrieval.candidates import FoundChunk

WEIGHTS: Mapping[str, Weights] = {
    "default": TURN_WEIGHTS,
    "dense": Weights(content={"vector": 1.0}),
    "lexical": Weights(content={"lexical": 1.0}),
}
FULL_LENGTH = 24  # words of a turn that has something to say; half as many again as the average one of LoCoMo
HIGHEST_IMPORTANCE = 3  # docs/design.md#memory-numbers
NAMED_DAY_HALF_LIFE_DAYS = 14.0  # after a day that the question names, while it is still being told of
EPOCH = date(1970, 1, 1).toordinal()
TYPE_OF_ENTITY = re.compile(r"^\w+:", re.MULTILINE)  # as in person:jane-doe


def rank_chunks(
    found: Sequence[FoundChunk], *, text: str, ranking: str
) -> Iterator[tuple[FoundChunk, Ranked]]:
    """Messages and memories best first, each by the chunk that shows best what it says: a long text is one result."""
    if not found:
        return
    weights = _weights(found, ranking)
    wholes = merge_chunks(found, weights)
    columns = _in_columns([whole.merged for whole in wholes])
    places = _places(columns)
    features = {
        **_features(columns, places, text),
        "opening": _measured([whole.opening for whole in wholes]),
    }
    for item in rank(places, features, weights):
        yield wholes[item.position].shown, item


def _weights(found: Sequence[FoundChunk], ranking: str) -> Weights:
    """Those of the ranking; a talk with an agent has some of its own."""
    if ranking == "default" and any(chunk.by_agent for chunk in found):
        return AGENT_TALK_WEIGHTS
    return WEIGHTS[ranking]


def _in_columns(found: Sequence[FoundChunk]) -> Any:
    """The same fields, each with the values of all: a few hundred candidates are ranked on every search."""
    return FoundChunk._make(zip(*found, strict=True))


def _places(columns: Any) -> Positions:
    """Numbers are quicker to tell apart than UUIDs are."""
    sessions = [None if session is None else session.int for session in columns.session_id]
    return Positions.of(columns.id, sessions, columns.seq_from, columns.seq_to, columns.asks, columns.length)


def _features(columns: Any, places: Positions, text: str) -> Features:
    """A memory is a statement with something to say: it was made for that."""
    shares = find_shares(text)
    return {
        "lexical": _measured(columns.lexical),
        "vector": _measured(columns.vector),
        "coverage": cover(places, _points(columns), COVERAGE_SHARES),
        "named": _named(columns, text, shares),
        "substance": substance(_measured(columns.length)),
        "statement": np.where(places.asks, 0.0, 1.0),
        "importance": np.array(columns.importance) / HIGHEST_IMPORTANCE,
        "recency": recency(np.array(columns.age_days)),
        **_wanted_signals(columns, text, shares),
    }


def _measured(values: Sequence[float | None]) -> Floats:
    """NaN for None."""
    return np.array(values, np.float64)


def _by_value(values: Sequence[Any], feature: Mapping[Any, float]) -> Floats:
    return np.array([feature[value] for value in values])


def _wanted_signals(columns: Any, text: str, shares: Mapping[str, float]) -> dict[str, Floats]:
    """What only some questions ask for: a time, a day, a memory of some kind, what the agent replied."""
    wanted: dict[str, Floats] = {}
    if any(columns.by_agent):
        wanted[AGENTS] = np.array(columns.by_agent, float)
        if shares[ASSISTANT] == 1.0:
            wanted[REPLIES] = wanted[AGENTS]
    if asks_when(text):
        wanted["time"] = np.array(columns.names_time, float)
    if days := find_days(text, today=datetime.now(UTC).date()):
        wanted["date"] = _by_value(columns.day, {day: _closeness(day, days) for day in set(columns.day)})
    if intents := find_intents(text):
        wanted["intent"] = _by_value(columns.kind, {kind: suits(intents, kind) for kind in set(columns.kind)})
    return wanted


def _closeness(day: int, days: Sequence[Days]) -> float:
    return closeness(date.fromordinal(EPOCH + day), days, half_life_days=NAMED_DAY_HALF_LIFE_DAYS)


def _points(columns: Any) -> Floats:
    """What each word of the question (a column) adds to each candidate's BM25 (a row)."""
    counts = [len(terms or ()) for terms in columns.terms]
    words = list(chain.from_iterable(terms for terms in columns.terms if terms))
    points = np.zeros((len(counts), max(words, default=0) + 1))
    points[np.repeat(np.arange(len(counts)), counts), words] = list(
        chain.from_iterable(own for own in columns.points if own)
    )
    return points


def _named(columns: Any, text: str, shares: Mapping[str, float]) -> Floats:
    """1 for speakers and entities that the question names; a half, if it names any, for what is of none.

    A memory without entities is about the person, and whether that is who was named is not known here; nor does
    a turn without a name tell. If the question names nobody, it is after what the person said, or the agent.
    """
    names = {about: TYPE_OF_ENTITY.sub("", about).replace("-", " ") for about in set(columns.about)}
    mentioned = find_mentioned(text, set(names.values()) - set(SPEAKERS.values()))
    if mentioned:
        unnamed = {"": 0.5, **{role: share / 2 for role, share in shares.items()}}
        named = {about: 1.0 if name in mentioned else 0.0 for about, name in names.items()} | unnamed
        return _by_value(columns.about, named)
    by_agent = np.array(columns.by_agent, bool)
    return np.where(by_agent, shares[ASSISTANT], shares[USER]) if by_agent.any() else np.zeros(len(by_agent))


def substance(lengths: Floats) -> Floats:
    """How much turns of so many words can have to say, 0..1; all there is to say where that is not known."""
    return np.minimum(np.nan_to_num(lengths, nan=FULL_LENGTH) / FULL_LENGTH, 1.0)
