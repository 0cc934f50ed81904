"""What somebody says beside their name is told of them by name."""

from __future__ import annotations

import pytest

from memories.models import Memory
from tests.conftest import Team
from tests.memories.conftest import hear

pytestmark = pytest.mark.django_db


def test_who_gives_a_name_is_called_so_in_what_follows(scope: Team) -> None:
    scope.person.display_name = ""
    scope.person.save()

    hear(scope, "I'm Marlon. I'm a veterinary nurse, and I have two cats.")

    values = set(Memory.objects.for_tenant(scope.tenant).values_list("value", flat=True))
    assert not [value for value in values if "nurse" in value and "Marlon" not in value], values
    assert "Marlon is a veterinary nurse." in values
