"""What somebody had said wrongly is left out where they say what is so."""

from __future__ import annotations

import pytest

from nebo.encoders.files import has_e5
from nebo.reading.meaning.reader import read_text

pytestmark = pytest.mark.skipif(not has_e5(), reason="reads with the multilingual model")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("I said Nadia was 12, she turned 13 on Sunday", "Nadia turned 13 on Sunday"),
        ("I told you I work for the council, I actually work for a charity", "I work for a charity"),
        (
            "ich hab gesagt Emil ist in der dritten Klasse, er ist schon in der vierten",
            "Emil ist schon in der vierten",
        ),
        ("te dije que mi hermana vive en Vigo, mi hermana se mudó a Lugo", "mi hermana se mudó a Lugo"),
    ],
)
def test_what_holds_is_told_by_itself(text: str, holds: str) -> None:
    (told,) = read_text(text).sentences

    assert told.text == holds
    assert told.meaning.chances["correction"] >= 0.4


@pytest.mark.parametrize(
    "text", ["I told you I'd call, I forgot", "I said to Tom that we move, he was thrilled"]
)
def test_what_was_not_said_wrongly_stays(text: str) -> None:
    assert "".join(one.text for one in read_text(text).sentences).startswith(text.split(",")[0])
