"""Who lay in hospital and is home again."""

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge
from nebo.reading.relations.stays import is_back


def assert_is_over(known: str, said: str) -> None:
    (sentence,) = read_text(said).sentences

    kind, chance = judge(known, sentence)

    assert kind in ("changes", "ends")
    assert chance >= CLEAR


@pytest.mark.parametrize(
    "known, said",
    [
        ("My mam is in the rehab in Navan.", "mam's home again, thank god"),
        ("Gran has been in hospital since Tuesday.", "gran's back home, complaining about the soup already"),
        ("My uncle Ned was taken to hospital with his heart.", "Ned got discharged on Friday"),
        ("I'm in hospital with a broken leg.", "I'm home from hospital, six weeks on crutches"),
        ("Papa liegt in Bremen im Krankenhaus.", "Papa ist seit gestern wieder zu Hause"),
        ("Meine Schwester Antje ist in der Reha.", "Antje ist aus der Reha zurück"),
        ("Opa ist auf der Intensivstation.", "Opa läuft wieder, langsam, aber er läuft"),
        ("Mi abuela está ingresada en el hospital.", "mi abuela ya está en casa"),
        ("Mi tío Ramón está en la UCI.", "a mi tío Ramón le han dado el alta"),
        ("Ma mère est à l'hôpital de Brest.", "ma mère est rentrée à la maison hier"),
        ("Mio nonno è ricoverato a Pavia.", "il nonno è tornato a casa"),
        ("Brigittes Mutter liegt im Krankenhaus.", "meine Schwiegermutter ist wieder zu Hause"),
        ("My mum is in hospital in Derby.", "mum's gone to live with my sister in Buxton"),
    ],
)
def test_a_stay_is_over_once_they_are_home(known: str, said: str) -> None:
    assert_is_over(known, said)


@pytest.mark.parametrize(
    "known, said",
    [
        ("My mam is in the rehab in Navan.", "dad's home again from his fishing trip"),
        ("My mam is in the rehab in Navan.", "mam won't be home until June"),
        ("My mam is in the rehab in Navan.", "hope mam's home soon"),
        ("My sister works in the hospital in Navan.", "my sister's home again"),
        ("Gran has been in hospital since Tuesday.", "I'm home again after the dentist"),
        ("Papa liegt in Bremen im Krankenhaus.", "Mama ist wieder zu Hause"),
        ("Papa liegt in Bremen im Krankenhaus.", "Papa darf nächste Woche nach Hause"),
        ("Mi abuela está ingresada en el hospital.", "mi padre ya está en casa"),
        ("Antje ist Ärztin in der Klinik in Kiel.", "Antje ist wieder zu Hause"),
        ("My mum lives in Derby.", "mum's back home"),
        ("I'm a nurse at the hospital.", "I'm back home"),
    ],
)
def test_others_and_what_is_only_hoped_leave_it(known: str, said: str) -> None:
    assert not is_back(known, said)


@pytest.mark.parametrize(
    "known, said",
    [
        ("My aunt is staying with us since the flood.", "my aunt went home this morning, peace at last"),
        ("My brother Theo is crashing at mine.", "Theo's moved out again"),
        ("Meine Mutter ist bei uns zu Besuch.", "Meine Mutter ist heimgefahren"),
        ("My cousin Jude is sleeping on our sofa.", "Jude's got his own place now"),
        ("Mein Bruder schläft auf unserem Sofa.", "Mein Bruder hat jetzt eine eigene Wohnung"),
        ("Mi prima duerme en mi casa.", "mi prima se ha ido hoy"),
        ("Ma sœur loge chez nous.", "ma sœur est repartie"),
        ("Mio zio sta con noi.", "mio zio è tornato a casa"),
    ],
)
def test_a_guest_who_has_gone_stays_no_longer(known: str, said: str) -> None:
    assert_is_over(known, said)


@pytest.mark.parametrize(
    "known, said",
    [
        ("My aunt is staying with us since the flood.", "my aunt left her keys in the car"),
        ("My aunt is staying with us since the flood.", "my uncle went home this morning"),
        ("My aunt is staying with us since the flood.", "my aunt goes home next week"),
        ("My aunt is staying with us since the flood.", "my aunt came home with us from the fair"),
        ("My aunt lives in Bath.", "my aunt went home this morning"),
        ("My cousin Jude is sleeping on our sofa.", "Jude is looking for his own place"),
        ("My cousin Jude is sleeping on our sofa.", "Jude hasn't got his own place yet"),
    ],
)
def test_a_guest_who_has_not_gone_stays(known: str, said: str) -> None:
    assert not is_back(known, said)
