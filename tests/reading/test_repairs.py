"""What somebody puts right as they speak reads as it is meant; what only sounds so stays as it was said."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_sentence, read_text
from nebo.reading.meaning.repairs import set_right


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Our landlord is called Torben. sorry, Torsten", ["Our landlord is called Torsten."]),
        ("My teacher is Mrs Keller. sorry, Kellner, she's new", None),
        ("I moved here in 2011, sorry, typo, 2012", ["I moved here in 2012"]),
        (
            "Wir proben dienstags und freitags. nee, montags und freitags",
            ["Wir proben montags und freitags."],
        ),
        ("My niece Ida is 6. actually 7", ["My niece Ida is 7."]),
        ("The choir meets on Mondays, I mean Wednesdays", ["The choir meets on Wednesdays"]),
        ("Mi hijo tiene 11 años, perdón, 12", ["Mi hijo tiene 12 años"]),
        ("we can't do the 15th. it's the 22nd", ["we can't do the 15th, it's the 22nd"]),
        ("her party is on 9 may, she'll be 7. no hang on, 8", ["her party is on 9 may, she'll be 8."]),
        ("The stall is in Sligo, no wait, in Boyle, by the bridge", ["The stall is in Boyle, by the bridge"]),
        ("Unsere zweite, nein, dritte Probe ist am 4. Juni", ["Unsere dritte Probe ist am 4. Juni"]),
    ],
)
def test_a_slip_that_is_put_right_at_once_is_never_read(said: str, read: list[str] | None) -> None:
    sentences = [one.text for one in read_text(said).sentences]

    assert sentences == read if read else "Keller." not in " ".join(sentences)


@pytest.mark.parametrize(
    "said",
    [
        "The concert isn't on 3 May, it's on 10 May",
        "My aunt was born in 1951, my uncle in 1953",
        "I have 2 dogs. Actually 7 people asked about them.",
        "We train on Mondays. On Fridays I dance.",
        "Our landlord is called Torben. Torsten is his son.",
        "I work at Brenner. Sorry, I have to run",
        "I'm 52. Sorry, 5 minutes",
        "My daughter Lina is 4. Sorry, Lena is calling",
        "Is the match on Sunday? no wait, Saturday",
        "The rehearsal is at 7.30, not 7",
        "Die Probe ist um 8, nicht um halb 9",
        "Cierro los lunes, no los martes",
        "Ich habe diese Woche drei Nachtdienste. Er ist sieben.",
        "The appointment is at three. He's seven.",
        "I don't sing on Mondays, I sing on Tuesdays",
    ],
)
def test_what_tells_another_thing_puts_nothing_right(said: str) -> None:
    text = " ".join(one.text for one in read_text(said).sentences).replace(",", "")

    assert all(word in text for word in said.translate({ord(mark): None for mark in ",?"}).split())


@pytest.mark.parametrize(
    ("known", "said", "right"),
    [
        (
            "The user swims on Mondays and Fridays.",
            "no wait, it's tuesdays and saturdays",
            "Tuesdays and Saturdays",
        ),
        ("The user was born in 1979.", "sorry, typo, 1978", "1978"),
        ("The user's son Kai is 9.", "actually 10", "10"),
        ("The user's vet is called Marlene.", "sorry, marleen", "Marleen"),
    ],
)
def test_a_bare_correction_is_set_into_what_was_said(known: str, said: str, right: str) -> None:
    assert right in set_right(known, said, read_sentence)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("The user swims on Mondays.", "on Fridays my brother swims"),
        ("The user was born in 1979.", "actually I first flew in 1998 and loved it"),
        ("The user's son Kai is 9.", "actually 10 kids came to the party"),
        ("The user's son Kai is 9.", "sorry, is it 10 already?"),
        ("The user's vet is called Marlene.", "sorry, no time"),
        ("The user lives at number 12.", "no, 3 more minutes please"),
        ("The user has 3 cats and 2 dogs.", "actually 4"),
        ("The user meets Anna on Fridays.", "thanks, see you Thursday"),
    ],
)
def test_what_is_no_bare_correction_sets_nothing(known: str, said: str) -> None:
    assert set_right(known, said, read_sentence) == ""
