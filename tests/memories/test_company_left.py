"""What goes on without somebody who left is kept without them: in words, on cards, and in what it is about."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memories.models import Memory
from tests.conftest import Team
from tests.memories.conftest import SAID, hear

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("told", "left", "kept", "name"),
    [
        ("I run a bookbinding workshop in Hexham with my business partner Owen",
         "Owen has left. Really left, he's going to teach.",
         "runs a bookbinding workshop in Hexham.", "owen"),
        ("Ich betreibe eine kleine Brauerei in Jena mit meinem Geschäftspartner Falk",
         "Falk ist ausgestiegen, ich mache das jetzt allein", "kleine Brauerei in Jena.", "falk"),
        ("Llevo una librería en Lugo con mi socio Darío",
         "Darío se ha ido, ahora la llevo yo sola", "librería en Lugo.", "dario"),
    ],
)  # fmt: skip
def test_work_is_kept_without_the_partner_who_left(
    scope: Team, told: str, left: str, kept: str, name: str
) -> None:
    hear(scope, told)

    hear(scope, left, at=SAID + timedelta(days=30), thorough=True)

    rows = Memory.objects.for_tenant(scope.tenant)
    work = rows.get(status=Memory.Status.ACTIVE, value__endswith=kept)
    assert not any(name in ref for ref in work.entity_refs)
    assert rows.get(status=Memory.Status.SUPERSEDED).superseded_by_id == work.pk


def test_who_only_left_something_behind_stays_a_partner(scope: Team) -> None:
    hear(scope, "I run a bookbinding workshop in Hexham with my business partner Owen")

    hear(scope, "Owen left the glue open again", at=SAID + timedelta(days=30), thorough=True)

    values = Memory.objects.for_tenant(scope.tenant).filter(status=Memory.Status.ACTIVE)
    assert any("with their business partner Owen" in memory.value for memory in values)
