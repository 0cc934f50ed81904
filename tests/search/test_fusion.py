"""One score out of many signals, each part of it visible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import fusion
from search.types import Candidate, Weights

WEIGHTS = Weights(content={"lexical": 0.5, "vector": 0.5})
values = st.floats(-5, 50, allow_nan=False)
signals = st.dictionaries(st.sampled_from(["lexical", "vector", "speaker"]), values)
rows = st.lists(st.tuples(signals, st.sampled_from(["a", "b", None]), st.integers(0, 9)), max_size=20)
candidate_lists = rows.map(
    lambda rows: [
        Candidate(number, row[0], row[1], row[2] if row[1] else None, row[2] if row[1] else None)
        for number, row in enumerate(rows)
    ]
)


def turn(seq: int, *, session: str = "monday", **signals: float) -> Candidate:
    """A message of a transcript; its id is its number."""
    return Candidate(seq, signals, session, seq, seq)


@given(candidate_lists)
def test_scores_stay_within_bounds_and_are_the_sum_of_their_parts(candidates: list[Candidate]) -> None:
    results = fusion.rank(candidates)

    assert sorted(result.candidate.id for result in results) == [candidate.id for candidate in candidates]
    for result in results:
        points = sum(part["points"] for part in result.explain().values())
        assert result.score == pytest.approx(points)
        assert -1e-9 <= result.score <= 1 + 1e-9


@given(candidate_lists)
def test_the_order_of_the_input_does_not_matter(candidates: list[Candidate]) -> None:
    forward = [result.candidate.id for result in fusion.rank(candidates)]

    backward = [result.candidate.id for result in fusion.rank(candidates[::-1])]

    assert forward == backward


def test_both_legs_count_and_the_best_of_both_wins() -> None:
    candidates = [
        Candidate(1, {"lexical": 8.0, "vector": 0.1}),
        Candidate(2, {"lexical": 6.0, "vector": 0.6}),
        Candidate(3, {"vector": 0.7}),
    ]

    results = fusion.fuse(candidates, WEIGHTS.content)

    assert [result.candidate.id for result in results] == [2, 1, 3]


def test_a_candidate_without_a_vector_yet_does_not_bend_the_scale() -> None:
    candidates = [
        Candidate(1, {"vector": 0.5}),
        Candidate(2, {"vector": 0.7}),
        Candidate(3, {"lexical": 3.0}),
    ]

    parts = {result.candidate.id: result.explain() for result in fusion.fuse(candidates, WEIGHTS.content)}

    assert [parts[number]["vector"]["scaled"] for number in (1, 2, 3)] == pytest.approx([0.0, 1.0, 0.0])


def test_the_answer_next_to_the_best_match_rises_above_a_stray_match() -> None:
    question, answer = turn(1, lexical=9.0, vector=0.9), turn(2, vector=0.2)
    stray = turn(8, session="friday", lexical=1.0, vector=0.25)
    least = turn(20, session="sunday", vector=0.1)

    ranked = fusion.rank([question, answer, stray, least])

    assert [result.candidate for result in ranked] == [question, answer, stray, least]
    assert ranked[1].explain()["neighbour"]["points"] > 0


def test_neighbours_pass_their_score_on_by_distance_and_within_the_session_alone() -> None:
    candidates = [turn(1), turn(2), turn(3), turn(4), Candidate(5, {}, "friday", 2, 2), Candidate(6, {})]

    passed = fusion.propagate_neighbours(candidates, [1.0, 0, 0, 0, 0, 0], (0.5, 0.3))

    assert passed == [0.0, 0.5, 0.3, 0.0, 0.0, 0.0]


def test_a_passage_of_several_messages_is_next_to_the_ones_before_and_after_it() -> None:
    passage = Candidate(1, {}, "monday", 5, 9)
    candidates = [passage, turn(4), turn(10), turn(7)]

    passed = fusion.propagate_neighbours(candidates, [1.0, 0.0, 0.0, 0.0], (0.5,))

    assert passed == [0.0, 0.5, 0.5, 0.0]


def test_memories_have_no_neighbours_and_no_session() -> None:
    memories = [Candidate(1, {"lexical": 2.0}), Candidate(2, {"lexical": 1.0})]

    results = fusion.rank(memories)

    assert [result.explain()["neighbour"]["points"] for result in results] == [0.0, 0.0]
    assert [result.explain()["session"]["points"] for result in results] == [0.0, 0.0]


def test_the_named_speaker_decides_between_equals() -> None:
    by_other, by_named = turn(1, lexical=1.0, speaker=0.0), turn(9, lexical=1.0, speaker=1.0)

    best = fusion.rank([by_other, by_named])[0]

    assert best.candidate == by_named


def test_weights_that_say_the_same_in_other_units_rank_and_score_the_same() -> None:
    candidates = [turn(1, lexical=1.0, vector=0.1, speaker=1.0), turn(2, lexical=3.0, vector=0.3)]
    small = Weights({"lexical": 0.5, "vector": 0.5}, {"speaker": 0.2}, (0.5,), 0.3)
    large = Weights({"lexical": 5.0, "vector": 5.0}, {"speaker": 2.0}, (0.5,), 0.3)

    scores = [[result.score for result in fusion.rank(candidates, weights)] for weights in (small, large)]

    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize("age_days, expected", [(0, 1.0), (14, 0.5), (28, 0.25), (-3, 1.0)])
def test_recency_halves_every_fortnight(age_days: float, expected: float) -> None:
    assert fusion.recency(age_days) == pytest.approx(expected)


@pytest.mark.parametrize(
    "query, expected",
    [
        ("What does Caroline’s mother do?", {"Caroline Weber"}),
        ("where did MELANIE camp", {"Melanie"}),
        ("Mel and Caro", set()),
        ("", set()),
    ],
)
def test_names_are_found_by_whole_words(query: str, expected: set[str]) -> None:
    assert fusion.find_mentioned(query, ["Caroline Weber", "Melanie"]) == expected
