"""Long technical talks as a file has them."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.beam import read_beam

TALK = {
    "id": "talk-1",
    "messages": [
        {"id": 0, "role": "user", "content": " How do I start? ", "when": "January-05-2024"},
        {"id": 1, "role": "assistant", "content": "With a test."},
        {"id": 2, "role": "user", "content": "", "when": "January-09-2024"},
        {"id": 3, "role": "user", "content": "And now?"},
    ],
    "questions": [
        {"q": "What did you advise?", "ability": "information_extraction", "evidence": [0, 1, 1]},
        {"q": "What is my name?", "ability": "abstention", "evidence": []},
    ],
}


@pytest.mark.parametrize("name", ["talks.json", "talks.json.gz"])
def test_days_are_sessions_and_what_the_assistant_said_is_known(tmp_path: Path, name: str) -> None:
    text = json.dumps([TALK]).encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)

    (talk,) = read_beam(tmp_path / name)

    assert [[turn.text for turn in session] for session in talk.sessions] == [
        ["How do I start?", "With a test."],
        ["And now?"],
    ]
    assert [turn.said_at.day for turn in talk.turns] == [5, 5, 9]
    (question,) = talk.questions
    assert (question.evidence, talk.said_by_agent(question)) == (("0", "1"), ("1",))


def test_a_conversation_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "talks.json").write_text(json.dumps([TALK]), "utf-8")

    with pytest.raises(ValueError, match="talk-2"):
        read_beam(tmp_path / "talks.json", ["talk-2"])
