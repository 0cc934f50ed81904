"""One score out of many features, each part of it visible."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.questions import names
from search.ranking import fusion
from search.ranking.positions import Positions
from search.ranking.types import Ranked, Weights

CONTENT = ("lexical", "vector")
WEIGHTS = Weights(content={"lexical": 0.5, "vector": 0.5})
TURNS = Weights(
    content={"lexical": 0.45, "vector": 0.55},
    situation={"named": 0.2},
    neighbours=(0.6, 0.45),
    alone=0.45,
    session=0.3,
)

cosines = st.none() | st.floats(-1, 1)
scores = st.none() | st.floats(0, 50)
shares = st.floats(0, 1)
rows = st.lists(
    st.tuples(scores, cosines, shares, st.sampled_from([0, 1, None]), st.integers(0, 9)), max_size=20
)


class Place(NamedTuple):
    """A turn in its session, from message to message; a memory nowhere."""

    id: int
    session: int | None = None
    seq_from: int | None = None
    seq_to: int | None = None
    asks: bool = False
    length: int | None = None


Row = tuple[Place, dict[str, float]]


def as_places(places: Iterable[Place]) -> Positions:
    rows = list(places)
    return Positions.of(*([row[column] for row in rows] for column in range(6)))


def turn(seq: int, *, session: int = 1, **features: float) -> Row:
    """A message of a transcript; its id is its number."""
    return Place(seq, session, seq, seq), features


def memory(id: int, **features: float) -> Row:
    return Place(id), features


def ranked(rows: list[Row], weights: Weights = TURNS) -> list[tuple[Place, Ranked]]:
    names = {*CONTENT, *weights.situation}
    features = {
        name: np.array([values.get(name, np.nan if name in CONTENT else 0.0) for _, values in rows])
        for name in names
    }
    places = [place for place, _ in rows]
    return [(places[item.position], item) for item in fusion.rank(as_places(places), features, weights)]


def ids(rows: list[Row], weights: Weights = TURNS) -> list[int]:
    return [place.id for place, _ in ranked(rows, weights)]


def drawn(rows: list[tuple[float | None, float | None, float, int | None, int]]) -> list[Row]:
    return [
        (
            Place(
                number, session, seq if session is not None else None, seq if session is not None else None
            ),
            {
                name: value
                for name, value in (("lexical", lexical), ("vector", vector), ("named", named))
                if value is not None
            },
        )
        for number, (lexical, vector, named, session, seq) in enumerate(rows)
    ]


@given(rows)
def test_scores_stay_within_bounds_and_are_the_sum_of_their_parts(rows: list) -> None:
    results = ranked(drawn(rows))

    assert sorted(place.id for place, _ in results) == list(range(len(rows)))
    for _, result in results:
        points = sum(part["points"] for part in result.explain().values())
        assert result.score == pytest.approx(points)
        assert -1e-9 <= result.score <= 1 + 1e-9


@given(rows)
def test_the_order_of_the_input_does_not_matter(rows: list) -> None:
    forward = ids(drawn(rows))

    backward = ids(drawn(rows)[::-1])

    assert forward == backward


def test_both_legs_count_and_the_best_of_both_wins() -> None:
    rows = [memory(1, lexical=8.0, vector=0.1), memory(2, lexical=6.0, vector=0.6), memory(3, vector=0.7)]

    assert ids(rows, WEIGHTS) == [2, 1, 3]


def test_a_candidate_without_a_vector_yet_does_not_bend_the_scale() -> None:
    rows = [memory(1, vector=0.5), memory(2, vector=0.7), memory(3, lexical=3.0)]

    parts = {place.id: item.explain() for place, item in ranked(rows, WEIGHTS)}

    assert [parts[number]["vector"]["scaled"] for number in (1, 2, 3)] == pytest.approx([0.0, 1.0, 0.0])


def test_candidates_that_are_equal_all_count_in_full() -> None:
    results = ranked([memory(1, vector=0.3), memory(2, vector=0.3)], WEIGHTS)

    assert [item.explain()["vector"]["scaled"] for _, item in results] == [1.0, 1.0]


def test_the_answer_next_to_the_best_match_rises_above_a_stray_match() -> None:
    question, answer = turn(1, lexical=9.0, vector=0.9), turn(2, vector=0.2)
    stray = turn(8, session=2, lexical=1.0, vector=0.25)
    least = turn(20, session=3, vector=0.1)

    results = ranked([question, answer, stray, least])

    assert [place.id for place, _ in results] == [1, 2, 8, 20]
    assert results[1][1].explain()["neighbour"]["points"] > 0


def test_neighbours_pass_their_score_on_by_distance_and_within_the_session_alone() -> None:
    places = [*(Place(seq, 1, seq, seq) for seq in (1, 2, 3, 4)), Place(5, 2, 2, 2), Place(6)]

    passed = fusion.propagate_neighbours(as_places(places), np.array([1.0, 0, 0, 0, 0, 0]), (0.5, 0.3))

    assert passed.tolist() == [0.0, 0.5, 0.3, 0.0, 0.0, 0.0]


def test_a_passage_of_several_messages_is_next_to_the_ones_before_and_after_it() -> None:
    places = [Place(1, 1, 5, 9), *(Place(seq, 1, seq, seq) for seq in (4, 10, 7))]

    passed = fusion.propagate_neighbours(as_places(places), np.array([1.0, 0.0, 0.0, 0.0]), (0.5,))

    assert passed.tolist() == [0.0, 0.5, 0.5, 0.0]


def test_the_best_of_a_session_lifts_the_whole_of_it() -> None:
    places = [Place(1, 1, 1, 1), Place(2, 1, 30, 30), Place(3, 2, 1, 1), Place(4)]

    best = fusion.propagate_sessions(as_places(places), np.array([0.9, 0.1, 0.2, 0.4]))

    assert best.tolist() == [0.9, 0.9, 0.2, 0.4]


def test_a_memory_stands_in_for_the_neighbours_it_does_not_have() -> None:
    rows = [memory(1, lexical=2.0, vector=0.8), memory(2, lexical=1.0, vector=0.2)]

    best, least = (item.explain() for _, item in ranked(rows))

    assert best["neighbour"]["points"] > 0
    assert best["session"]["points"] > 0
    assert least["neighbour"]["points"] < best["neighbour"]["points"]


def test_a_memory_that_fits_best_is_not_buried_under_turns_that_lift_each_other() -> None:
    fitting = memory(100, lexical=10.0, vector=0.8)
    turns = [turn(seq, lexical=6.0, vector=0.55) for seq in range(1, 30)]

    assert ids([*turns, fitting])[0] == 100


def test_a_turn_that_fits_best_is_not_buried_under_memories() -> None:
    fitting = turn(1, lexical=10.0, vector=0.8)
    beside = [turn(seq, lexical=1.0, vector=0.4) for seq in (0, 2)]
    memories = [memory(number, lexical=6.0, vector=0.55) for number in range(100, 130)]

    assert ids([*memories, *beside, fitting])[0] == 1


def test_a_question_passes_its_score_on_to_the_next_message_alone() -> None:
    places = [Place(seq, 1, seq, seq, asks=seq == 2) for seq in (1, 2, 3, 4)]
    elsewhere = Place(5, 2, 3, 3)

    scores = np.array([0.1, 0.9, 0.2, 0.3, 0.4, 0.5])
    passed = fusion.propagate_answers(as_places([*places, elsewhere, Place(6)]), scores)

    assert passed.tolist() == [0.0, 0.0, 0.9, 0.0, 0.0, 0.0]


def test_the_person_passes_a_score_on_to_the_agent_who_replies_and_never_the_other_way() -> None:
    places = [Place(seq, 1, seq, seq, length=400) for seq in (1, 2, 3, 4)]
    by_agent = np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0])
    elsewhere = Place(5, 2, 4, 4)

    scores = np.array([0.9, 0.1, 0.2, 0.8, 0.4, 0.5])
    passed = fusion.propagate_replies(as_places([*places, elsewhere, Place(6)]), scores, by_agent)

    assert passed.tolist() == [0.0, 0.9, 0.0, 0.2, 0.0, 0.0]


def test_replies_count_only_where_they_are_wanted() -> None:
    asked, reply, other = turn(1, vector=0.9), turn(2, vector=0.1), turn(9, vector=0.4)
    weights = replace(WEIGHTS, reply=0.4)
    rows = [asked, reply, other]
    features = {"lexical": np.zeros(3), "vector": np.array([0.9, 0.1, 0.4]), "named": np.zeros(3)}
    wanted = {**features, "replies": np.array([0.0, 1.0, 0.0])}

    places = as_places([row[0] for row in rows])
    parts = [next(iter(fusion.rank(places, given, weights))).explain() for given in (features, wanted)]

    assert ["reply" in one for one in parts] == [False, True]


def test_the_reply_to_the_best_comes_forward_and_to_nothing_far_below_it() -> None:
    places = as_places([Place(0, 1, 1, 1), Place(1, 1, 2, 2), Place(2, 1, 3, 3), Place(3, 1, 4, 4), Place(4)])
    by_agent = np.array([0.0, 1.0, 0.0, 1.0, 0.0])

    alone = fusion.propagate_best(places, np.array([0.8, 0.2, 0.5, 0.1, 0.3]), by_agent)
    close = fusion.propagate_best(places, np.array([0.788, 0.2, 0.8, 0.1, 0.3]), by_agent)
    behind = fusion.propagate_best(places, np.array([0.5, 0.2, 0.4, 0.1, 0.8]), by_agent)

    assert alone.tolist() == [0.0, 1.0, 0.0, 0.0, 0.0]
    assert close.tolist() == pytest.approx([0.0, 0.5, 0.0, 1.0, 0.0])
    assert behind.tolist() == [0.0] * 5


def test_what_follows_the_best_is_a_part_of_the_score() -> None:
    rows = [turn(1, vector=0.9), turn(2, vector=0.1), turn(9, vector=0.3)]
    places = as_places([row[0] for row in rows])
    features = {"lexical": np.zeros(3), "vector": np.array([0.9, 0.1, 0.3]), "named": np.zeros(3)}
    weights = replace(WEIGHTS, follows=0.4)

    plain = [item.position for item in fusion.rank(places, features, weights)]
    items = list(fusion.rank(places, {**features, "by_agent": np.array([0.0, 1.0, 0.0])}, weights))

    assert (plain, [item.position for item in items]) == ([0, 2, 1], [0, 1, 2])
    for item in items:
        parts = item.explain()
        assert parts["follows"]["raw"] == (1.0 if item.position == 1 else 0.0)
        assert item.score == pytest.approx(sum(part["points"] for part in parts.values()))


def test_the_answer_to_the_question_that_matches_beats_what_stands_before_it() -> None:
    weights = replace(TURNS, answer=0.3)
    before, answer = turn(1), turn(3)
    question = (Place(2, 1, 2, 2, asks=True), {"lexical": 5.0, "vector": 0.9})

    assert ids([before, question, answer], weights) == [2, 3, 1]


def test_words_of_the_messages_beside_one_cover_the_question_with_it() -> None:
    places = [Place(seq, 1, seq, seq) for seq in (1, 2, 3, 9)]
    points = np.array([[2.0, 0.0], [0.0, 3.0], [0.0, 0.0], [0.0, 3.0]])

    covered = fusion.cover(as_places(places), points, (0.5, 0.1))

    full = 3.0 + 0.5 * 2.0
    assert covered == pytest.approx([(2.0 + 1.5) / full, 1.0, (0.2 + 1.5) / full, 3.0 / full])


@pytest.mark.parametrize(("length", "share"), [(1, 1.0), (40, 1.0), (80, 0.5), (400, 0.1)])
def test_the_longer_a_turn_is_the_less_it_leans_on_those_beside_it(length: int, share: float) -> None:
    before, long, after = Place(1, 1, 1, 1, asks=True), Place(2, 1, 2, 2, length=length), Place(3, 1, 3, 3)
    places = as_places([before, long, after])
    scores, points = np.array([1.0, 0.0, 0.0]), np.array([[2.0], [0.0], [0.0]])

    assert fusion.propagate_neighbours(places, scores, (0.5,))[1] == pytest.approx(0.5 * share)
    assert fusion.propagate_answers(places, scores)[1] == pytest.approx(share)
    assert fusion.cover(places, points, (0.8,))[1] == pytest.approx(0.8 * share)


def test_a_word_said_twice_covers_no_more() -> None:
    places = [Place(1, 1, 1, 1), Place(2, 1, 2, 2), Place(3, 2, 1, 1), Place(4)]

    covered = fusion.cover(as_places(places), np.full((4, 1), 2.0), (1.0,))

    assert covered.tolist() == [1.0, 1.0, 1.0, 1.0]


def test_nothing_is_covered_where_no_word_is_found() -> None:
    two, none = as_places([Place(1, 1, 1, 1), Place(2)]), as_places([])

    assert fusion.cover(two, np.zeros((2, 3)), (0.8,)).tolist() == [0.0, 0.0]
    assert fusion.cover(none, np.zeros((0, 3)), (0.8,)).tolist() == []


def test_a_signal_that_says_nothing_here_does_not_count() -> None:
    rows = [turn(1, lexical=1.0, vector=0.1), turn(2, lexical=3.0, vector=0.3)]
    places = as_places(place for place, _ in rows)
    features = {name: np.array([values[name] for _, values in rows]) for name in CONTENT}
    more = replace(WEIGHTS, situation={"time": 0.9})

    with_time, without = (next(fusion.rank(places, features, weights)).score for weights in (more, WEIGHTS))

    assert with_time == without


def test_who_is_named_decides_between_equals() -> None:
    by_other, by_named = turn(1, lexical=1.0, named=0.0), turn(9, lexical=1.0, named=1.0)

    assert ids([by_other, by_named])[0] == 9


def test_weights_that_say_the_same_in_other_units_rank_and_score_the_same() -> None:
    rows = [turn(1, lexical=1.0, vector=0.1, named=1.0), turn(2, lexical=3.0, vector=0.3)]
    small = Weights({"lexical": 0.5, "vector": 0.5}, {"named": 0.2}, (0.5,), 0.2, 0.3)
    large = replace(small, content={"lexical": 5.0, "vector": 5.0}, situation={"named": 2.0})

    scores = [[item.score for _, item in ranked(rows, weights)] for weights in (small, large)]

    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize("age_days, expected", [(0, 1.0), (14, 0.5), (28, 0.25), (-3, 1.0)])
def test_recency_halves_every_fortnight(age_days: float, expected: float) -> None:
    assert fusion.recency(np.array([age_days])).tolist() == pytest.approx([expected])


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
    assert names.find_mentioned(query, ["Caroline Weber", "Melanie"]) == expected
