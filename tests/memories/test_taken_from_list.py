"""One of several that a fact lists is gone: the others stay."""

from __future__ import annotations

import pytest

from memories.models import Memory
from nebo.reading.relations.endings import taken_from_list
from tests.conftest import Team
from tests.memories.conftest import hear

pytestmark = pytest.mark.django_db


def live(team: Team) -> list[str]:
    rows = Memory.objects.for_tenant(team.tenant).filter(status=Memory.Status.ACTIVE)
    return sorted(rows.values_list("value", flat=True))


def test_what_is_left_is_known_and_what_is_gone_is_not(scope: Team) -> None:
    hear(scope, "At work we use Flutter and Supabase.")
    hear(scope, "We dropped Supabase, it's plain Postgres now.", thorough=True)

    known = live(scope)

    assert any("Flutter" in one for one in known)
    assert not [one for one in known if "Supabase" in one and "dropped" not in one]
    assert any("Postgres" in one for one in known)


def test_what_cannot_be_put_without_it_stays(scope: Team) -> None:
    hear(scope, "I have two cats, Mio and Lulu.")
    hear(scope, "Lulu died last week.", thorough=True)

    assert any("Mio" in one for one in live(scope))


@pytest.mark.parametrize(
    ("known", "stated", "left"),
    [
        ("Ana plays tennis, squash and golf.", "I've given up squash", "Ana plays tennis and golf."),
        ("Ana uses Flask and Redis.", "we got rid of Redis in the end", "Ana uses Flask."),
        ("Ana has two cats, Mio and Lulu.", "Lulu's died", ""),
        ("Ana lives in Leeds and Bristol.", "We moved to Bristol", None),
        ("Ana plays tennis and squash.", "I gave up tennis and dropped squash", None),
        ("Ana plays tennis.", "I've given up tennis", None),
    ],
)
def test_only_what_is_said_to_be_gone_is_taken_off(known: str, stated: str, left: str | None) -> None:
    assert taken_from_list(known, stated) == left
