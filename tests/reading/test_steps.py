"""What seems worth keeping and isn't: steps of some work, pieces of sentences, and what only others' words explain."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.leads import open_with
from nebo.reading.facts.statements import find_fact
from nebo.reading.facts.steps import is_step
from nebo.reading.facts.stumps import is_stump
from nebo.reading.facts.verdicts import is_musing, is_verdict
from nebo.reading.meaning.answered import state_answer
from nebo.reading.meaning.cutting import is_inside
from nebo.reading.meaning.reader import read_text

NAME = "Wren"
ON = date(2033, 5, 2)


def learned(said: str) -> list[str]:
    facts = (find_fact(one, speaker=NAME, on=ON) for one in read_text(said).sentences)
    return [fact.value for fact in facts if fact]


@pytest.mark.parametrize(
    "step",
    [
        "I've added a retry to the upload job and it stops after three tries.",
        "I'm passing the customer id in the header of each request.",
        "I've solved nine of the ten exercises on tangents.",
        "I'm trying to figure out whether the folding bike is worth the extra cost.",
        "I think splitting it into smaller tasks will be key for me.",
        "I've been reading about different ways to do it, and a small library might help.",
    ],
)
def test_a_step_of_some_work_is_not_kept(step: str) -> None:
    assert is_step(step)
    assert learned(step) == []


@pytest.mark.parametrize(
    "lasting",
    [
        "I'm building a seed exchange with Phoenix and Postgres.",
        "We decided to host the seed exchange on our own server.",
        "The seed exchange has to be online by 1 March.",
        "I've been going to physio for my shoulder since August.",
        "I'm trying to sell the boat before the winter.",
        "I was in the last four of the county darts and I won.",
    ],
)
def test_what_the_work_is_about_is_kept(lasting: str) -> None:
    assert not is_step(lasting)


def test_no_doubt_is_left_off_that_is_all_there_is_behind_a_day() -> None:
    said = (
        "Since the move on 3 May, I'm still deciding on the best school for my son, and I want to make sure I'm not "
        "missing anything."
    )

    assert learned(said) == [
        "Since the move on 3 May, Wren is still deciding on the best school for their son."
    ]


def test_an_outcome_behind_a_fact_is_kept_with_it() -> None:
    said = "I was in the final of the county darts on 30 April, and I won."

    assert learned(said) == ["Wren was in the final of the county darts on 30 April, and they won."]


def test_a_doubt_behind_a_fact_is_not_kept_with_it() -> None:
    said = "I've been offered a post in Bergen from August, but I'm not sure how to decide."

    assert is_step("I'm not sure how to decide")
    assert learned(said) == ["Wren has been offered a post in Bergen from August."]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        (
            "I'm into stamps, coins, and old maps.",
            ["Wren is into stamps, coins, and old maps."],
        ),
        ("Can you plan a dinner with 40% carbs, 35% protein, and 25% fat, like I had in June?", []),
        ("Since I've moved to Leith, with two cats.", ["Wren has moved to Leith, with two cats."]),
        (
            "I always use a wall planner to stay on track, see deadlines and remember birthdays.",
            ["Wren always uses a wall planner to stay on track, see deadlines and remember birthdays."],
        ),
        ("Sharing songs with people from all over - that's great!", []),
        (
            "Dyed my hair last week - come see!",
            ["Wren dyed their hair last week (the week before 2 May 2033) - come see."],
        ),
        (
            "I recently sold my shares of the mill on 13 August.",
            ["Wren recently sold their shares of the mill on 13 August."],
        ),
    ],
)
def test_a_list_and_a_clause_stay_whole(said: str, values: list[str]) -> None:
    assert learned(said) == values


@pytest.mark.parametrize(
    "said",
    [
        "I made it in the evening class yesterday.",
        "I'm writing one with my neighbour for the parish.",
        "Last August I told you about my walk along the canal with Jo.",
        "I've had them since May.",
        "As someone who learns late, with little time for grammar.",
        "I've decided to keep it over the old one for now.",
        "The flood in our valley was the reason behind it.",
        "Especially since its screen is so bright.",
    ],
)
def test_what_only_other_words_explain_is_not_kept(said: str) -> None:
    assert learned(said) == []


def test_an_order_for_what_is_asked_is_no_habit_of_the_speaker() -> None:
    assert learned("Always use the metric system when I ask about recipes.") == []


def test_a_question_behind_a_fact_is_left_off() -> None:
    said = "I bought a boat on 3 May, is that something I should insure?"

    assert learned(said) == ["Wren bought a boat on 3 May."]


def test_who_one_is_stays_with_what_one_wonders() -> None:
    said = "As someone who's 24 and earns about 1,100 a month, I'm not sure how to pay for the funeral."

    assert any("24" in value for value in learned(said))


@pytest.mark.parametrize(
    "verdict",
    [
        "Given my budget and how seldom I sew, the Juki sounds like a good choice.",
        "I think the smaller kiln would be a great fit for my shed.",
        "The long warranty is a big plus for me.",
        "Rowing has been such a great journey for me.",
        "The new rota has been tough lately.",
        "I'll check out both saddles to see which one suits my horse.",
        "I'll make sure to bring my logbook and my licence.",
        "Der kleinere Ofen scheint die richtige Wahl für mich.",
        "El horno pequeño parece la mejor opción para mi taller.",
        "Le petit four semble être un bon choix pour mon atelier.",
        "Il forno piccolo sembra una buona scelta per il mio laboratorio.",
    ],
)
def test_what_one_makes_of_a_proposal_is_not_kept(verdict: str) -> None:
    assert is_verdict(verdict)
    assert learned(verdict) == []


@pytest.mark.parametrize(
    "fact",
    [
        "I bought the smaller kiln for my shed.",
        "My knee has been bad since the marathon.",
        "The choir has been great since Marta took over as conductor.",
        "My saddle was a good choice for long rides.",
        "I'll be in Ghent from June.",
        "Ich sehe mir gern alte Filme an.",
    ],
)
def test_what_one_has_or_does_is_no_verdict(fact: str) -> None:
    assert not is_verdict(fact)


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("What could I cook with 200 g of rice, 30 g of lentils, and the pumpkin, like I did in June", []),
        ("Can you plan a week, considering my rowing hours and spice rack organization", []),
        (
            "Since the council approved our loft extension, what should we do next?",
            ["The council approved Wren's loft extension."],
        ),
        (
            "On another note, I just adopted a greyhound from a kennel last week.",
            ["Wren just adopted a greyhound from a kennel last week (the week before 2 May 2033)."],
        ),
    ],
)
def test_a_piece_of_a_question_is_no_fact(said: str, values: list[str]) -> None:
    assert learned(said) == values


def test_what_somebody_enjoys_is_not_what_they_are_doing() -> None:
    assert not any("is learning" in value for value in learned("Learning about old trades fascinates me."))


def test_when_before_who_is_no_bare_answer() -> None:
    assert state_answer("Do you have favourite games?", "During the holidays, we mostly play cards.") == ""
    assert state_answer("Hast du Lieblingsspiele?", "An Weihnachten spielen wir Karten.") == ""


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("I'm choosing between the barn for 900, the mill for 1,100", "and the flat for 1,300"),
        ("I want a car that's not only cheap", "but also roomy"),
        ("Ich suche ein Rad, das nicht nur leicht ist", "sondern auch billig"),
        ("Busco una bici no solo ligera", "sino también barata"),
        ("Je cherche un vélo non seulement léger", "mais aussi solide"),
        ("Cerco una bici non solo leggera", "ma anche robusta"),
    ],
)
def test_nothing_is_cut_between_two_of_a_kind(left: str, right: str) -> None:
    assert is_inside(left, right)


@pytest.mark.parametrize(
    "advice",
    [
        "Meals are sacred, so make sure you eat enough.",
        "Schlaf ist heilig, also pass auf dich auf.",
        "El sueño es una prioridad, así que cuídate.",
        "Le sommeil est une priorité, alors prends soin de toi.",
        "Il sonno è una priorità, quindi abbi cura di te.",
    ],
)
def test_advice_to_whoever_listens_tells_nothing_of_oneself(advice: str) -> None:
    assert is_stump(advice)
    assert not is_stump("My aunt makes sure that I eat enough.")


@pytest.mark.parametrize(
    "musing",
    [
        "I want to make sure that I'm using the latest versions of these tools.",
        "Ich möchte nur sicherstellen, dass meine App auf allen Handys läuft.",
        "Quiero asegurarme de que la web funciona en el móvil.",
        "I'm trying to decide between the kiln for 900, the wheel for 700, and a course for both.",
        "I'm considering how the new saddle will change my rides.",
        "I've been having some trouble with my kiln, which stops at 900 degrees.",
        "I'm using a multimeter to track down a short in the kiln.",
        "Ich überlege noch, welchen Ofen ich nehme.",
        "Estoy tratando de decidir qué horno compro.",
        "J'hésite entre deux fours pour mon atelier.",
        "Sto cercando di capire quale forno prendere.",
    ],
)
def test_a_choice_that_is_not_made_yet_is_not_kept(musing: str) -> None:
    assert is_musing(musing)
    assert learned(musing) == []


def test_a_plan_is_no_musing() -> None:
    assert is_musing("We need to make sure that the boat shed is locked.")
    assert not is_musing("I'm trying to sell the boat before the winter.")
    assert not is_musing("I'm considering a course in pottery for next year.")
    assert not is_musing("I'm using Terraform to manage our servers.")


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("As a joiner from Leith, Scotland", "I'm a joiner from Leith, Scotland"),
        ("Als Schreiner in Graz", "Ich bin Schreiner in Graz"),
        ("Como enfermera en Cádiz", "Soy enfermera en Cádiz"),
        ("En tant que boulanger à Lille", "Je suis boulanger à Lille"),
        ("Come sarta a Bari", "Sono sarta a Bari"),
        ("As a joiner with a weak spot for oak", "I'm a joiner with a weak spot for oak"),
        ("As a rule, I eat early", "As a rule, I eat early"),
        ("As a joiner from Leith I know oak", "As a joiner from Leith I know oak"),
    ],
)
def test_who_one_is_before_a_question_is_told(clause: str, told: str) -> None:
    assert open_with(clause) == told


@pytest.mark.parametrize(
    ("clause", "stump"),
    [
        ("I'm currently using the following recipe for my bread.", True),
        ("Ich verwende folgendes Rezept für mein Brot.", True),
        ("Uso la siguiente receta para mi pan.", True),
        ("J'utilise la recette suivante.", True),
        ("Uso la ricetta seguente.", True),
        ("I moved to Leith the following year.", False),
        ("Ich zog im folgenden Jahr nach Graz.", False),
    ],
)
def test_what_stands_below_is_no_fact(clause: str, stump: bool) -> None:
    assert is_stump(clause) is stump


def test_the_next_thing_that_and_joins_is_no_sentence_of_its_own() -> None:
    said = "I'm planning to move the blog to Ghost and Stripe checkout for paid posts in four countries."

    assert [one.text for one in read_text(said).sentences] == [said]


def test_who_turns_to_another_note_asks_to_note_nothing() -> None:
    said = "On another note, I just adopted this cute greyhound from a shelter last week."

    assert not any(one.meaning.is_sure("remember") for one in read_text(said).sentences)


@pytest.mark.parametrize(
    "said",
    [
        "Wir nehmen jetzt doch den Kachelofen, das ist beschlossen.",
        "Al final nos quedamos con la caldera de gas, está decidido",
    ],
)
def test_what_is_said_to_be_decided_is_kept(said: str) -> None:
    assert learned(said)


@pytest.mark.parametrize(
    "said",
    [
        "ok we'll have pizza, that's settled",
        "nothing's decided yet, maybe the oak floor",
        "is it decided that we take the oak floor?",
        "Das ist beschlossen.",
        "So it's settled then.",
    ],
)
def test_what_decides_nothing_that_lasts_is_not(said: str) -> None:
    assert learned(said) == []
