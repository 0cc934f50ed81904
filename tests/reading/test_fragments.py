"""What says nothing by itself is no memory, and what leads up to a statement is no part of it."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact, is_worth_keeping
from nebo.reading.facts.stumps import is_stump
from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.todos import find_todo
from nebo.reading.words.openers import without_opener


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("By the way, I moved to Lisbon", "I moved to Lisbon"),
        ("Since I've moved to York.", "I've moved to York."),
        ("Considering I've lost two kilos since May.", "I've lost two kilos since May."),
        ("Since I moved to York, I cycle", "Since I moved to York, I cycle"),
        ("Since 2019 I haven't smoked", "Since 2019 I haven't smoked"),
        ("I eat fish now as well", "I eat fish now as well"),
        ("no my brother lives in Bath", "my brother lives in Bath"),
        ("No sugar for me", "No sugar for me"),
        ("Not really, I get home late on Mondays", "I get home late on Mondays"),
        ("not really a fan of fish", "not really a fan of fish"),
        ("Nicht wirklich, ich bin Pescetarier", "ich bin Pescetarier"),
        ("Ah y Hugo es vegano", "Hugo es vegano"),
        ("ach und Mia ist Veganerin", "Mia ist Veganerin"),
        ("My knee operation went well.", "My knee operation went well."),
    ],
)
def test_what_leads_up_to_a_statement_goes(said: str, kept: str) -> None:
    assert without_opener(said) == kept


@pytest.mark.parametrize(
    ("clause", "stump"),
    [
        ("As someone who is driven by curiosity", True),
        ("2024, will be affected by my first meeting", True),
        ("It was really good for me", True),
        ("I work on it together with the", True),
        ("I keep bees on the roof", False),
        ("Ich habe Angst davor, ehrlich gesagt", True),
        ("Ich habe Angst davor, im Dunkeln zu laufen", False),
        ("thorsten hat gekündigt, ab mai macht er eine ausbildung", False),
        ("gestern hat er gekündigt, ab mai macht er eine ausbildung", True),
        ("mostly linen curtains and blinds", True),
        ("the plan at work is called Otter, due in May", False),
        ("The flute, since I was nine", True),
        ("Die Geburtsurkunde meines Großvaters", True),
        ("The wedding certificate of my grandparents", True),
        ("Hauptsächlich alte Fahrräder aus Stahl", True),
        ("Lately, roof repairs and drainage", True),
        ("Lately, I repair roofs", False),
        ("For the triathlon in August", True),
        ("For the triathlon I swim every day", False),
        ("mostly I sew linen curtains", False),
        ("my aunt won't be taking it this year", True),
        ("my aunt won't be taking the tractor this year", False),
        ("haven't heard from you in ages, so much has happened", True),
        ("I haven't spoken to my brother since the wedding", False),
        ("Lange nichts von dir gehört, hier ist viel passiert", True),
    ],
)
def test_a_clause_that_needs_another_is_a_stump(clause: str, stump: bool) -> None:
    assert is_stump(clause) is stump


@pytest.mark.parametrize(
    "said", ["Two weeks of uni, and my feet hurt", "Zwei Wochen Hebammenschule.", "da bin ich immer Matsch"]
)
def test_how_long_it_has_been_or_how_it_was_then_is_no_fact(said: str) -> None:
    assert is_stump(said)


@pytest.mark.parametrize(
    "said",
    ["im coeliac so bakeries are just museums to me lol", "soy celíaca, así que nada de pan para mí jaja"],
)
def test_what_somebody_may_come_to_harm_by_is_kept_though_they_laugh(said: str) -> None:
    assert any(map(is_worth_keeping, read_text(said).sentences))


def test_what_is_laughed_at_and_answers_no_question_is_not_kept() -> None:
    (joke,) = read_text(
        "Ich bin quasi die Deutsche Bahn: immer zu spät und keiner weiß warum, haha"
    ).sentences
    (fact,) = read_text("I live in Leeds with my two cats haha").sentences

    assert not is_worth_keeping(joke)
    assert is_worth_keeping(fact)


def test_who_breaks_off_before_the_verb_has_nothing_to_do() -> None:
    on = date(2031, 7, 21)

    (stump,) = read_text("Ich muss noch einen Nachmieter...").sentences
    (whole,) = read_text("Ich muss noch den Vermieter anrufen...").sentences

    assert find_todo(stump, on) is None
    assert find_todo(whole, on) is not None


def test_what_only_points_is_left_off_a_plain_fact() -> None:
    said = read_text("My wife Noor is a marine biologist, she works at the university here").sentences

    facts = [find_fact(one, speaker="Gael", on=None) for one in said]

    assert [fact.value for fact in facts if fact] == ["Gael's wife Noor is a marine biologist."]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My niece Ines is allergic to egg, should I tell the nursery", ["The user's niece Ines is allergic to egg."]),
        ("I have a low budget this month, what do you think", []),
        ("I have a van, which should last me ten years", ["The user has a van, which should last them ten years."]),
        ("I'll run the script:", []),
        ("I'm using Rust 1.79 for the parser:", []),
    ],
)  # fmt: skip
def test_a_question_without_its_mark_and_what_stands_below_are_no_facts(said: str, told: list[str]) -> None:
    found = (find_fact(one, speaker="", on=date(2026, 6, 1)) for one in read_text(said).sentences)

    assert [fact.value for fact in found if fact] == told
