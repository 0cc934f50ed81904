"""Reading conversations: LoCoMo's shape, and our own."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.chatter import make_questions, make_turns
from benchmarks.conversations import parse_when, read_locomo
from benchmarks.corpus import make_conversation
from benchmarks.histories import read_histories

TALK = {
    "id": "talk-1",
    "speakers": ["Ada", "Ben"],
    "sessions": [
        {
            "when": "1:56 pm on 8 May, 2023",
            "turns": [
                {"speaker": "Ada", "id": "D1:1", "text": "Look!", "caption": "a red kite"},
                {"speaker": "Ben", "id": "D1:2", "text": "Nice."},
            ],
        }
    ],
    "questions": [
        {"q": "What did Ada show?", "answer": "a kite", "evidence": ["D1:1", "D1:1", "D9:9"], "category": 4},
        {"q": "Who was never named?", "answer": "", "evidence": ["D1:2"], "category": 5},
        {"q": "What can nobody find?", "answer": "x", "evidence": ["D9:9"], "category": 1},
    ],
}


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    file = tmp_path / "talks.json"
    file.write_text(json.dumps([TALK, {**TALK, "id": "talk-2"}]))
    return file


def test_a_turn_becomes_a_dated_message_of_a_person_with_its_photo(talks: Path) -> None:
    (conversation, _) = read_locomo(talks)

    messages = [turn.as_message() for turn in conversation.turns]

    assert messages[0] == {
        "role": "user",
        "name": "Ada",
        "content": "Look! [shares a photo: a red kite]",
        "external_id": "D1:1",
        "created_at": "2023-05-08T13:56:00+00:00",
    }
    assert messages[1]["created_at"] == "2023-05-08T13:56:01+00:00"


def test_only_questions_with_evidence_that_exists_are_asked(talks: Path) -> None:
    (conversation, _) = read_locomo(talks)

    assert [(q.text, q.category, q.evidence) for q in conversation.questions] == [
        ("What did Ada show?", "single-hop", ("D1:1",))
    ]


def test_conversations_can_be_chosen_by_name(talks: Path) -> None:
    assert [one.id for one in read_locomo(talks, ["talk-2"])] == ["talk-2"]

    with pytest.raises(ValueError, match="talk-9"):
        read_locomo(talks, ["talk-2", "talk-9"])


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:48 am on 1 February, 2023", datetime(2023, 2, 1, 0, 48, tzinfo=UTC)),
    ],
)
def test_a_session_is_dated_in_words(text: str, moment: datetime) -> None:
    assert parse_when(text) == moment


def test_our_own_conversation_is_the_same_each_time_and_answers_each_question_once() -> None:
    first, second = make_conversation(), make_conversation()

    turns = {turn.id: turn.text for turn in first.turns}
    answers = [turns[question.evidence[0]] for question in first.questions]

    assert first == second
    assert len(turns) == 600
    assert all(list(turns.values()).count(answer) == 1 for answer in answers)
    assert len(answers) == len(set(answers)) == 49


def test_each_history_has_its_sessions_in_order_and_evidence_for_every_question() -> None:
    histories = read_histories()

    assert [history.id for history in histories] == ["aiko", "derek", "lena", "mara", "priya", "tomas"]
    for history in histories:
        ids = [turn.id for turn in history.turns]
        times = [turn.said_at for turn in history.turns]
        assert (len(history.sessions), len(history.questions)) == (24, 40)
        assert len(ids) == len(set(ids)) >= 190
        assert times == sorted(times)
        assert all(question.evidence and {*question.evidence} <= {*ids} for question in history.questions)


def test_a_turn_with_an_assistant_has_a_role_and_no_name() -> None:
    asked, answered = list(read_histories()[0].turns)[:2]

    assert (asked.as_message()["role"], answered.as_message()["role"]) == ("user", "assistant")
    assert "name" not in asked.as_message() | answered.as_message()


def test_chatter_repeats_with_its_seed_and_no_question_is_asked_twice() -> None:
    again = list(make_turns(200, seed="a"))
    questions = make_questions(1_000, seed="a")

    assert list(make_turns(200, seed="a")) == again
    assert list(make_turns(200, seed="b")) != again
    assert len(set(questions)) == len(questions)
