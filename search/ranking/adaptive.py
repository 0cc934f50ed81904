"""`ranking=adaptive`: hybrid search by an older formula, kept for comparison (docs/search.md#rankings).

All words must stand in a text; the text's score is 1 / (1 + BM25), so among texts that hold every word the
weaker match counts more; a transcript's is dampened; text and vector scores are added as they are. The
default ranking measures better (docs/search.md); this one stays for comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import numpy as np

from nebo.postgres.prepared import fetch_rows
from nebo.postgres.sql_files import read_statement
from search.questions.names import WORD
from search.ranking.types import Column, Ranked
from search.retrieval.candidates import CandidateQuery, FoundChunk

OVER_FETCH = 8  # candidates a result asked for
MIN_SCORE = 0.3  # results below it are dropped
PATTERN_SCORE = 0.5  # of a text that holds the question as it is written
SESSION_DAMPENING = 0.6  # of a transcript's text score beside a memory's

# Vector and text weight by the form of the question.
SHORT_WITH_NAME = (0.35, 0.65)
SHORT_GENERIC = (0.45, 0.55)
MEDIUM = (0.70, 0.30)
LONG = (0.80, 0.20)
SHORT_WORDS = 3  # at most
MEDIUM_WORDS = 5  # at most

FIND_MATCHES = read_statement("search", "adaptive")


class Match(NamedTuple):
    """A chunk with its raw scores: `bm25` ≥ 0 from full text, `vector` a cosine; None where it was not found so."""

    id: int
    memory_id: UUID | None
    session_id: UUID | None
    seq_from: int | None
    seq_to: int | None
    speaker: str
    namespace: str | None
    key: str | None
    bm25: float | None
    has_pattern: bool
    vector: float | None

    @property
    def address(self) -> object:
        """What is merged into one result: an address of memories, or a message."""
        return (self.namespace, self.key) if self.memory_id else (self.session_id, self.seq_from)

    @property
    def text_score(self) -> float:
        """0..1."""
        if self.bm25 is not None:
            return normalize_rank(-self.bm25) * (1.0 if self.memory_id else SESSION_DAMPENING)
        return PATTERN_SCORE if self.has_pattern else 0.0


def rank_adaptive(query: CandidateQuery) -> Iterator[tuple[FoundChunk, Ranked]]:
    """Search and rank; best first. Without a vector the text's score stands alone."""
    matches = [Match._make(row) for row in fetch_rows(FIND_MATCHES, _parameters(query))]
    weights = adaptive_weights(query.text) if query.vector is not None else (0.0, 1.0)
    return _rank([merge(group) for group in _group(matches)], weights)


def adaptive_weights(question: str) -> tuple[float, float]:
    """Vector and text weight by the number of words, and of short questions by whether they name something."""
    words = WORD.findall(question)
    if len(words) <= SHORT_WORDS:
        return SHORT_WITH_NAME if any(word[0].isupper() for word in words) else SHORT_GENERIC
    return MEDIUM if len(words) <= MEDIUM_WORDS else LONG


def normalize_rank(rank: float) -> float:
    """A BM25 rank, of which the lowest is the best, as a share of one."""
    return 1.0 / (1.0 + rank) if rank >= 0 else 1.0 / (1.0 - rank)


def merge(group: Sequence[Match]) -> tuple[FoundChunk, float, float]:
    """One result of the chunks at one address: the best text score, the best vector score, and what to cite.

    The chunk nearest to the question is cited, or the best by its words where none has a vector.
    """
    cited = max(group, key=lambda match: (match.vector is not None, match.vector or 0.0, match.text_score))
    text = max(match.text_score for match in group)
    chunk = FoundChunk(
        id=cited.id,
        memory_id=cited.memory_id,
        session_id=None if cited.memory_id else cited.session_id,
        seq_from=cited.seq_from,
        seq_to=cited.seq_to,
        about=cited.speaker,
        age_days=0.0,
        importance=1,
        length=None,
        asks=False,
        lexical=text or None,
        vector=cited.vector,
    )
    return chunk, text, cited.vector or 0.0


def _rank(
    merged: Sequence[tuple[FoundChunk, float, float]], weights: tuple[float, float]
) -> Iterator[tuple[FoundChunk, Ranked]]:
    texts, vectors = [text for _, text, _ in merged], [vector for _, _, vector in merged]
    columns = tuple(
        Column(feature, np.array(raw), np.array(raw), weight)
        for feature, raw, weight in (("vector", vectors, weights[0]), ("text", texts, weights[1]))
    )
    ranked = [
        (chunk, Ranked(position, weights[0] * vector + weights[1] * text, columns))
        for position, (chunk, text, vector) in enumerate(merged)
    ]
    return iter(sorted(ranked, key=lambda pair: (-pair[1].score, pair[0].id)))


def _group(matches: Iterable[Match]) -> list[list[Match]]:
    groups: dict[object, list[Match]] = {}
    for match in matches:
        groups.setdefault(match.address, []).append(match)
    return list(groups.values())


def _parameters(query: CandidateQuery) -> dict[str, object]:
    escaped = query.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return {**query.parameters, "pattern": f"%{escaped}%"}
