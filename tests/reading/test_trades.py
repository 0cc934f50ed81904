"""What somebody is for a living, and what else they may be."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import is_worth_keeping
from nebo.reading.meaning.reader import read_text
from nebo.reading.meaning.trades import find_noun, tells_of_permanence


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("I'm a tree surgeon.", "tree surgeon"),
        ("Ich bin Töpferin.", "Töpferin"),
        ("Soy una alfarera", "alfarera"),
        ("Soy Marta.", ""),
        ("I'm a potter, and I live in Whitby.", ""),
        ("I'm tired.", ""),
    ],
)
def test_what_somebody_says_they_are_is_found_where_they_say_only_that(text: str, noun: str) -> None:
    assert find_noun(text) == noun


@pytest.mark.parametrize("text", ["I'm a potter.", "I'm a luthier.", "Ich bin Imker.", "Soy alfarero."])
def test_a_trade_is_kept_as_work(text: str) -> None:
    [sentence] = read_text(text).sentences

    assert is_worth_keeping(sentence)
    assert sentence.meaning.slot == "work"


@pytest.mark.parametrize(
    "text",
    ["I'm a mess.", "I'm a fan.", "I'm a wimp.", "I'm a bit tired.", "Soy un desastre.", "Ich bin müde."],
)
def test_a_mood_or_a_manner_of_speaking_is_no_trade(text: str) -> None:
    [sentence] = read_text(text).sentences

    assert not is_worth_keeping(sentence)
    assert sentence.meaning.slot != "work"


@pytest.mark.parametrize(
    "text",
    [
        "Me han hecho fijo en el teatro, a jornada completa.",
        "Ich wurde nach der Ausbildung übernommen",
        "ich bin jetzt fest angestellt",
        "je suis passée en CDI",
        "mi hanno assunto a tempo indeterminato",
        "I've been made permanent",
    ],
)
def test_a_job_that_becomes_lasting_is_kept_as_work(text: str) -> None:
    [sentence] = read_text(text).sentences

    assert is_worth_keeping(sentence)
    assert sentence.meaning.slot == "work"


@pytest.mark.parametrize(
    "text",
    [
        "Mi padre es muy fijo en sus ideas",
        "Ich bin froh, dass die Kasse die Kosten übernommen hat",
        "Quiero que me hagan fijo",
        "Giada l'ho assunta a tempo indeterminato",
    ],
)
def test_what_only_sounds_like_it_is_no_lasting_job(text: str) -> None:
    assert not tells_of_permanence(text)
