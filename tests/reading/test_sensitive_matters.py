"""Which classes of sensitive matters a text tells of; on sentences that no fit saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from nebo.reading.sensitive import classes
from nebo.reading.sensitive.classes import find_classes
from nebo.reading.sensitive.kinds import CLASSES
from nebo.reading.sensitive.words import WORDS, find_worded
from nebo.reading.training.fit_sensitive import read_labelled

UNSEEN = Path(__file__).parent / "sensitive_cases" / "unseen.tsv"
TRAINED = Path(classes.__file__).parents[1] / "training" / "sensitive"


def test_most_of_what_it_finds_is_sensitive_and_it_finds_most_of_it() -> None:
    found = [(label, find_classes(text)) for label, text in read_labelled(UNSEEN)]

    taken = [label for label, names in found if names]
    there = [names for label, names in found if label != "-"]
    assert sum(label != "-" for label in taken) / len(taken) >= 0.9
    assert sum(bool(names) for names in there) / len(there) >= 0.8


def test_no_sentence_was_seen_by_the_fit() -> None:
    trained = {text for path in TRAINED.glob("*.tsv") for _, text in read_labelled(path)}

    assert not trained & {text for _, text in read_labelled(UNSEEN)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We talked about the fence. My doctor put me on insulin last week.", "health"),
        ("- lives in Bonn\n- religion: Catholic", "religion"),
        ('{"name": "Ute", "note": "was convicted of theft in 2011"}', "crime"),
        ("Ich bin homosexuell", "sexuality"),
        ("Tengo una deuda de treinta mil euros", "finances"),
    ],
)
def test_one_sentence_among_others_is_enough_in_any_notation(text: str, name: str) -> None:
    assert name in find_classes(text)


@pytest.mark.parametrize(
    "text",
    [
        "My sister plays the cello in Basel.",
        "Wir treffen uns am Freitag um acht im Café.",
        "The nurse's office wants the invoice by Monday.",
        "Prefers tabs over spaces.",
        "",
    ],
)
def test_ordinary_talk_is_of_none(text: str) -> None:
    assert find_classes(text) == frozenset()


def test_each_class_has_words_for_where_no_encoder_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes, "has_e5", lambda: False)
    classes.classes_of.cache_clear()

    assert set(WORDS) == set(CLASSES)
    assert classes.classes_of("Has diabetes.") == find_worded("Has diabetes.") == {"health"}
    classes.classes_of.cache_clear()
