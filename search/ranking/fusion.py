"""Merging what words, vectors and the situation say about a candidate into one score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from search.ranking.positions import Floats, MaxAtPosition, Positions
from search.ranking.types import AGENTS, REPLIES, Column, Ranked, Weights

TURN_WEIGHTS = Weights(
    content={"lexical": 0.25, "vector": 0.35, "opening": 0.15},
    situation={
        "coverage": 0.4,
        "named": 0.4,
        "substance": 0.25,
        "statement": 0.05,
        "time": 0.2,
        "date": 0.35,
        "intent": 0.15,
        "importance": 0.1,
        "recency": 0.1,
    },
    neighbours=(0.7, 0.5),
    answer=0.3,
    alone=0.45,
    session=0.55,
)
# Where an agent takes part, the message before or after is the other's and tells less; how a long answer begins, more.
AGENT_TALK_WEIGHTS = replace(
    TURN_WEIGHTS,
    content={"lexical": 0.35, "vector": 0.4, "opening": 0.25},
    situation={**TURN_WEIGHTS.situation, "coverage": 0.3, "substance": 0.3},
    neighbours=(0.4, 0.45),
    answer=0.15,
    reply=0.4,
    session=0.25,
    follows=0.25,
)
NEARLY_BEST = 0.03  # of the best score: what is that much below it counts for nothing
COVERAGE_SHARES = (0.8, 0.6)  # of a word that stands one message away, and two
RECENCY_HALF_LIFE_DAYS = 14.0  # docs/design.md#search-numbers

FROM_NOUGHT = {"lexical"}  # scaled from 0 to the greatest; other content from the least to the greatest

Features: TypeAlias = Mapping[str, Floats]


def rank(places: Positions, features: Features, weights: Weights = TURN_WEIGHTS) -> Iterator[Ranked]:
    """Candidates best first: content fused, then what neighbours and session pass on, then the situation.

    Every feature has a value for each place: NaN where content was not measured (no vector yet, no word in
    common), which counts as the least; situation is within 0..1. A feature of the situation that is missing says
    nothing here, and its weight doesn't count. Among equals the lower id comes first. Pure: the same input
    gives the same order.
    """
    weights = weights.of(features)
    total = weights.total
    content = [
        _content_column(name, features[name], weight / total) for name, weight in weights.content.items()
    ]
    context = _context_columns(places, _sum_points(content, len(places)), weights, features.get(REPLIES))
    situation = [
        Column(name, features[name], features[name], weight / total)
        for name, weight in weights.situation.items()
    ]
    columns = [*content, *context, *situation]
    scores = _sum_points(columns, len(places))
    if weights.follows:
        follows = propagate_best(places, scores, features[AGENTS])
        columns.append(Column("follows", follows, follows, weights.follows / total))
        scores = _sum_points(columns, len(places))
    order = np.lexsort((places.ids, -scores))
    return (
        Ranked(position, score, columns)
        for position, score in zip(order.tolist(), scores[order].tolist(), strict=True)
    )


def propagate_neighbours(
    places: Positions, scores: Floats, shares: Sequence[float], alone: float = 0.0
) -> Floats:
    """What the best neighbour in the same session passes on to each candidate, as far as it depends on others.

    `shares[0]` is the share of the messages next to it, `shares[1]` of those two away. A candidate outside a session
    gets `alone` of its own score: it says by itself what a turn says together with its neighbours.
    """
    ending, beginning = MaxAtPosition(places.last, scores), MaxAtPosition(places.first, scores)
    passed = np.zeros(len(places))
    for gap, share in enumerate(shares, start=1):
        beside = np.maximum(ending.at(places.first - gap), beginning.at(places.last + gap))
        passed = np.maximum(passed, share * beside)
    return np.where(places.somewhere, places.leaning * passed, alone * scores)


def propagate_sessions(places: Positions, scores: Floats) -> Floats:
    """The best score in each candidate's session; its own outside of sessions."""
    best = MaxAtPosition(places.sessions, scores).at(places.sessions)
    return np.where(places.somewhere, best, scores)


def propagate_answers(places: Positions, scores: Floats) -> Floats:
    """What a question passes on to the message right after it, which is where its answer stands."""
    asked = MaxAtPosition(places.last[places.asks], scores[places.asks])
    return np.where(places.somewhere, places.leaning * asked.at(places.first - 1), 0.0)


def propagate_replies(places: Positions, scores: Floats, by_agent: Floats) -> Floats:
    """What the person's message passes on to the agent's after it: a long answer may say the words in its own way."""
    agent = by_agent > 0
    asked = MaxAtPosition(places.last[~agent], scores[~agent])
    return np.where(agent, asked.at(places.first - 1), 0.0)


def propagate_best(places: Positions, scores: Floats, by_agent: Floats) -> Floats:
    """1 for the agent's reply to the best of all, less for one to what is nearly as good."""
    agent, best = by_agent > 0, scores.max(initial=0.0)
    if best <= 0.0:
        return np.zeros(len(places))
    nearness = np.maximum(0.0, 1.0 - (1.0 - scores / best) / NEARLY_BEST)
    answered = MaxAtPosition(places.last[~agent], nearness[~agent])
    return np.where(agent, answered.at(places.first - 1), 0.0)


def cover(places: Positions, points: Floats, shares: Sequence[float]) -> Floats:
    """How much of the question a message and its neighbours hold together, 0..1 of the best here.

    `points` (candidates, words of the question) are BM25's. Each word counts once, where it counts most: in the
    message, or at a share of it one or two messages away. So an answer is found if its question had the words. A
    long message depends less on its neighbours.
    """
    near = MaxAtPosition(places.first, points)
    best = points
    leaning = np.where(places.somewhere, places.leaning, 0.0)[:, None]
    for gap, share in enumerate(shares, start=1):
        beside = np.maximum(near.at(places.first - gap), near.at(places.last + gap))
        best = np.maximum(best, share * leaning * beside)
    covered: Floats = best.sum(axis=1)
    most = covered.max(initial=0.0)
    return covered / most if most else covered


def recency(age_days: Floats, *, half_life_days: float = RECENCY_HALF_LIFE_DAYS) -> Floats:
    """1 for now (and for the future), a half after each half-life."""
    halved: Floats = np.exp2(-np.maximum(age_days, 0.0) / half_life_days)
    return halved


def _sum_points(columns: Iterable[Column], length: int) -> Floats:
    sums = np.zeros(length)
    for column in columns:
        sums += column.weight * column.scaled
    return sums


def _content_column(feature: str, raw: Floats, weight: float) -> Column:
    """Scaled over those that have the feature; the others get nothing and don't bend the scale.

    All that are equal get 1.
    """
    measured = raw[~np.isnan(raw)]
    if not len(measured):
        return Column(feature, raw, np.zeros(len(raw)), weight)
    low, high = 0.0 if feature in FROM_NOUGHT else measured.min(), measured.max()
    if high > low:
        return Column(feature, raw, np.nan_to_num((raw - low) / (high - low)), weight)
    equal = 0.0 if feature in FROM_NOUGHT else 1.0
    return Column(feature, raw, np.where(np.isnan(raw), 0.0, equal), weight)


def _context_columns(
    places: Positions, own: Floats, weights: Weights, by_agent: Floats | None
) -> Iterator[Column]:
    """What neighbours pass on has their share taken already, so it counts whole."""
    if weights.neighbours:
        near = propagate_neighbours(places, own, weights.neighbours, weights.alone)
        yield Column("neighbour", near, near, 1.0)
    if weights.answer:
        answers = propagate_answers(places, own)
        yield Column("answer", answers, answers, weights.answer)
    if weights.reply and by_agent is not None:
        replies = propagate_replies(places, own, by_agent)
        yield Column("reply", replies, replies, weights.reply)
    if weights.session:
        best = propagate_sessions(places, own)
        yield Column("session", best, best, weights.session)
