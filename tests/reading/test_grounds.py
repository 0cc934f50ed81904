"""Everyday talk ends nothing by reading like a change; what says that something changed, does."""

import pytest

from nebo.reading.meaning.put_right import put_right
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge


def judged(known: str, said: str) -> tuple[str, float]:
    (sentence,) = read_text(said).sentences
    return judge(known, sentence)


@pytest.mark.parametrize(
    "known, said",
    [
        ("The user is using Django 5.2 and Python 3.12.", "I've installed ruff and it's working"),
        ("The user is using MySQL 8 for the orders.", "I've been using polars 1.9 to load the orders"),
        ("The user has tables for orders, customers and refunds.", "I have 9,000 customers and 400 refunds now"),
        ("The user has chosen Svelte over React for its bundles.", "I'm using Svelte 5 and Vite for the frontend"),
        ("The user has an internet installation appointment on 28 June at 10 am.",
         "I'll put the internet installation appointment in my calendar, with a reminder 15 minutes before"),
        ("Painting was Ida's first love, and now Ida shines in pottery.", "Pottery has been such a gift for me."),
        ("Ida is lactose intolerant.", "I made it with oat milk so it's lactose-free"),
        ("Ida loves tortoises.", "I took my tortoises to the vet yesterday"),
        ("Ben won their first chess tournament last week.", "I won my third chess tournament on Sunday"),
        ("Ben ran a charity race in May.", "I ran a marathon in June"),
        ("The user's friend Lou showed them the climbing gym.", "Lou told me about her own fear of heights yesterday"),
        ("The user rang the landlord in Cork on 3 March about the boiler.",
         "the plumber's visit is set for 9 April, at the flat in Cork"),
        ("The user pays £40 monthly for the allotment and its shed.",
         "I drew up a plan for the allotment, but I'm not sure if £90 for a greenhouse is enough"),
        ("The user runs 30 km a week for the half marathon.",
         "I'm not sure if I should change how many km I run a week after what the physio said"),
        ("The user has been at the bakery with Noor since June 2022, and they plan the bread weekly.",
         "I just got back from a baking fair on 9 May and met seven millers"),
        ("The user is thinking about applying at the zoo in Chester.",
         "My cousin Ava recommended a vet in Chester yesterday"),
        ("The user is choosing an oven for the bakery.", "If you have any more ideas for ovens, tell me"),
        ("The user has a season ticket for the tram.", "don't let me let the season ticket expire"),
        ("The user has a Times subscription.", "I mustn't let the Times subscription lapse"),
        ("Ich habe ein Abo vom Spiegel.", "das Spiegel-Abo darf mir nicht auslaufen"),
        ("The user is using Perl 5.38 and nginx 1.25.", "I've read the logs with Polars 1.9.0 and nginx 1.25, fine"),
        ("The user keeps drafts in plain folders, and they don't plan to buy a cabinet.",
         "the drafts are taking up 40 GB at the moment"),
        ("The user gave bread to the shelter on 19 April, since the shelter matters to them.",
         "I had my neighbours Ada and Lin over for supper on 20 April, and everyone liked the soup"),
    ],
)  # fmt: skip
def test_what_is_told_beside_it_ends_nothing(known: str, said: str) -> None:
    kind, chance = judged(known, said)

    assert kind not in ("changes", "ends") or chance < CLEAR


@pytest.mark.parametrize(
    "known, said",
    [
        ("The user is using Django 5.2.", "we've moved to Django 6.0"),
        ("I use Jest for the tests.", "I've switched from Jest to Vitest"),
        ("The demo is on 20 January.", "the demo is on 27 January now"),
        ("The user's team has six people.", "we're eight people in the team now"),
        ("The user works at the museum in Siena.", "I'm at the museum in Lucca now"),
        ("The user plays in a samba band.", "I've left the samba band"),
        ("The user has a canoe.", "sold the canoe on Saturday"),
        ("The user doesn't eat fish.", "I eat fish again"),
    ],
)
def test_what_says_that_it_changed_closes_it(known: str, said: str) -> None:
    kind, chance = judged(known, said)

    assert kind in ("changes", "ends")
    assert chance >= CLEAR


@pytest.mark.parametrize(
    "known, said",
    [
        ("Ben won their first chess tournament.", "Playing chess and watching films are my main hobbies"),
        (
            "Ida is working on dairy-free recipes for friends.",
            "Dairy-free is a must for me, especially for desserts",
        ),
    ],
)
def test_what_adds_most_of_its_words_is_no_repetition(known: str, said: str) -> None:
    assert judged(known, said)[0] != "same"


def test_a_version_of_one_thing_is_none_of_another() -> None:
    assert put_right("The user is using MySQL 8 for the orders.", "it's polars 1.9 for the orders") == ""
    assert put_right("The user is using MySQL 8 for the orders.", "no, MySQL 9") == (
        "The user is using MySQL 9 for the orders."
    )
    assert put_right("The appointment is at 10 am.", "remind me 15 minutes before") == ""


def test_an_amount_of_money_is_put_right_by_another_one() -> None:
    rent = "The user pays £950 rent, with £40 for the garage."

    assert put_right(rent, "the bus takes 25 minutes, and the £40 is for the garage") == ""
    assert put_right("The rent is £950.", "sorry, it's 980") == "The rent is £980."
    assert put_right("The rent is £950.", "it's 15 minutes") == ""


@pytest.mark.parametrize(
    "known, said",
    [
        ("I'm afraid of heights", "Is no longer afraid of heights"),
        ("The user trusts two-factor login on their Proton mail.", "never used two-factor login on my Proton mail"),
    ],
)  # fmt: skip
def test_a_not_beside_most_of_the_words_repeats_nothing(known: str, said: str) -> None:
    assert judged(known, said)[0] != "same"
