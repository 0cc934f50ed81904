"""What a long question is about, by the statistics of its own words."""

from __future__ import annotations

import time

import pytest

from nebo.reading.words.keyphrases import KEYWORDS, expand_query, list_keyphrases

DEPLOY = (
    "So the deploy failed again last night. The staging database ran out of connections and the worker kept "
    "crashing. Can you tell me which pooler we decided to use for the staging database this week?"
)


@pytest.mark.parametrize("short", ["", "Where do I live?", "Which lake did Ingrid and I sail on last May?"])
def test_a_short_question_is_its_own_keyphrase(short: str) -> None:
    assert expand_query(short) == [short]


def test_a_long_one_is_asked_a_second_time_by_what_it_asks_for() -> None:
    question, phrases = expand_query(DEPLOY)

    assert question == DEPLOY
    assert {"pooler", "staging database"} <= set(phrases.split(", "))
    assert "crashing" not in phrases


def test_keyphrases_hold_no_mere_grammar_and_are_few() -> None:
    words = " ".join(list_keyphrases(DEPLOY)).split()

    assert not {"the", "which", "this", "can", "you"} & set(words)
    assert len(set(words)) <= KEYWORDS


def test_the_same_question_has_the_same_keyphrases() -> None:
    assert expand_query(DEPLOY) == expand_query(DEPLOY)


@pytest.mark.parametrize(
    "text", ["a " * 4000, "? " * 4000, "the and of " * 900, "ab" * 4000, "我喜欢" * 2000]
)
def test_a_question_without_a_subject_stays_alone_and_takes_no_time(text: str) -> None:
    started = time.process_time()

    expanded = expand_query(text)

    assert expanded == [text]
    assert time.process_time() - started < 0.5
