"""A person's own clause, told of them by name; where a rule can't tell how, in their own words."""

from __future__ import annotations

import pytest

from nebo.reading.facts.third_person import name_subject
from nebo.reading.wording.elided import name_whom


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("I'm allergic to nuts", "Lena is allergic to nuts."),
        ("I live in Leeds with my two cats", "Lena lives in Leeds with their two cats."),
        ("I never eat meat", "Lena never eats meat."),
        ("I don't drink", "Lena doesn't drink."),
        ("I first picked Flask, then Django", "Lena first picked Flask, then Django."),
        ("I sometimes bake at night", "Lena sometimes bakes at night."),
        ("I was born in Ghent", "Lena was born in Ghent."),
        (
            "I've been a nurse for 20 years and I love it",
            "Lena has been a nurse for 20 years and they love it.",
        ),
        ("My sister Hannah is vegan", "Lena's sister Hannah is vegan."),
        ("Our dog Pico is scared of balloons", "Lena's dog Pico is scared of balloons."),
        ("I live with our dog Pico", "Lena lives with their dog Pico."),
        ("I live in Leeds and work as a baker", "Lena lives in Leeds and works as a baker."),
        ("Last Friday I joined a choir", "Last Friday Lena joined a choir."),
        ("I need my glasses to read", "Lena needs their glasses to read."),
        ("The deadline of Kestrel is 3 May", "The deadline of Kestrel is 3 May."),
        ("I used to work at Skanska!", "Lena used to work at Skanska."),
        ("I have to file Form I-751 by May", "Lena has to file Form I-751 by May."),
        ("I rely on them for strength", "Lena relies on them for strength."),
        ("I've found a flat and move on 2 March", "Lena has found a flat and moves on 2 March."),
        ("I plan to leave Leeds and move to Spain", "Lena plans to leave Leeds and move to Spain."),
        ("My wife and I love tea but I hate coffee", "Lena and their wife love tea but Lena hates coffee."),
        (
            "Me and my sister Kaz aren't speaking, she forgot and I said some stuff",
            "Lena and their sister Kaz aren't speaking, she forgot and Lena said some stuff.",
        ),
        ("I rang the surgery about my results", "Lena rang the surgery about their results."),
        ("I lit the stove and burnt my hand", "Lena lit the stove and burnt their hand."),
        ("I moved to nights, for good I think", "Lena moved to nights, for good."),
        ("I'm a pescatarian I guess", "Lena is a pescatarian."),
        ("Passed my hgv theory first time", "Lena passed their hgv theory first time."),
        ("Gareth and I aren't talking", "Lena and Gareth aren't talking."),
        ("Swimming, Tuesday and Thursday mornings", "Lena: Swimming, Tuesday and Thursday mornings."),
    ],
)
def test_the_subject_is_named(clause: str, named: str) -> None:
    assert name_subject(clause, speaker="Lena", english=True) == named


@pytest.mark.parametrize(
    "clause",
    [
        "We moved to Porto",
        "I'd rather walk",
        "I put salt on it",
        "I said “I am Batman”",
        "I and Tom run a shop",
        "Had I known that",
        "My wife and I love tea, and what do I know",
    ],
)
def test_what_a_rule_cannot_turn_stays_in_the_persons_words(clause: str) -> None:
    assert name_subject(clause, speaker="Lena", english=True) == f"Lena: {clause}."


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("My wife and I just left for Rome", "Lena and their wife just left for Rome."),
        ("Otto and I had a picnic on Friday", "Lena and Otto had a picnic on Friday."),
        ("My boss thinks we should move to Kiel", "Lena's boss thinks they should move to Kiel."),
        ("I argued with Jo and we sold the van", "Lena argued with Jo and they sold the van."),
        ("I co-own a kiosk in Ghent", "Lena co-owns a kiosk in Ghent."),
        ('I\'m reading "The Left Hand of Darkness"', 'Lena is reading "The Left Hand of Darkness".'),
        (
            "I thought about my debts and I sold the van",
            "Lena thought about their debts and they sold the van.",
        ),
        (
            "I mostly watch films, hike, and have friends round",
            "Lena: I mostly watch films, hike, and have friends round.",
        ),
        ("I sold the boat! I named it Skua", "Lena sold the boat! They named it Skua."),
        ("me and my wife Tamsin have twins", "Lena and their wife Tamsin have twins."),
        ("Lost my job as a banker yesterday", "Lena lost their job as a banker yesterday."),
        ("Never been on a sports team", "Lena has never been on a sports team."),
        ("cant have shellfish, i swell up", "Lena can't have shellfish, they swell up."),
        ("training for the marathon", "Lena is training for the marathon."),
        (
            "Researching night schools — it's been a dream to give lessons",
            "Lena is researching night schools — it's been a dream to give lessons.",
        ),
        ("Volunteering at the lifeboat station", "Lena is volunteering at the lifeboat station."),
        ("Volunteering is what keeps me going", "Volunteering is what keeps Lena going."),
        (
            "Learning about old maps and seeing them fascinates me",
            "Learning about old maps and seeing them fascinates Lena.",
        ),
        ("Training for a marathon is hard", "Training for a marathon is hard."),
        ("not a morning person", "Lena is not a morning person."),
        ("Dad's 70 in may", "Lena's dad is 70 in May."),
        ("im learning welsh on tuesdays", "Lena is learning Welsh on Tuesdays."),
        ("Oskar here", "Lena is called Oskar."),
        ("my friend Vi and I celebrated my exam", "Lena and their friend Vi celebrated Lena's exam."),
        ("Still in bed", "Lena: Still in bed."),
        (
            "my brother Joe marries in June, I'm best man",
            "Lena's brother Joe marries in June, Lena is best man.",
        ),
    ],
)
def test_who_is_left_out_or_named_with_another_is_named(clause: str, named: str) -> None:
    assert name_subject(clause, speaker="Lena", english=True) == named


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("we drive an old Skoda", "The user drives an old Skoda."),
        (
            "we've got a berlingo now, our old car died",
            "The user has got a berlingo now, their old car died.",
        ),
        ("I live in Leeds and we have two cats", "The user lives in Leeds and they have two cats."),
        ("We met in 2010", "We met in 2010."),
    ],
)
def test_what_we_do_at_home_each_of_us_does_unless_we_do_it_to_each_other(clause: str, named: str) -> None:
    assert name_subject(clause, speaker="", english=True, ours=True) == named
    assert name_subject("We ship on Fridays", speaker="", english=True) == "We ship on Fridays."


def test_other_languages_stay_as_they_were_said() -> None:
    said = "ich wohne seit 2019 in Bremen"

    assert name_subject(said, speaker="Jonas", english=False) == "Jonas: Ich wohne seit 2019 in Bremen."


def test_of_somebody_without_a_name_the_user_is_spoken() -> None:
    assert name_subject("I like tea", speaker="", english=True) == "The user likes tea."
    assert name_subject("Every May I fast", speaker="", english=True) == "Every May the user fasts."
    assert name_subject("vivo en Lugo", speaker="", english=False) == "Vivo en Lugo."


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("I practise and train every day", "Lena practises and trains every day."),
        ("Painting helps me explore my identity", "Painting helps Lena explore their identity."),
        ("I like tea and the smell of rain", "Lena likes tea and the smell of rain."),
        ("I color-code my notes", "Lena: I color-code my notes."),
        ("im a vegetarian so i cook without meat", "Lena is a vegetarian so they cook without meat."),
        ("i dont drink", "Lena doesn't drink."),
        ("I'm coeliac and allergic to eggs", "Lena is coeliac and allergic to eggs."),
        ("I've worked and lived in Hull", "Lena has worked and lived in Hull."),
    ],
)
def test_joined_verbs_and_objects_are_turned_too(clause: str, named: str) -> None:
    assert name_subject(clause, speaker="Lena", english=True) == named


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("Hedda's moving to York", "Hedda is moving to York"),
        ("Tom's a baker", "Tom is a baker"),
        ("Maya's got a dog", "Maya has got a dog"),
        ("Maya's wedding is in July", "Maya's wedding is in July"),
        ("Maya's wedding in July", "Maya's wedding in July"),
        ("Maya's singing is great", "Maya's singing is great"),
        ("Tom's 8 in May", "Tom is 8 in May"),
        ("Tom's 8-core laptop was stolen", "Tom's 8-core laptop was stolen"),
        ("Tom's car was stolen", "Tom's car was stolen"),
    ],
)
def test_what_belongs_to_somebody_is_no_verb(clause: str, told: str) -> None:
    assert name_whom(clause) == told


@pytest.mark.parametrize(
    ("speaker", "clause", "told"),
    [
        ("Ros", "Inka's my stepdaughter", "Inka is Ros's stepdaughter."),
        ("", "Now that I've got the keys to the mill", "The user has got the keys to the mill."),
        ("Gina", "Since I lost my stall at the market", "Gina lost their stall at the market."),
        (
            "",
            "I recently (around May 2031) took a course",
            "The user recently (around May 2031) took a course.",
        ),
        (
            "",
            'I\'m building a "read later" list for my app',
            'The user is building a "read later" list for their app.',
        ),
        (
            "",
            "I'm using Gleam and have planned the tests",
            "The user is using Gleam and has planned the tests.",
        ),
    ],
)
def test_clauses_of_many_shapes_name_their_subject(speaker: str, clause: str, told: str) -> None:
    assert name_subject(clause, speaker=speaker, english=True) == told


@pytest.mark.parametrize(
    "clause", ["I absolutley love kayaks", "It was great when we last talked", 'She said "I quit" to me']
)
def test_what_no_rule_can_turn_keeps_its_own_words(clause: str) -> None:
    assert name_subject(clause, speaker="Maria", english=True) == f"Maria: {clause}."
