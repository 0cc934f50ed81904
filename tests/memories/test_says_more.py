"""What says again what is known, and more, takes its place; what harms is never dropped for a part of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conftest import Team
from tests.memories.conftest import hear, live, remember

pytestmark = pytest.mark.django_db
LATER = datetime(2031, 5, 1, tzinfo=UTC)


def values(team: Team) -> list[str]:
    return sorted(memory.value for memory in live(team))


@pytest.mark.parametrize(
    ("known", "said", "kept"),
    [
        (
            "Restores pianos for a living.",
            "I restore pianos for a living, in a barn near Hexham",
            ["The user restores pianos for a living, in a barn near Hexham."],
        ),
        (
            "The user is allergic to latex.",
            "I'm allergic to latex and kiwis",
            ["The user is allergic to latex and kiwis."],
        ),
        (
            "The user sings in a choir in Bern.",
            "I sing in a choir in Bern every Thursday evening",
            ["The user sings in a choir in Bern every Thursday evening."],
        ),
    ],
)
def test_the_richer_one_stays(scope: Team, known: str, said: str, kept: list[str]) -> None:
    remember(scope, known, source="extraction")

    hear(scope, said, at=LATER, thorough=True)

    assert values(scope) == kept


def test_what_says_less_strengthens_what_is_known(scope: Team) -> None:
    hear(scope, "I restore pianos for a living, in a barn near Hexham")

    hear(scope, "I restore pianos for a living", at=LATER, thorough=True)

    assert values(scope) == ["The user restores pianos for a living, in a barn near Hexham."]


def test_a_relative_of_whom_the_same_is_told_says_it_of_themselves(scope: Team) -> None:
    hear(scope, "I'm allergic to latex.")

    hear(scope, "my sister Ada is allergic to latex and kiwis", at=LATER, thorough=True)

    assert len(values(scope)) == 2
