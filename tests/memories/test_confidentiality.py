"""What is told to one persona alone: in whatever words, and how far they reach."""

from __future__ import annotations

from typing import TypeAlias
from uuid import UUID, uuid4

import pytest

from memories.learning.confidential import NOTHING_CONFIDENTIAL, WHOLE, find_confidential, read_confidential
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import NOTHING_READ, Reading, Sentence, read_text

COACH = UUID(int=7)
Said: TypeAlias = tuple[str, tuple[Kind, ...]]  # a sentence, and what it is


def told_alone(text: str) -> list[str]:
    return [text[start:end] for start, end in find_confidential(read_text(text))]


def meaning(*sure: Kind) -> Meaning:
    return Meaning({}, {}, "other", 0.0, {}, acts=frozenset(sure), asks=frozenset(sure))


def said(*sentences: Said) -> Reading:
    """A message of sentences whose kinds are known, one a line."""
    read: list[Sentence] = []
    at = 0
    for text, kinds in sentences:
        read.append(Sentence(text, at, at + len(text), meaning(*kinds)))
        at += len(text) + 1
    return Reading(tuple(read))


def reached(*sentences: Said) -> list[str]:
    text = "\n".join(sentence for sentence, _ in sentences)
    return [text[start:end] for start, end in find_confidential(said(*sentences))]


@pytest.mark.parametrize(
    "text",
    [
        "Please, nobody else should ever hear of this.",
        "don't tell a soul about the layoffs",
        "Nobody else may find out about the layoffs.",
        "I'd like what I tell you about Omar kept secret from the other assistants.",
        "Sag den anderen bitte kein Wort davon.",
        "Das darf außer dir niemand erfahren.",
        "No se lo cuentes a nadie, por favor.",
        "Que esto no lo sepan los demás asistentes.",
        "N'en parle à personne, surtout pas aux autres assistants.",
        "Surtout, que personne ne l'apprenne.",
        "Non dirlo a nessuno, mi raccomando.",
        "Questo non deve uscire da questa chat.",
    ],
)
def test_a_confidence_is_heard_in_any_words_and_language(text: str) -> None:
    assert told_alone(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "I like tea.",
        "We split the bill between us.",
        "The fence between us and the neighbours is broken.",
        "She told me a secret yesterday.",
        "How do I store secrets in Kubernetes?",
        "Confidential papers go into the blue bin.",
        "Tell everyone that the meeting moved to ten.",
        "Unter uns wohnt eine Familie mit drei Kindern.",
        "Sie hat ihm etwas unter vier Augen gesagt.",
        "El secreto de la paella es el caldo.",
        "Il y a une haie entre nous et les voisins.",
        "Il segreto di una buona pizza è l'impasto.",
        "",
    ],
)
def test_ordinary_words_confide_nothing(text: str) -> None:
    assert told_alone(text) == []


def test_a_confidence_that_tells_something_holds_for_its_own_sentence() -> None:
    found = reached(
        ("I live in Rome.", ("lasting",)),
        ("Not a word, but I resigned.", ("confidence", "event")),
        ("My sister is Anna.", ("relative",)),
    )

    assert found == ["Not a word, but I resigned."]


def test_words_on_their_own_hold_for_what_stands_before_and_after_them() -> None:
    rome: Said = ("I live in Rome.", ("lasting",))
    resigned: Said = ("I resigned.", ("event",))
    hush: Said = ("Not a word!", ("confidence",))

    assert reached(rome, resigned, hush) == ["I resigned.", "Not a word!"]
    assert reached(hush, resigned, rome) == ["Not a word!", "I resigned."]
    assert reached(rome, hush, resigned) == ["I live in Rome.", "Not a word!", "I resigned."]


def test_several_such_words_in_a_row_are_about_what_stands_around_them() -> None:
    resigned: Said = ("I resigned.", ("event",))
    psst: Said = ("Psst.", ("confidence",))

    assert reached(resigned, psst, psst) == ["I resigned.", "Psst.", "Psst."]


def test_a_message_that_was_not_read_to_its_end_may_confide_anything() -> None:
    assert find_confidential(NOTHING_READ) == WHOLE
    assert find_confidential(read_text("I like tea. I like cake.", limit=1)) == WHOLE


def test_what_rests_on_the_words_or_on_the_reply_to_them_is_for_the_persona_alone() -> None:
    told, reply, later = uuid4(), uuid4(), uuid4()
    reading = said(("I live in Rome.", ("lasting",)), ("Not a word: I resigned.", ("confidence", "event")))
    confided = read_confidential(
        COACH,
        [(told, "user", reading), (reply, "assistant", NOTHING_READ), (later, "user", said(("Tea.", ())))],
    )

    def audience(message: UUID | None, start: int | None = None, end: int | None = None) -> UUID | None:
        return confided.audience(message, start, end, others=None)

    assert audience(told, 16, 39) == COACH
    assert audience(told, 0, 14) is None
    assert audience(told) == COACH  # nobody knows which of its words
    assert audience(reply, 0, 5) == COACH
    assert audience(later, 0, 5) is None
    assert audience(None) == COACH
    assert NOTHING_CONFIDENTIAL.audience(None, None, None, others=None) is None


def test_a_reply_may_repeat_all_that_was_said_since_the_one_before() -> None:
    hush, tea = said(("Not a word.", ("confidence",))), said(("Tea?", ("question",)))
    first, second, reply, third, answer = (uuid4() for _ in range(5))

    confided = read_confidential(
        COACH,
        [
            (first, "user", hush),
            (second, "user", tea),
            (reply, "assistant", NOTHING_READ),
            (third, "user", tea),
            (answer, "assistant", NOTHING_READ),
        ],
    )

    assert confided.replies == {reply}
    assert read_confidential(COACH, [(answer, "assistant", NOTHING_READ)], answers=True).replies == {answer}
    assert (confided.awaits_reply, read_confidential(COACH, [(first, "user", hush)]).awaits_reply) == (
        False,
        True,
    )
