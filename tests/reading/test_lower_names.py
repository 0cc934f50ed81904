"""Names typed in small letters: found where a name may stand and the word looks like one, and known ones anywhere."""

from __future__ import annotations

import pytest

from nebo.reading.facts.near_names import list_beside_kin, write_known_names
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("mi marido, paco, es marinero, se tira meses fuera", ["Paco"]),
        ("tenemos dos niños: lola, de 12, y álvaro, de 9", ["Lola", "Álvaro"]),
        ("je vis avec mon mec, bastien, il est graphiste à son compte", ["Bastien"]),
        ("on est locataires rue bressigny, on a deux chats, plume et socrate", ["Plume", "Socrate"]),
        ("wohne mit meiner freundin jule zusammen in altona", ["Jule"]),
        ("hab ne tochter aus ner früheren beziehung, die ronja, 7, die is oft bei mir", ["Ronja"]),
        ("wir ham zwei kinder, die sandra und den thorsten", ["Sandra", "Thorsten"]),
        ("me peleé con mi hermano nico por la camioneta", ["Nico"]),
        ("kollegin ayşe hilft mir beim umzug", ["Ayşe"]),
        ("con la vecina de arriba, la encarni", ["Encarni"]),
        ("ich bin malte, 33, altenpfleger in nem heim in bergedorf", ["Malte"]),
    ],
)
def test_a_name_in_small_letters_gets_its_capital(text: str, names: list[str]) -> None:
    read = " ".join(sentence.text for sentence in read_text(text).sentences)

    assert [name for name in names if name not in read] == []


@pytest.mark.parametrize(
    "text",
    [
        "ma sœur vient demain",
        "mein bruder arbeitet bei bosch",
        "mi hermana pequeña vive en cádiz",
        "ich geh mit meiner freundin schwimmen",
        "meine mutter, krank seit jahren, wohnt in kiel",
        "mia madre, stanca, dorme sempre",
        "my brother moved to leeds",
    ],
)
def test_what_is_no_name_stays_small(text: str) -> None:
    assert " ".join(sentence.text for sentence in read_text(text).sentences) == text


def test_whoever_is_named_beside_the_speaker_is_known_then() -> None:
    assert list_beside_kin("Ich wohne mit meiner Freundin Jule zusammen in Altona.") == ["Jule"]
    assert list_beside_kin("Tenemos dos niños: Lola, de 12, y Álvaro, de 9.") == ["Lola", "Álvaro"]
    assert list_beside_kin("Meine Mutter hat Angst vor Hunden.") == []
    assert list_beside_kin("I live with my wife. Paris is nice.") == []


def test_a_known_name_is_written_large_where_somebody_is_meant() -> None:
    known = ["Paco", "Caro", "Lola"]

    assert write_known_names(known, "paco está ya en casa, con lola") == "Paco está ya en casa, con Lola"
    assert write_known_names(known, "es muy caro") == "es muy caro"
