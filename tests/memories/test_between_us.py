"""What is told to one persona alone: which words say so, and how far they reach."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from memories.between_us import NOTHING_CONFIDED, find_confided, read_confided

COACH = UUID(int=7)


def told_alone(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in find_confided(text)]


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Just between us, I'm quitting my job.", ["Just between us, I'm quitting my job."]),
        ("Just between us: I'm quitting. I live in Berlin.", ["Just between us: I'm quitting."]),
        ("I live in Berlin. I'm quitting, just between us.", ["I'm quitting, just between us."]),
        ("I live in Rome. I'm quitting. Don't tell the others.", ["I'm quitting.", "Don't tell the others."]),
        ("Don't tell the others. I'm quitting.", ["Don't tell the others.", "I'm quitting."]),
        ("Don't tell the others, but I'm quitting.", ["Don't tell the others, but I'm quitting."]),
        ("This is only for you. I'm ill. My sister is Anna.", ["This is only for you.", "I'm ill."]),
        ("I live in Rome, and just between us, I hate my job.", ["just between us, I hate my job."]),
        (
            "I hate my job and I want to quit, just between us.",
            ["I hate my job and I want to quit, just between us."],
        ),
        ("This stays between us, ok? My pay is 90k.", ["This stays between us, ok?", "My pay is 90k."]),
        ("My pay is 90k. Keep that to yourself.", ["My pay is 90k.", "Keep that to yourself."]),
        ("Can you keep a secret? I'm moving to Oslo.", ["Can you keep a secret?", "I'm moving to Oslo."]),
        (
            "My dentist is Dr. Smith, don't tell anyone.",
            ["My dentist is Dr. Smith, don't tell anyone."],
        ),
        ("Unter uns: ich kündige.", ["Unter uns: ich kündige."]),
    ],
)
def test_the_words_hold_for_the_statement_they_belong_to(text: str, alone: list[str]) -> None:
    assert told_alone(text) == alone


@pytest.mark.parametrize(
    "text",
    [
        "I like tea.",
        "We split the bill between us.",
        "The distance between us grew.",
        "It's not just between us anymore, I told everyone.",
        "She said it stays between us.",
        "You don't need to tell anyone.",
        "I don't tell anyone about my work.",
        "Don't tell my wife, but I bought a ring.",
        "",
    ],
)
def test_ordinary_words_confide_nothing(text: str) -> None:
    assert told_alone(text) == []


def test_what_rests_on_the_words_or_on_the_reply_to_them_is_for_the_persona_alone() -> None:
    said, reply, later = uuid4(), uuid4(), uuid4()
    text = "I live in Rome. Just between us, I'm quitting."
    confided = read_confided(
        COACH,
        [(said, "user", text), (reply, "assistant", "I won't tell."), (later, "user", "I like tea.")],
    )

    def audience(message: UUID | None, start: int | None = None, end: int | None = None) -> UUID | None:
        return confided.audience(message, start, end, others=None)

    assert audience(said, 16, len(text)) == COACH
    assert audience(said, 0, 14) is None
    assert audience(said) == COACH  # nobody knows which of its words
    assert audience(reply, 0, 5) == COACH
    assert audience(later, 0, 5) is None
    assert audience(None) == COACH
    assert NOTHING_CONFIDED.audience(None, None, None, others=None) is None


def test_a_long_text_is_read_quickly_and_without_words_for_it_not_at_all() -> None:
    assert find_confided("the road between us " * 5_000) == ()
    assert find_confided("a. " * 10_000) == ()
