"""Styles past their lifespan: count × 14 days since they were last seen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from memories.models import Memory, Version
from memories.storing.edit import pin_memory
from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from personality.styles.evidence import strongest
from personality.styles.fading import fade_styles
from personality.styles.selectors import list_styles
from tests.conftest import Team
from tests.memories.conftest import AGENT, remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def scope(db: None, acme: Team) -> Iterator[Team]:
    with tenant_scope(acme.tenant):
        yield acme


def style(team: Team, name: str, *, count: int, days: float) -> Memory:
    """A style seen so often, the last time so many days ago."""
    made = remember(team, f"Trait {name}", key=f"style/{name}", layer="tacit", namespace="personality")
    last = timezone.now() - timedelta(days=days)
    Memory.unscoped.filter(pk=made.memory.pk).update(reinforced_count=count, last_reinforced=last)
    return made.memory


@pytest.mark.parametrize(
    ("count", "days", "fades"),
    [(1, 13.9, False), (1, 14, True), (2, 27.9, False), (2, 28, True), (5, 69.9, False), (5, 70, True),
     (10, 139.9, False), (10, 140, True), (0, 13.9, False), (0, 14, True)],
)  # fmt: skip
def test_a_style_lives_a_fortnight_for_each_time_it_was_seen(
    scope: Team, count: int, days: float, fades: bool
) -> None:
    made = style(scope, "terse", count=count, days=days)

    assert fade_styles(tenant=scope.tenant) == fades

    made.refresh_from_db()
    assert made.status == ("archived" if fades else "active")
    assert list_styles(tenant=scope.tenant, person_id=scope.person.pk).exists() is not fades


def test_fading_says_why_and_makes_the_directive_due(scope: Team) -> None:
    made = style(scope, "terse", count=1, days=20)
    Job.objects.for_tenant(scope.tenant).filter(kind="directive").delete()

    fade_styles(tenant=scope.tenant)

    last = Version.unscoped.filter(memory=made).order_by("-number").first()
    assert last is not None
    assert (last.action, last.reason) == (
        "archived",
        "Not seen again within 14 days for each time it was seen.",
    )
    assert Job.objects.for_tenant(scope.tenant).filter(kind="directive").count() == 1


def test_what_a_person_pinned_and_what_is_no_style_stay(scope: Team) -> None:
    pinned = style(scope, "terse", count=1, days=99)
    pinned.refresh_from_db()
    pin_memory(tenant=scope.tenant, memory=pinned, actor=AGENT)
    directive = remember(
        scope, "Keep it short.", key="directive", layer="tacit", namespace="personality"
    ).memory
    Memory.unscoped.filter(pk=directive.pk).update(last_reinforced=timezone.now() - timedelta(days=99))
    Job.objects.for_tenant(scope.tenant).filter(kind="directive").delete()

    assert fade_styles(tenant=scope.tenant) == 0
    assert not Job.objects.for_tenant(scope.tenant).filter(kind="directive").exists()


def test_a_wish_said_outright_stands_until_another_takes_its_place(scope: Team) -> None:
    made = style(scope, "short-replies", count=1, days=99)
    Memory.unscoped.filter(pk=made.pk).update(metadata={"slot": "length", "wished": "yes"})

    assert fade_styles(tenant=scope.tenant) == 0
    others = [style(scope, name, count=1, days=1) for name in ("dry", "warm")]
    made.refresh_from_db()
    assert {memory.pk for memory in strongest([made, *others], now=timezone.now())} >= {made.pk}
