"""How people type: a label before the news, endings left off, an order behind its object, one more errand by "and"."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.put_right import put_right
from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.listed import split_listed
from nebo.reading.requests.todos import find_todos
from nebo.reading.words.object_first import put_verb_first

DAY = date(2031, 5, 1)


def facts(text: str) -> list[str]:
    found = [find_fact(one, speaker="Zed", on=DAY) for one in read_text(text).sentences]
    return [one.value for one in found if one]


def todos(text: str, *, before: str = "") -> list[str]:
    return [todo.text for one in read_text(text, before=before).sentences for todo in find_todos(one, DAY)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("home situation: im in a bedsit in Hull with my cousin Agnes", "Zed is in a bedsit in Hull"),
        ("so: i have a boyfriend, Anselm", "Zed has a boyfriend, Anselm"),
        ("kleines update bei uns: ich wohne jetzt in Bremen", "Ich wohne jetzt in Bremen"),
        ("eine sache noch: ich hab ne laktoseintoleranz", "hab ne laktoseintoleranz"),
        ("un detalle: soy alérgica al látex", "alérgica al látex"),
    ],
)  # fmt: skip
def test_a_label_before_the_news_is_no_part_of_it(text: str, kept: str) -> None:
    assert any(kept in value for value in facts(text))


@pytest.mark.parametrize(
    "text",
    ["my landlord said: i am moving to Leeds", "song lyrics: i live in a yellow submarine",
     "wenn er sagt: ich wohne in Ulm", "text for the flyer, translate it: i live in Hull"],
)  # fmt: skip
def test_who_is_quoted_behind_a_colon_is_not_the_speaker(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ich bin 33, komm aus Fürth, hab zwei Hunde", "Ich komm aus Fürth"),
        ("ich bin Gärtnerin, wohn in Celle", "Ich wohn in Celle"),
    ],
)  # fmt: skip
def test_a_german_verb_without_its_ending_has_the_speaker_for_its_subject(text: str, kept: str) -> None:
    assert any(kept in value for value in facts(text))
    assert not any("bin komm" in value or "bin wohn" in value for value in facts(text))


@pytest.mark.parametrize("text", ["bin zu meinen eltern", "Ich bin nach Hause", "ich bin dann zu ihr"])
def test_where_somebody_has_gone_is_no_fact(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize("text", ["ich bin zu 50 Prozent schwerbehindert", "ich bin nach Rostock gezogen"])
def test_but_what_holds_is_one(text: str) -> None:
    assert facts(text) != []


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("My neighbour Alf's wife is Danish, she runs a kiln", "My neighbour Alf's wife"),
        ("Rupert's older sister Maud lives in Ely", "Rupert's older sister Maud"),
        ("Rupert's car broke down", "Rupert"),
        ("My granddaughter Tilda lives in Ely", "My granddaughter Tilda"),
        ("Mi nieta Leire estudia en Soria", "Mi nieta Leire"),
    ],
)  # fmt: skip
def test_somebodys_relative_is_somebody_else(text: str, who: str) -> None:
    found = find_antecedent(text)
    assert found is not None and found.who == who


def test_what_is_told_of_a_relative_of_theirs_is_not_told_of_them() -> None:
    values = facts("my neighbour Alf is a plumber. his wife is Danish, she runs a pottery")

    assert any("wife runs a pottery" in value for value in values)
    assert not any("Alf runs a pottery" in value for value in values)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("Soy Benita, tengo 68 años y mi nieto me ha instalado esto.", "mi nieto Unai tiene 14 años"),
        ("Joan is 68 and their granddaughter set this up.", "my granddaughter Tess is 14, she set it up"),
        ("Ich bin 68 und meine Enkelin hat mir das eingerichtet.", "meine Enkelin Thea ist 14"),
    ],
)  # fmt: skip
def test_nobody_is_as_old_as_their_grandchild(known: str, stated: str) -> None:
    assert put_right(known, stated) == ""


def test_an_age_of_ones_own_is_put_right() -> None:
    assert put_right("Joan is 68 and their granddaughter set this up.", "sorry, I'm 69").startswith(
        "Joan is 69"
    )


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("what I told you about my brother's debts, please forget it", "forget what I told you about "
         "my brother's debts"),
        ("oh and the stuff about my brother and the lodger, delete that", "forget the stuff "
         "about my brother and the lodger"),
        ("das mit meiner Kündigung vergiss bitte wieder", "vergiss das mit meiner Kündigung"),
        ("was ich über Gundula erzählt hab, das kannst du löschen", "vergiss was ich über Gundula erzählt hab"),
        ("oye, lo que te conté de mi jefa olvídalo, que está sensible", "olvida lo "
         "que te conté de mi jefa, que está sensible"),
        ("ce que je t'ai dit sur Karim, oublie-le", "oublie ce que je t'ai dit sur Karim"),
    ],
)  # fmt: skip
def test_an_order_to_forget_may_stand_behind_what_is_meant(text: str, order: str) -> None:
    assert put_verb_first(text) == order
    assert read_text(text).sentences[0].meaning.is_sure("forget")


@pytest.mark.parametrize(
    "text",
    [
        "das mit dem Zug kannst du vergessen, der fährt sonntags nicht",
        "the thing about Rome is that you never forget it",
        "lo de la mudanza no lo olvides",
        "what I told you about the trip still stands",
    ],
)
def test_what_only_sounds_so_is_no_order(text: str) -> None:
    assert put_verb_first(text) == text


@pytest.mark.parametrize(
    ("before", "text", "todo"),
    [
        ("I have to send the tax form by Friday", "and renew my fishing licence, sometime in March",
         "Renew my fishing licence"),
        ("Ich muss bis Freitag die Steuer abgeben", "und demnächst den Kaminkehrer anrufen", "den Kaminkehrer anrufen"),
        ("Ich muss noch die Miete überweisen", "und irgendwann das Rad anmelden auf Lübeck",
         "das Rad auf Lübeck anmelden"),
        ("Tengo que llamar al dentista", "y renovar el carné", "Renovar el carné"),
    ],
)  # fmt: skip
def test_one_more_errand_needs_no_second_have_to(before: str, text: str, todo: str) -> None:
    for found in (todos(text, before=before), todos(f"{before}. {text}")):
        assert any(todo.lower() in one.lower() for one in found)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I have to send the tax form by Friday", "and my sister renews her passport every year"),
        ("My uncle keeps bees", "and my aunt wants to renew her licence"),
        ("Tengo que llamar al dentista", "y mi hermana vive en Jaca"),
    ],
)
def test_what_else_is_told_is_no_errand(before: str, text: str) -> None:
    assert todos(text, before=before) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Ich muss bis Freitag den Bericht schreiben, 12 seiten, thema Moore", 1),
        ("The gas bill still isn't paid, remind me to do it before 5 June", 1),
        ("Ich muss die Fenster putzen und den Keller aufräumen", 2),
    ],
)
def test_a_remark_on_an_errand_is_no_second_one(text: str, count: int) -> None:
    assert len(todos(text)) == count


def test_what_is_said_of_a_listed_errand_is_none() -> None:
    listed = split_listed("todo: Auto in Wels anmelden, Versicherung kündigen, hat man vier Wochen Zeit")

    assert listed is not None and listed.acts == ["Auto in Wels anmelden", "Versicherung kündigen"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("i can't do mornings until my daughter's out of nursery. She has epilepsy", "daughter has epilepsy"),
        ("i can't do mornings until my daughter's out of nursery. She's Tilda, 3. she has epilepsy",
         "daughter has epilepsy"),
        ("My fella Ambrose reckons I should quit. He's a plumber.", "fella Ambrose is a plumber"),
    ],
)  # fmt: skip
def test_a_relative_named_in_passing_is_who_is_meant_next(text: str, kept: str) -> None:
    assert any(kept in value for value in facts(text))


def test_of_two_who_are_named_neither_is_meant() -> None:
    values = facts("I went to see my brother and my uncle. He has epilepsy")

    assert not any("brother has" in value or "uncle has" in value for value in values)


@pytest.mark.parametrize(
    "text",
    [
        "my boss, old Hartnell, says i'll be queen one day",
        "meine chefin, die olle Grabowski, meint ich werd noch papst",
        "mi cuñado, el listo, dice que soy millonaria",
        "Deja el trabajo en mayo, quiere ser panadera.",
        "ich fahr jeden Sonntag hin",
        "I go there every Sunday",
    ],
)
def test_what_others_say_or_do_is_no_fact_about_the_speaker(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize("text", ["Deja mi hermana Pilar su trabajo en mayo", "I go to Leeds every Sunday"])
def test_who_and_where_is_named_is_kept(text: str) -> None:
    assert facts(text) != []


def test_an_age_that_was_told_wrong_is_not_kept_beside_the_right_one() -> None:
    values = facts("ich hab gesagt ich bin 52, bin aber schon 53")

    assert any("53" in value for value in values) and not any("52" in value for value in values)


@pytest.mark.parametrize(
    "text",
    [
        "tengo que cambiar de banco antes de que termine el año",
        "I have to change banks before the year is out",
    ],
)
def test_the_end_of_the_year_is_a_day_to_be_done_by(text: str) -> None:
    (todo,) = (todo for one in read_text(text).sentences for todo in find_todos(one, DAY))

    assert todo.due == date(2031, 12, 31)
    assert "año" not in todo.text and "year" not in todo.text


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        ("erinner mich an die Anmeldung zum Kurs, frist is der 15. juli", "Die Anmeldung zum Kurs"),
        ("Ich muss bis Freitag die Kaution überweisen, merk dir das", "Die Kaution überweisen"),
        ("I need to send in the form by 12 June, pls keep that on the list", "Send in the form"),
    ],
)
def test_what_is_only_said_beside_an_errand_is_no_part_of_it(text: str, todo: str) -> None:
    assert todos(text) == [todo]
