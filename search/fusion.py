"""Merging what words, vectors and the situation say about a candidate into one score."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from search.types import Column, Place, Ranked, Weights

TURN_WEIGHTS = Weights(
    content={"lexical": 0.35, "vector": 0.55},
    situation={
        "coverage": 0.6,
        "named": 0.3,
        "substance": 0.2,
        "statement": 0.1,
        "time": 0.3,
        "date": 0.3,
        "intent": 0.15,
        "importance": 0.1,
        "recency": 0.1,
    },
    neighbours=(0.6, 0.45),
    answer=0.3,
    alone=0.45,
    session=0.5,
)
COVERAGE_SHARES = (0.8, 0.6)  # of a word that stands one message away, and two
RECENCY_HALF_LIFE_DAYS = 14.0  # seed 002, blended ranking

FROM_NOUGHT = {"lexical"}  # scaled from 0 to the greatest; other content from the least to the greatest
SEQ_ROOM = 1 << 32  # numbers of messages, so that session and number make one number
BEST_OF_SESSION = SEQ_ROOM - 1  # no message's number

Signals: TypeAlias = Mapping[str, Sequence[float | None]]
Points: TypeAlias = Mapping[int, float]


def rank(places: Sequence[Place], signals: Signals, weights: Weights = TURN_WEIGHTS) -> list[Ranked]:
    """Candidates best first: content fused, then what neighbours and session pass on, then the situation.

    Every signal has a value for each place: None where content was not measured (no vector yet, no word in
    common), which counts as the least; situation is within 0..1. A signal of the situation that is missing says
    nothing here, and its weight doesn't count. Among equals the lower id comes first. Pure: the same input
    gives the same order.
    """
    weights = weights.of(signals)
    total = weights.total
    content = [
        _content_column(name, signals[name], weight / total) for name, weight in weights.content.items()
    ]
    context = _context_columns(places, _sum_points(content, len(places)), weights)
    situation = [
        _situation_column(name, signals[name], weight / total) for name, weight in weights.situation.items()
    ]
    columns = (*content, *context, *situation)
    scores = _sum_points(columns, len(places))
    order = sorted(range(len(places)), key=lambda position: (-scores[position], places[position].id))
    return [Ranked(position, scores[position], columns) for position in order]


def propagate_neighbours(
    places: Sequence[Place], scores: Sequence[float], shares: Sequence[float], alone: float = 0.0
) -> list[float]:
    """What the best neighbour in the same session passes on to each candidate.

    `shares[0]` is the share of the message next to it on either side, `shares[1]` of the one after that. A
    candidate that stands in no session gets `alone` of its own: it says by itself what a turn says together with
    those beside it.
    """
    ending = _best_at([(place.session, place.seq_to) for place in places], scores)
    beginning = _best_at([(place.session, place.seq_from) for place in places], scores)
    gaps = list(enumerate(shares, start=1))
    return [
        alone * own
        if place.session is None or place.seq_from is None or place.seq_to is None
        else max(
            [share * ending.get(place.session * SEQ_ROOM + place.seq_from - gap, 0.0) for gap, share in gaps]
            + [
                share * beginning.get(place.session * SEQ_ROOM + place.seq_to + gap, 0.0)
                for gap, share in gaps
            ]
        )
        for place, own in zip(places, scores, strict=True)
    ]


def propagate_sessions(places: Sequence[Place], scores: Sequence[float]) -> list[float]:
    """The best score in each candidate's session; its own outside of sessions."""
    best = _best_at([(place.session, BEST_OF_SESSION) for place in places], scores)
    return [
        own if place.session is None else best.get(place.session * SEQ_ROOM + BEST_OF_SESSION, 0.0)
        for place, own in zip(places, scores, strict=True)
    ]


def propagate_answers(places: Sequence[Place], scores: Sequence[float]) -> list[float]:
    """What a question passes on to the message right after it, which is where its answer stands."""
    asked = _best_at([(place.session if place.asks else None, place.seq_to) for place in places], scores)
    return [
        0.0
        if place.session is None or place.seq_from is None
        else asked.get(place.session * SEQ_ROOM + place.seq_from - 1, 0.0)
        for place in places
    ]


def cover(places: Sequence[Place], points: Sequence[Points], shares: Sequence[float]) -> list[float]:
    """How much of the question a message and those beside it hold together, 0..1 of the best here.

    `points` are BM25's, by word of the question. Each word counts once, where it counts most: in the message,
    or at a share of it one or two messages away. So an answer is found whose question had the words.
    """
    at: dict[int, dict[int, float]] = {}
    for place, own in zip(places, points, strict=True):
        if own and place.session is not None and place.seq_from is not None:
            _raise_to(at.setdefault(place.session * SEQ_ROOM + place.seq_from, {}), own, 1.0)
    covered = [_covered(place, own, at, shares) for place, own in zip(places, points, strict=True)]
    most = max(covered, default=0.0)
    return [value / most for value in covered] if most else covered


def _covered(place: Place, own: Points, at: Mapping[int, Points], shares: Sequence[float]) -> float:
    _, session, seq_from, seq_to, _ = place
    if session is None or seq_from is None or seq_to is None:
        return sum(own.values())
    best = dict(own)
    before, after = session * SEQ_ROOM + seq_from, session * SEQ_ROOM + seq_to
    for gap, share in enumerate(shares, start=1):
        if beside := at.get(before - gap):
            _raise_to(best, beside, share)
        if beside := at.get(after + gap):
            _raise_to(best, beside, share)
    return sum(best.values())


def _raise_to(best: dict[int, float], points: Points, share: float) -> None:
    for word, value in points.items():
        if value * share > best.get(word, 0.0):
            best[word] = value * share


def recency(age_days: float, *, half_life_days: float = RECENCY_HALF_LIFE_DAYS) -> float:
    """1 for now (and for the future), a half after each half-life."""
    return math.exp2(-max(age_days, 0.0) / half_life_days)


def _sum_points(columns: Iterable[Column], length: int) -> list[float]:
    """Column by column: a few hundred candidates are ranked on every search."""
    sums = [0.0] * length
    for column in columns:
        weight = column.weight
        sums = [so_far + weight * scaled for so_far, scaled in zip(sums, column.scaled, strict=True)]
    return sums


def _content_column(signal: str, raw: Sequence[float | None], weight: float) -> Column:
    """Scaled over those that have the signal; the others get nothing and don't bend the scale.

    All that are equal get 1.
    """
    measured = [value for value in raw if value is not None]
    high = max(measured, default=0.0)
    low = 0.0 if signal in FROM_NOUGHT else min(measured, default=0.0)
    if high > low:
        span = high - low
        return Column(signal, raw, [0.0 if value is None else (value - low) / span for value in raw], weight)
    equal = 0.0 if signal in FROM_NOUGHT else 1.0
    return Column(signal, raw, [0.0 if value is None else equal for value in raw], weight)


def _situation_column(signal: str, raw: Sequence[float | None], weight: float) -> Column:
    return Column(signal, raw, [value or 0.0 for value in raw], weight)


def _context_columns(places: Sequence[Place], own: Sequence[float], weights: Weights) -> Iterator[Column]:
    """What neighbours pass on has their share taken already, so it counts whole."""
    if weights.neighbours:
        near = propagate_neighbours(places, own, weights.neighbours, weights.alone)
        yield Column("neighbour", near, near, 1.0)
    if weights.answer:
        answers = propagate_answers(places, own)
        yield Column("answer", answers, answers, weights.answer)
    if weights.session:
        best = propagate_sessions(places, own)
        yield Column("session", best, best, weights.session)


def _best_at(where: Iterable[tuple[int | None, int | None]], scores: Sequence[float]) -> dict[int, float]:
    """The best score at each number of a session; those that stand in none are left out."""
    best: dict[int, float] = {}
    for (session, seq), score in zip(where, scores, strict=True):
        if session is not None and seq is not None:
            place = session * SEQ_ROOM + seq
            if score > best.get(place, 0.0):
                best[place] = score
    return best
