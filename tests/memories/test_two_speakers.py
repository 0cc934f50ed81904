"""What one of two people says of themselves settles nothing of the other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memories.learning.relation_effects import ReadMessage, apply_relations_later
from memories.learning.relations import relate
from nebo.reading.meaning.reader import read_text
from tests.conftest import Team
from tests.memories.conftest import JOB, SAID, hear_message, live, say

pytestmark = pytest.mark.django_db


def settle(team: Team, text: str, *, speaker: str) -> int:
    """How many memories a later message of this speaker closes."""
    (message,) = say(team, text, name=speaker)
    (understood,) = relate(
        tenant=team.tenant,
        person_id=team.person.pk,
        persona_id=None,
        readings=[read_text(text)],
        thorough=True,
    )
    read = ReadMessage(message.pk, SAID + timedelta(days=9), understood, speaker)
    return apply_relations_later(tenant=team.tenant, person=team.person, messages=[read], actor=JOB)


@pytest.mark.parametrize(
    "said, speaker, closed",
    [
        ("I've quit the brass band", "Joan", 0),
        ("I've quit the brass band", "Ned", 1),
        ("Ned has quit the brass band", "Joan", 1),
    ],
)
def test_only_who_is_told_of_gives_it_up(scope: Team, said: str, speaker: str, closed: int) -> None:
    (message,) = say(scope, "I play the tuba in a brass band.", name="Ned")
    hear_message(scope, message, speaker="Ned")
    assert [memory.value for memory in live(scope)] == ["Ned plays the tuba in a brass band."]

    assert settle(scope, said, speaker=speaker) == closed
