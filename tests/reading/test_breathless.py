"""Sentences that tell many things in one go, and introductions without verbs: each is told by itself."""

from __future__ import annotations

import pytest

from nebo.encoders.files import has_e5
from nebo.reading.meaning.reader import read_text

pytestmark = pytest.mark.skipif(not has_e5(), reason="reads with the multilingual model")


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        (
            "so the thing is: my shoulder's been frozen since October and I can't lift my kids any more, I've got an "
            "operation on 3 May at the General, so we're two people short in the kitchen anyway",
            "I've got an operation on 3 May at the General",
        ),
        (
            "we live above the bakery at the moment which is loud but cheap and warm, and my wife Ines "
            "starts at the hospital "
            "in April on the children's ward",
            "my wife Ines starts at the hospital in April on the children's ward",
        ),
        (
            "ich hab seit Januar Probleme mit der Schulter, Kalkschulter sagt der Arzt, ich werde am "
            "14. März in der Uniklinik "
            "operiert und falle danach sechs Wochen aus",
            "ich werde am 14. März in der Uniklinik operiert",
        ),
    ],
)
def test_each_clause_of_a_breathless_sentence_is_told_alone(text: str, clause: str) -> None:
    assert any(one.text.startswith(clause) for one in read_text(text).sentences[1:])


def test_what_points_back_stays_with_what_it_points_to() -> None:
    text = (
        "my sister wants to sell the house that our gran left to the two of us in Whitby near the "
        "harbour, and I don't "
        "want that at all because of the garden"
    )

    assert len(read_text(text).sentences) == 1


def test_who_says_only_their_name_is_who_the_rest_is_about() -> None:
    told = [one.text for one in read_text("Hi, Marek here. 51, bus driver in Leeds, two kids.").sentences]

    assert told[1:3] == ["I'm 51", "I'm a bus driver"]


def test_a_name_in_small_letters_is_known_to_the_next_sentence() -> None:
    told = read_text("my brother pavel is staying with us for a while. he's a baker").sentences

    assert told[-1].text == "my brother Pavel is a baker"


def test_what_somebody_is_needs_no_article() -> None:
    told = [
        one.text for one in read_text("Hi, I'm Greta, freelance illustrator, currently in Vilnius").sentences
    ]

    assert told == ["I'm Greta", "I'm a freelance illustrator, currently in Vilnius"]
