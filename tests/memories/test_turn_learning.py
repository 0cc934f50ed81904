"""What a message says outright is known in its own transaction."""

from __future__ import annotations

import pytest

from memories.models import Memory, Observation
from tests.conftest import Team
from tests.memories.conftest import hear

pytestmark = pytest.mark.django_db


def test_a_name_is_remembered_with_its_words_and_stands_in_the_profile(scope: Team) -> None:
    (memory,) = hear(scope, "Hi there! My name is Caroline.")

    seen = Observation.unscoped.get(memory=memory)
    scope.person.refresh_from_db()
    assert (memory.source, memory.trust, memory.status) == ("signal", "user", "active")
    assert (seen.extractor, seen.message.external_id) == ("signal", "chat:1")
    assert "Caroline" in seen.quote
    assert seen.message.content[seen.quote_start : seen.quote_end] == seen.quote
    assert scope.person.display_name == "Caroline"


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [
        ("I live in Berlin.", "location", "Berlin"),
        ("My timezone is Europe/Berlin.", "timezone", "Europe/Berlin"),
    ],
)
def test_place_and_timezone_stand_in_the_profile(scope: Team, text: str, column: str, value: str) -> None:
    hear(scope, text)

    scope.person.refresh_from_db()
    assert getattr(scope.person, column) == value


def test_a_question_says_nothing(scope: Team) -> None:
    assert hear(scope, "Do you know where I live?") == []


def test_a_move_supersedes_the_place_before(scope: Team) -> None:
    hear(scope, "I live in Berlin.")

    (memory,) = hear(scope, "I live in Lisbon now.")

    assert "Lisbon" in memory.value
    assert Memory.unscoped.get(status="superseded").superseded_by == memory


@pytest.mark.parametrize(
    "text",
    [
        "remember globally: The wifi at the cabin is slow, upstairs only.",
        "Global memory: The wifi at the cabin is slow, upstairs only.",
        "GLOBAL  MEMORY :  The wifi at the cabin is slow, upstairs only.  ",
        "Please remember globally: The wifi at the cabin is slow, upstairs only.",
        "By the way.\nRemember globally: The wifi at the cabin is slow, upstairs only.\nThanks!",
    ],
)
def test_what_is_to_be_remembered_globally_is_kept_word_for_word(scope: Team, text: str) -> None:
    (memory,) = hear(scope, text)

    seen = Observation.unscoped.get(memory=memory)
    assert memory.value == "The wifi at the cabin is slow, upstairs only."
    assert (memory.scope, memory.status, memory.person_id) == ("user", "active", scope.person.pk)
    assert seen.message.content[seen.quote_start : seen.quote_end] == memory.value


@pytest.mark.parametrize(
    "text",
    [
        "What does “remember globally:” do?",
        "remember globally:",
        "Please remember the following for later:",
        "I will remember globally: trade was free",
    ],
)
def test_talk_about_the_words_is_no_memo(scope: Team, text: str) -> None:
    assert [memory for memory in hear(scope, text) if "remember" in memory.tags] == []


def test_a_memo_of_several_lines_is_kept_whole(scope: Team) -> None:
    (memory,) = hear(scope, "remember globally: House rules:\n1. Shoes off\n2. No smoking")

    assert memory.value == "House rules:\n1. Shoes off\n2. No smoking"
