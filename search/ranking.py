"""What ranking knows of each chunk that was found: its own signals, its place, and what the question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from uuid import UUID

from search.candidates import FoundChunk
from search.dates import Days, asks_when, closeness, find_days
from search.fusion import COVERAGE_SHARES, TURN_WEIGHTS, Signals, cover, rank, recency
from search.intent import find_intents, suits
from search.names import find_mentioned
from search.types import Place, Ranked, Weights

WEIGHTS: Mapping[str, Weights] = {
    "default": TURN_WEIGHTS,
    "dense": Weights(content={"vector": 1.0}),
    "lexical": Weights(content={"lexical": 1.0}),
}
FULL_LENGTH = 24  # words of a turn that has something to say; half as many again as the average one of LoCoMo
HIGHEST_IMPORTANCE = 3  # seed 002
TOLD_HALF_LIFE_DAYS = 14.0  # after a day that the question names, while it is still being told of
EPOCH = date(1970, 1, 1).toordinal()
TYPE_OF_ENTITY = re.compile(r"^\w+:", re.MULTILINE)  # as in person:jane-doe


def rank_chunks(
    found: Sequence[FoundChunk], *, text: str, ranking: str
) -> Iterator[tuple[FoundChunk, Ranked]]:
    """Chunks best first; of each memory and of each message only the best: a long text is one result."""
    seen: set[tuple[UUID | None, int | None]] = set()
    places = _places(found)
    for item in rank(places, _signals(found, places, text), WEIGHTS[ranking]):
        chunk = found[item.position]
        about = (chunk.memory_id or chunk.session_id, chunk.seq_from)
        if about not in seen:
            seen.add(about)
            yield chunk, item


def _places(found: Sequence[FoundChunk]) -> list[Place]:
    """A turn stands in its session; small numbers are quicker to look up by than UUIDs."""
    numbers: dict[UUID, int] = {}
    return [
        Place(
            chunk.id,
            None if chunk.session_id is None else numbers.setdefault(chunk.session_id, len(numbers)),
            chunk.seq_from,
            chunk.seq_to,
            chunk.asks,
        )
        for chunk in found
    ]


def _signals(found: Sequence[FoundChunk], places: Sequence[Place], text: str) -> Signals:
    """A memory is a statement with something to say: it was made for that."""
    named = _named(found, text)
    return {
        "lexical": [chunk.lexical for chunk in found],
        "vector": [chunk.vector for chunk in found],
        "coverage": cover(places, [_points(chunk) for chunk in found], COVERAGE_SHARES),
        "named": [named[chunk.about] for chunk in found],
        "substance": [1.0 if chunk.length is None else substance(chunk.length) for chunk in found],
        "statement": [0.0 if chunk.asks else 1.0 for chunk in found],
        "importance": [chunk.importance / HIGHEST_IMPORTANCE for chunk in found],
        "recency": [recency(chunk.age_days) for chunk in found],
        **_wanted_signals(found, text),
    }


def _wanted_signals(found: Sequence[FoundChunk], text: str) -> dict[str, list[float | None]]:
    """What only some questions ask for: a time, a day, a memory of some kind."""
    wanted: dict[str, list[float | None]] = {}
    if asks_when(text):
        wanted["time"] = [float(chunk.names_time) for chunk in found]
    if days := find_days(text, today=datetime.now(UTC).date()):
        wanted["date"] = [_closeness(chunk.day, tuple(days)) for chunk in found]
    if intents := find_intents(text):
        wanted["intent"] = [suits(intents, chunk.kind) for chunk in found]
    return wanted


@lru_cache(maxsize=4096)
def _closeness(day: int, days: tuple[Days, ...]) -> float:
    return closeness(date.fromordinal(EPOCH + day), days, half_life_days=TOLD_HALF_LIFE_DAYS)


def _points(chunk: FoundChunk) -> dict[int, float]:
    return dict(zip(chunk.terms or (), chunk.points or (), strict=True))


def _named(found: Sequence[FoundChunk], text: str) -> dict[str, float]:
    """1 for speakers and entities that the question names; a half, if it names any, for what is of none.

    A memory without entities is about the person, and whether that is who was named is not known here.
    """
    names = {chunk.about: TYPE_OF_ENTITY.sub("", chunk.about).replace("-", " ") for chunk in found}
    mentioned = find_mentioned(text, names.values())
    named = {about: 1.0 if name in mentioned else 0.0 for about, name in names.items()}
    return named | {"": 0.5 if mentioned else 0.0}


def substance(length: int) -> float:
    """How much a turn of so many words can have to say, 0..1."""
    return length / FULL_LENGTH if length < FULL_LENGTH else 1.0
