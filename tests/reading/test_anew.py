"""What a new sentence leaves no room for, though it says nothing of it."""

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.ages import ages_differ, set_age
from nebo.reading.relations.anew import takes_its_place
from nebo.reading.relations.judging import CLEAR, judge


@pytest.mark.parametrize(
    "known, said",
    [
        ("Lives in Leeds", "York now, closer to my mum"),
        ("Does Thursdays and Fridays late.", "no more lates for me, it's nine to five now"),
        ("Has an interview in Cork on the 14th of May.", "got the Cork job!"),
        ("Studies law at Durham", "i'm a librarian now, done with classrooms"),
        ("Uses Vim", "went over to VS Code for good"),
        ("My gran lives with us.", "gran's gone into a care home now"),
        ("Vivo en Cádiz cuando no navego.", "We're in Vigo now, third floor"),
        ("Habite à Nantes", "on vient de déménager à Rennes"),
        ("Works at the bakery on Mill Road", "I started at the library on Monday"),
        ("My brother Tom works at Bosch.", "Tom started at Siemens last month"),
        ("Mein Bruder Tom arbeitet bei Bosch.", "Tom hat bei Siemens angefangen"),
        ("Meine Tochter Svea studiert in Kopenhagen.", "Svea spielt jetzt im Orchester von Malmö"),
        ("Works night shifts mostly", "i switched to days, no more nights thank god"),
        ("Has a job interview on Tuesday", "got the job!!"),
        ("Hat sich mit dem Bruder gestritten", "wir haben uns wieder vertragen"),
        ("Se peleó con Marta", "ya hicimos las paces"),
        ("Hedda's moving to Tromsø in spring.", "Hedda's in Tromsø now"),
        ("Ich fange im Mai bei Siemens an.", "Ich arbeite jetzt bei Siemens"),
        ("Piet ist fünf.", "Piet ist jetzt sechs"),
        (
            "Davide fa il rappresentante, sta sempre in giro.",
            "Davide ha cambiato lavoro, adesso è in ufficio",
        ),
        ("No como carne desde el año pasado.", "volví a comer carne, no aguanté más"),
        ("We're playing on 20 May at Loco Club.", "El concierto se ha pasado al 27 de mayo."),
        ("I've my driving test on 3 June.", "L'examen de conduite est repoussé au 10 juin."),
        ("It's only part time, twenty hours a week.", "Me han hecho fijo en el teatro, a jornada completa."),
    ],
)
def test_what_begins_takes_the_place_of_what_was(known: str, said: str) -> None:
    (sentence,) = read_text(said).sentences

    kind, chance = judge(known, sentence)

    assert kind in ("changes", "ends")
    assert chance >= CLEAR


@pytest.mark.parametrize(
    "known, said",
    [
        ("My sister Hedda lives in Bergen.", "Hedda's moving to Tromsø in spring"),
        ("Meine Schwester Hedda wohnt in Bergen.", "Hedda zieht im Frühjahr nach Tromsø"),
        ("Mi hermana Hedda vive en Bergen.", "Hedda se va a mudar a Tromsø"),
        ("Lives in Leeds", "we've got a flat in York now as well"),
        ("My sister works nights at the Royal.", "no more lates for me, it's nine to five now"),
        ("Goes to bed late.", "they're open nine to five now"),
        (
            "Lore: Ich bin gegen Wespenstiche allergisch.",
            "hab mit dem Rauchen aufgehört, seit Ostern keine mehr",
        ),
        ("Works at the bakery on Mill Road", "I've started a second job at the library"),
        ("Works at the bakery on Mill Road", "I work at the library on Saturdays"),
        ("Works at the bakery on Mill Road", "I'm volunteering at the library now"),
        ("My brother Tom works at Bosch.", "Tom plays in a band now"),
        ("Meine Tochter Svea studiert in Kopenhagen.", "Svea spielt jetzt Tennis"),
        ("Wants to run a marathon", "got the job!!"),
        ("Had a huge fight with their brother about the will", "Marta and I made up"),
        ("Se peleó con Marta", "nos volvimos a pelear"),
        ("Their son Max is 7", "Lena is 8 now"),
        ("Nos mudamos el 15 de mayo a Benimaclet.", "The gig has been moved to 27 May"),
        ("My mum's exam is on 3 June.", "Le concert est repoussé au 10 juin."),
        ("My brother Tom works full time at Bosch.", "I'm part time now"),
        (
            "Elia non va più a calcio, adesso fa basket.",
            "mi sono sbagliata, Elia fa la terza, non la seconda",
        ),
        ("Mein Mann Ole hat donnerstags frei.", "Ole ist jetzt bei einer Zimmerei angestellt."),
    ],
)
def test_what_both_may_hold_is_left_alone(known: str, said: str) -> None:
    (sentence,) = read_text(said).sentences

    kind, chance = judge(known, sentence)

    assert kind not in ("changes", "ends") or chance < CLEAR


@pytest.mark.parametrize(
    "known, said, differ",
    [
        ("Edie and Rufus turned 4 last week.", "edie and rufus are 5 actually", True),
        ("Mi hija Lía tiene seis años.", "lía ya tiene siete", True),
        ("Mis gemelas Ana y Eva tienen 2 añitos.", "Las gemelas cumplieron 3 el sábado", True),
        ("Meine Zwillinge Kai und Jan sind 6.", "die Zwillinge wurden gestern 7", True),
        ("Lena's son Max is 7.", "max is seven", False),
        ("Max is 7 and Lena is 9.", "max is 8", False),
        ("Max is 7 minutes late.", "max is 8", False),
    ],
)
def test_ages_of_the_same_people_are_compared(known: str, said: str, differ: bool) -> None:
    assert ages_differ(known, said) is differ


def test_a_new_age_is_set_into_the_fact_without_the_day_of_the_old_one() -> None:
    known = "Tamsin has twins, Edie and Rufus, they turned 4 last week (the week before 23 November 2026)."

    assert (
        set_age(known, "edie and rufus are 5 actually") == "Tamsin has twins, Edie and Rufus, they turned 5."
    )


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I work as a marine biologist.", "I work for the Instituto do Mar now."),
        ("Lena works as a nurse on nights.", "I work at St Olav's now."),
        ("Maren adopted a cat called Nelson this week.", "I adopted a cat called Frida this week."),
    ],
)
def test_what_leaves_room_ends_nothing(known: str, stated: str) -> None:
    kind, chance = judge(known, read_text(stated).sentences[0])
    assert kind not in ("changes", "ends") or chance < CLEAR


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I have an operation on 3 May.", "the op went well, back at my desk on Monday"),
        ("Ich werde am 14. März operiert.", "die Operation ist gut verlaufen"),
        ("Tengo el examen el 4 de junio.", "el examen me salió genial"),
        (
            "No me hablo con mi prima Marta desde agosto.",
            "he hecho las paces con Marta, lloramos como tontas",
        ),
    ],
)
def test_what_is_behind_somebody_is_over(known: str, stated: str) -> None:
    assert takes_its_place(known, read_text(stated).sentences[0])


def test_what_went_well_for_others_is_still_to_come() -> None:
    assert not takes_its_place("I have an operation on 3 May.", read_text("Tom's op went well").sentences[0])
    assert not takes_its_place("I have an operation on 3 May.", read_text("my exam went well").sentences[0])
