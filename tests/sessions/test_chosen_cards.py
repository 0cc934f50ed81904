"""Which cards a context shows: nothing twice, what is over with a word that says so, the next best in spare room."""

from __future__ import annotations

import pytest

from nebo.reading.relations.coverage import Coverage
from sessions.context.cards import Card
from sessions.context.chosen_cards import OVER, ShownAbove, list_apart, list_spare
from sessions.context.retelling import Retelling, list_shorter, read_days, without_left_questions
from sessions.models import Message

ROOM = 1_000


def turn(words: str, number: int = 1) -> Card:
    return Card(f"[3 May 2031] User: {words}", 0.5, message_ids=(str(number),), bare=words)


def told(*texts: str, over: dict[str, str] | None = None, of_past: bool = False) -> ShownAbove:
    over = over or {}
    coverage = [Coverage(those, own="Ros") for those in (texts, over)]
    return ShownAbove(frozenset(), *coverage, over, of_past=of_past)


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (
            "Ros can't eat gluten, celiac, got the diagnosis in 2029.",
            "I cant eat gluten, celiac, got the diagnosis",
        ),
        (
            "Ros lives in Totterdown with their husband Gus.",
            "Mostly paperwork. I live in Totterdown with my husband Gus.",
        ),
    ],
)
def test_a_turn_that_says_what_is_known_makes_no_card(known: str, words: str) -> None:
    cards = list_apart([turn(words)], told(known), question="", room=ROOM)

    assert cards == []


def test_a_turn_with_one_more_name_is_shown() -> None:
    known = told("Keziah moved to Lisbon for a residency. Keziah does the sound.")
    words = "It's Bethan who does the sound now, Keziah moved to Lisbon for a residency"

    cards = list_apart([turn(words)], known, question="", room=ROOM)

    assert [card.bare for card in cards] == [words]


OPENED = "Opens 9 May at the Underfall Yard"
OPENS = "Tidewater moved: it opens on 23 May now."
STALE = f"I'm building an exhibition about the docks. {OPENED}"


def test_a_turn_that_says_what_is_over_says_so() -> None:
    known = told("Ros has a dog.", over={f"Tidewater: {OPENED}": OPENS})
    lasting = turn("Tidewater has two rooms and the slipway", 2)

    cards = list_apart([turn(STALE, 1), lasting], known, question="", room=ROOM)

    assert [card.text.endswith(OVER) for card in cards] == [True, False]


def test_what_is_over_is_left_out_of_a_turn_where_what_holds_is_told() -> None:
    known = told(OPENS, over={f"Tidewater: {OPENED}": OPENS})

    cards = list_apart([turn(STALE)], known, question="", room=ROOM)

    assert [card.text for card in cards] == ["[3 May 2031] User: I'm building an exhibition about the docks."]


def test_who_says_it_by_name_says_the_same() -> None:
    known = told(
        "Ros is at Brightwater now.", over={"I work at the Kingsdown clinic.": "Ros is at Brightwater now."}
    )
    greeting = turn("I'm Ros, I work at the Kingsdown clinic. We have two dogs and a parrot.")

    cards = list_apart([greeting], known, question="", room=ROOM)

    assert [card.bare for card in cards] == ["We have two dogs and a parrot."]


def test_a_memory_among_the_cards_tells_what_holds() -> None:
    known = told(over={OPENED: OPENS})
    newer = Card(OPENS, 0.4, memory_id="1", bare=OPENS)

    cards = list_apart([turn(OPENED), newer], known, question="", room=ROOM)

    assert cards == [newer]


def test_a_part_of_a_sentence_that_is_over_is_left_out_or_marked() -> None:
    words = "Maré is a site for surfers. Deadline is 30 June, the client is Dona Alba"
    now = "Maré: Deadline is 15 July."

    (left_out,) = list_apart(
        [turn(words)], told(now, over={"Deadline is 30 June": now}), question="", room=ROOM
    )
    (marked,) = list_apart([turn(words)], told(over={"Deadline is 30 June": now}), question="", room=ROOM)

    assert left_out.bare == "Maré is a site for surfers. The client is Dona Alba"
    assert marked.text == f"[3 May 2031] User: {words} {OVER}"


def test_what_is_done_is_no_card() -> None:
    known = told(over={"Send the tax return by 31 January": ""})
    asked = turn("Send the tax return by 31 January")

    cards = list_apart([asked], known, question="", room=ROOM)
    spare = list_spare([asked], known, shown=[], messages=[], room=ROOM)

    assert cards == spare == []


def test_a_question_about_the_past_gets_what_is_over() -> None:
    known = told(OPENS, over={f"Tidewater: {OPENED}": OPENS}, of_past=True)

    cards = list_apart([turn(STALE)], known, question="", room=ROOM)

    assert [card.text for card in cards] == [f"[3 May 2031] User: {STALE} {OVER}"]


def test_room_that_is_left_takes_the_next_best_that_says_something_new() -> None:
    known = told("Ros lives in Totterdown.")
    shown = turn("The Kangoo needs a new charging cable", 1)
    spare = [turn("I live in Totterdown", 2), turn("the charging cable, the Kangoo needs a new one", 3),
             turn("Bethan records the foghorn", 4), turn("Inka paints the hull", 5)]  # fmt: skip

    cards = list_spare(spare, known, shown=[shown], messages=[], room=spare[2].tokens)

    assert [card.bare for card in cards] == ["Bethan records the foghorn"]


def test_a_question_whose_answer_is_told_elsewhere_is_no_last_word() -> None:
    asked = Message(role="assistant", content="Which plug has it?")
    answered = Message(role="user", content="Type 2")
    idle = Message(role="assistant", content="Touch dry in days.")

    kept = without_left_questions([(idle, idle.content), (answered, ""), (asked, asked.content)])

    assert [told for _, told in kept if told] == ["Touch dry in days."]


def test_what_leans_on_a_sentence_is_told_with_it_or_not_at_all() -> None:
    summary = (
        "13 January 2031, User: There's the cat, Pepper. She gets insulin twice a day. We sold the boat."
    )
    lines = read_days(summary, Retelling([Coverage(["There's the cat, Pepper."])], Coverage()))

    whole, shorter, *_ = list_shorter(lines)

    assert whole[0].sentences == [
        "There's the cat, Pepper.",
        "She gets insulin twice a day.",
        "We sold the boat.",
    ]
    assert shorter[0].sentences == ["We sold the boat."]
