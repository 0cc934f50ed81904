"""Who is spoken of by a pronoun alone."""

from __future__ import annotations

import pytest

from nebo.reading.words.pronouns import leaves_somebody_unnamed


@pytest.mark.parametrize(
    "text",
    [
        "I'll call him on Monday.",
        "Ich rufe ihn am Montag an.",
        "I'll see her on Thursday.",
        "Ich schreibe ihr eine Mail.",
        "Lo llamo el lunes.",
        "La llamo mañana.",
        "Domani vado con loro al mare.",
    ],
)
def test_a_pronoun_with_nobody_before_it_leaves_somebody_unnamed(text: str) -> None:
    assert leaves_somebody_unnamed(text)


@pytest.mark.parametrize(
    "text",
    [
        "My brother says he's tired.",
        "Ada and I think she is right.",
        "Mein Chef sagt, er kommt später.",
        "Mi hermana dice que ella no viene.",
        "Her dog barks.",
        "Ich kenne ihr Haus.",
        "La casa es grande.",
        "Los lunes trabajo.",
        "I'm choosing tiles.",
    ],
)
def test_a_pronoun_for_somebody_named_before_it_or_none_does_not(text: str) -> None:
    assert not leaves_somebody_unnamed(text)
