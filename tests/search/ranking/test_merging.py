"""What was found of one message counts together, and one passage of it is shown."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from search.ranking.merging import merge_chunks
from search.ranking.parts import rank_chunks
from search.ranking.types import Weights
from search.retrieval.candidates import FoundChunk

WEIGHTS = Weights(content={"lexical": 0.5, "vector": 0.5})
SESSION = UUID(int=7)


def found(id: int, *, seq: int = 1, **fields: Any) -> FoundChunk:
    """A chunk of a message of the session."""
    values: dict[str, Any] = {"lexical": None, "vector": None, "length": 30, **fields}
    return FoundChunk(id, None, SESSION, seq, seq, "Assistant", 0.0, 1, asks=False, **values)


def memory(id: int, number: int, **fields: Any) -> FoundChunk:
    return found(id)._replace(
        memory_id=UUID(int=number), session_id=None, seq_from=None, seq_to=None, **fields
    )


def test_chunks_of_a_message_or_a_memory_are_one_candidate() -> None:
    chunks = [found(1), found(2), found(3, seq=2), memory(4, 1), memory(5, 1), memory(6, 2)]

    wholes = merge_chunks(chunks, WEIGHTS)

    assert [whole.merged.id for whole in wholes] == [1, 3, 4, 6]


def test_a_whole_has_the_most_that_any_of_its_chunks_has() -> None:
    chunks = [
        found(1, lexical=2.0, vector=0.1, length=200),
        found(2, lexical=3.0, vector=None, names_time=True),
        found(3, lexical=None, vector=0.4)._replace(asks=True),
    ]

    (whole,) = merge_chunks(chunks, WEIGHTS)

    merged = whole.merged
    assert (merged.lexical, merged.vector, merged.length) == (3.0, 0.4, 200)
    assert merged.names_time
    assert merged.asks  # as its last chunk does


def test_each_word_counts_where_the_message_says_it_best() -> None:
    chunks = [
        found(1, lexical=3.0, terms=[1, 2], points=[2.0, 1.0]),
        found(2, lexical=1.5, terms=[2], points=[1.5]),
        found(3),
    ]

    (whole,) = merge_chunks(chunks, WEIGHTS)

    assert dict(zip(whole.merged.terms or (), whole.merged.points or (), strict=True)) == {1: 2.0, 2: 1.5}


def test_the_opening_is_the_first_chunk_whatever_was_found_first() -> None:
    (whole,) = merge_chunks([found(9, vector=0.8), found(8, vector=0.3)], WEIGHTS)

    assert whole.opening == 0.3
    assert whole.shown.id == 9


@pytest.mark.parametrize("ranking, expected", [("default", 2), ("lexical", 2), ("dense", 1)])
def test_the_passage_that_a_ranking_goes_by_is_shown(ranking: str, expected: int) -> None:
    chunks = [found(1, lexical=1.0, vector=0.5), found(2, lexical=9.0, vector=0.4)]

    ((shown, _),) = rank_chunks(chunks, text="anything", ranking=ranking)

    assert shown.id == expected


def test_a_long_answer_takes_one_place_and_is_found_by_words_of_two_of_its_passages() -> None:
    """Neither passage alone has as many of the words as the short message."""
    long = [
        found(1, vector=0.4, lexical=4.0, terms=[1, 2], points=[2.0, 2.0]),
        found(2, vector=0.4, lexical=4.0, terms=[3, 4], points=[2.0, 2.0]),
    ]
    short = found(3, seq=9, vector=0.4, lexical=4.0, terms=[1, 2], points=[2.0, 2.0])

    ranked = list(rank_chunks([short, *long], text="anything", ranking="default"))

    assert [item.explain()["coverage"]["raw"] for _, item in ranked] == [1.0, 0.5]
    assert [chunk.seq_from for chunk, _ in ranked] == [1, 9]


def test_how_a_message_begins_is_one_part_of_its_score() -> None:
    about, aside = found(1, vector=0.6), found(2, vector=0.1)
    other = [found(3, seq=9, vector=0.1), found(4, seq=9, vector=0.6)]

    ranked = list(rank_chunks([about, aside, *other], text="anything", ranking="default"))

    assert [item.explain()["opening"]["scaled"] for _, item in ranked] == [1.0, 0.0]
    assert [chunk.seq_from for chunk, _ in ranked] == [1, 9]


def test_a_talk_with_an_agent_has_weights_of_its_own() -> None:
    """What stands next to the best match is another's there."""
    lines = [found(1, lexical=5.0, vector=0.6), found(2, seq=2, vector=0.1), found(3, seq=9, vector=0.1)]
    with_agent = [lines[0], lines[1]._replace(by_agent=True), lines[2]]

    among_friends, with_an_agent = (
        {chunk.seq_from: item.explain() for chunk, item in rank_chunks(chunks, text="x", ranking="default")}
        for chunks in (lines, with_agent)
    )

    assert among_friends[2]["neighbour"]["raw"] > with_an_agent[2]["neighbour"]["raw"] > 0
    assert among_friends[1]["opening"]["weight"] < with_an_agent[1]["opening"]["weight"]
