"""What is vowed as a figure of speech asks nothing of an agent."""

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.vows import is_vow
from personality.wishes.finding import find_wishes


@pytest.mark.parametrize(
    "text",
    [
        "if I ever run another marathon, shoot me",
        "If I ever buy a boat again, lock me in the cellar",
        "Wenn ich noch mal umziehe, erschieß mich",
        "Si vuelvo a organizar una boda, que me encierren",
        "slap me if I ever say yes to that again",
    ],
)
def test_a_vow_is_no_wish(text: str) -> None:
    assert find_wishes(text, read_text(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "If I ever ask for medical advice, send me to a doctor",
        "Wenn ich auf Deutsch schreibe, antworte auf Deutsch",
        "If I get something wrong, put me right",
    ],
)
def test_what_an_agent_can_do_is_one(text: str) -> None:
    assert not is_vow(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm always here for you, Jo",
        "Still around to cheer you on!",
        "Your jokes keep me going",
        "If there's anything else I can bring, just let me know",
        "ich bin immer für dich da",
        "terminé el curso de cerámica, no me queda energía",
    ],
)
def test_what_somebody_does_themselves_is_no_wish(text: str) -> None:
    assert find_wishes(text, read_text(text)) == []


def test_who_is_something_may_still_wish() -> None:
    for text in (
        "I'm always reading on my phone so keep it short",
        "Your answers are too long, shorter please",
    ):
        assert find_wishes(text, read_text(text)) != []
