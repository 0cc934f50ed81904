"""What a person asks to have remembered and is no fact of its own."""

from __future__ import annotations

import pytest

from memories.models import Memory, Version
from tests.conftest import Team
from tests.memories.conftest import hear, live

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Please make a note that the boiler is under guarantee until 2031.", "boiler is under guarantee"),
        ("Notier dir bitte: Filterbeutel Typ G.", "Filterbeutel Typ G"),
        ("Apunta que el código del portal es el de siempre.", "l código del portal es el de siempre"),
        ("Retiens bien pour plus tard que le compteur est à la cave.", "e compteur est à la cave"),
        ("Segnati che la caldaia va a 1,5 bar.", "a caldaia va a 1,5 bar"),
    ],
)
def test_what_is_to_be_remembered_is_kept_in_the_persons_words(scope: Team, said: str, kept: str) -> None:
    (memory,) = hear(scope, said)

    assert kept in memory.value
    assert memory.importance >= 2
    assert "remember" in memory.tags


@pytest.mark.parametrize(
    "said",
    [
        "Do you remember when we met?",
        "I can't remember the name of that film.",
        "Remember me to your wife!",
        "I'll keep that in mind next time I have to ask for a rise.",
        "Das mit dem Ventil merke ich mir.",
        "Lo tendré en cuenta para la próxima.",
    ],
)
def test_talk_of_remembering_is_no_note(scope: Team, said: str) -> None:
    assert [memory for memory in hear(scope, said) if "remember" in memory.tags] == []


@pytest.mark.parametrize(
    "said",
    ["Remember that resting is very important.", "Just remember that a detour can turn out a shortcut."],
)
def test_what_two_people_tell_each_other_to_remember_is_no_note(scope: Team, said: str) -> None:
    assert hear(scope, said, speaker="Ines", shared=True) == []


def test_what_the_agent_of_two_people_is_told_to_remember_is(scope: Team) -> None:
    (memory,) = hear(scope, "Please make a note that the boiler is under guarantee until 2031.", shared=True)

    assert "boiler" in memory.value


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("Please make a note that my card is 4111 1111 1111 1111.", "4111"),
        ("Please make a note that my IBAN is DE89 3704 0044 0532 0130 00.", "3704"),
        ("Merk dir bitte: mein Passwort ist Xk29!pLq7.", "xk29"),
    ],
)
def test_a_secret_reaches_no_field_of_what_is_kept(scope: Team, said: str, secret: str) -> None:
    hear(scope, said)

    assert live(scope) == []
    rows = Memory.unscoped.values_list("key", "value", "tags", "memory_key", "metadata")
    history = Version.unscoped.values_list("after", flat=True)
    assert secret not in str([*rows, *history]).lower()
