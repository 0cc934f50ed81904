"""Counting evidence."""

import pytest

from benchmarks.conversations import Question
from benchmarks.recall import (
    Asked,
    agent_hit_rate,
    group,
    list_cited_messages,
    list_named_messages,
    mean_agent_share,
    mean_reciprocal_rank,
    mean_shares,
)
from benchmarks.timing import Spread, spread_of


def asked(*found: str, evidence: tuple[str, ...] = ("a", "b"), category: str = "single-hop") -> Asked:
    return Asked("talk", Question("What?", category, evidence), found)


def test_messages_count_once_in_the_order_in_which_results_name_them() -> None:
    results = [
        {"source": "session", "messages": [{"id": "1", "external_id": "b"}, {"id": "2", "external_id": "a"}]},
        {"source": "memory", "memory_id": "m"},
        {
            "source": "session",
            "messages": [{"id": "2", "external_id": "a"}, {"id": "3", "external_id": None}],
        },
        {"source": "session", "messages": [{"id": "4", "external_id": "c"}]},
    ]

    assert list_named_messages(results) == ("b", "a", "c")


def test_a_context_names_what_its_cards_cite_and_what_it_carries() -> None:
    context = {
        "cards": [{"memory_id": "m", "text": ""}, {"message_ids": ["2", "1"], "text": ""}],
        "messages": [{"id": "3"}, {"id": "2"}, {"id": "new"}],
    }

    assert list_cited_messages(context, {"1": "a", "2": "b", "3": "c"}) == ("b", "a", "c")


def test_the_first_evidence_decides_the_rank_and_what_the_agent_said_counts_by_itself() -> None:
    question = Question("What?", "single-hop", ("a", "b"))
    found = Asked("talk", question, ("x", "b", "y", "a"), by_agent=("a",))
    nothing = Asked("talk", question, ("x", "y"))

    assert mean_reciprocal_rank([found, nothing]) == 0.25
    assert [mean_agent_share([found, nothing], depth) for depth in (3, 4)] == [0, 1]
    assert mean_agent_share([nothing], 10) is None


def test_any_of_what_the_agent_said_is_a_hit() -> None:
    question = Question("What?", "single-hop", ("a", "b", "c"))
    found = Asked("talk", question, ("x", "b", "y", "a"), by_agent=("a", "c"))
    missed = Asked("talk", question, ("x", "b"), by_agent=("a",))
    by_the_person = Asked("talk", question, ("b",))

    assert [agent_hit_rate([found, missed, by_the_person], depth) for depth in (3, 4)] == [0, 0.5]
    assert agent_hit_rate([by_the_person], 10) is None


def test_a_share_is_the_part_of_the_evidence_within_a_depth() -> None:
    one = asked("x", "b", "y", "a")

    assert [one.share(depth) for depth in (1, 2, 3, 4, None)] == [0, 0.5, 0.5, 1, 1]
    assert one.ranks() == {"a": 4, "b": 2}
    assert asked("a").ranks() == {"a": 1, "b": None}


def test_every_question_weighs_the_same() -> None:
    many = [asked("a", "b"), asked("x", evidence=("a",)), asked("a")]

    assert mean_shares(many, [1, 2]) == {1: pytest.approx(1 / 3), 2: pytest.approx(0.5)}


def test_questions_are_grouped_in_alphabetical_order() -> None:
    temporal, single = asked(category="temporal"), asked()

    assert group([temporal, single, temporal], lambda one: one.question.category) == {
        "single-hop": [single],
        "temporal": [temporal, temporal],
    }


def test_percentiles_are_values_that_were_measured() -> None:
    assert spread_of(range(100, 0, -1)) == Spread(50, 95, 99, 100)
    assert spread_of([3.0]) == Spread(3.0, 3.0, 3.0, 1)
