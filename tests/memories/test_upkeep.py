"""Guesses that nobody confirmed go to the trash, the trash is emptied in time, and faded styles no longer count."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.curation.upkeep import clean_provisional, purge_trash
from memories.models import AuditEntry, Memory, Observation, Version
from memories.storing.edit import confirm_memory, delete_memory, restore_memory
from nebo.jobs.periodic import list_periodic_actions
from nebo.jobs.services import enqueue
from nebo.tenants.scoping import tenant_scope
from search.answers.search import SearchQuery, search
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import AGENT, live, remember

pytestmark = pytest.mark.django_db


def aged(team: Team, value: str, *, days: float = 31, **fields: Any) -> Memory:
    """A memory made so many days ago."""
    memory = remember(team, value, **{"confidence": 0.6, **fields}).memory
    Memory.unscoped.filter(pk=memory.pk).update(created_at=timezone.now() - timedelta(days=days))
    memory.refresh_from_db()
    return memory


@pytest.mark.parametrize(
    ("fields", "goes"),
    [
        ({}, True),
        ({"days": 29.9}, False),
        ({"days": 30.1}, True),
        ({"confidence": 0.64}, True),
        ({"confidence": 0.65}, False),
        ({"confidence": 0.9}, False),
        ({"pinned": True}, False),
    ],
)
def test_a_guess_goes_when_nobody_confirmed_it_for_thirty_days(
    scope: Team, fields: dict[str, Any], goes: bool
) -> None:
    memory = aged(scope, "Perhaps likes tea", **fields)

    assert clean_provisional(tenant=scope.tenant) == goes

    memory.refresh_from_db()
    assert memory.status == ("deleted" if goes else "active")


def test_what_was_seen_again_or_confirmed_stays(scope: Team) -> None:
    again = aged(scope, "Perhaps likes tea")
    Memory.unscoped.filter(pk=again.pk).update(reinforced_count=2)
    sure = aged(scope, "Perhaps plays chess")
    confirm_memory(tenant=scope.tenant, memory=sure, actor=AGENT, seen_version=sure.version)
    Memory.unscoped.filter(pk=sure.pk).update(confidence=0.5)

    assert clean_provisional(tenant=scope.tenant) == 0
    assert len(live(scope)) == 2


def test_cleaning_goes_through_the_door_and_can_be_undone(scope: Team) -> None:
    memory = aged(scope, "Perhaps likes tea")

    clean_provisional(tenant=scope.tenant)

    last = Version.unscoped.filter(memory=memory).order_by("-number").first()
    assert last is not None
    assert (last.action, last.reason) == ("deleted", "Only inferred, and not seen again within 30 days.")
    assert AuditEntry.unscoped.filter(action="memory.deleted", object_id=str(memory.pk)).count() == 1
    query = SearchQuery(text="likes tea", person_id=scope.person.pk)
    assert search(tenant=scope.tenant, query=query, vector=None).results == ()
    memory.refresh_from_db()
    restore_memory(tenant=scope.tenant, memory=memory, actor=AGENT)
    assert [m.value for m in live(scope)] == ["Perhaps likes tea"]


def test_many_are_cleaned_batch_by_batch(scope: Team) -> None:
    for number in range(60):
        aged(scope, f"Perhaps likes drink number {number}", key=f"drink-{number}")
    told: list[int] = []

    assert clean_provisional(tenant=scope.tenant, progress=told.append) == 60

    assert told == [50, 10]
    assert clean_provisional(tenant=scope.tenant) == 0


def test_one_team_alone_is_cleaned(db: None, acme: Team, rival: Team) -> None:
    for team in (acme, rival):
        with tenant_scope(team.tenant):
            aged(team, "Perhaps likes tea")

    assert clean_provisional(tenant=acme.tenant) == 1

    with tenant_scope(rival.tenant):
        assert len(live(rival)) == 1


@pytest.mark.parametrize(("days", "goes"), [(29, False), (31, True)])
def test_the_trash_is_kept_as_long_as_the_team_says(scope: Team, days: int, goes: bool) -> None:
    memory = remember(scope, "Likes tea").memory
    delete_memory(tenant=scope.tenant, memory=memory, actor=AGENT)
    Memory.unscoped.filter(pk=memory.pk).update(deleted_at=timezone.now() - timedelta(days=days))

    assert purge_trash(tenant=scope.tenant) == goes

    assert Memory.unscoped.filter(pk=memory.pk).exists() is not goes
    assert Observation.unscoped.exists() is not goes
    assert AuditEntry.unscoped.filter(action="memory.purged").count() == goes


def test_a_shorter_policy_holds(scope: Team) -> None:
    memory = remember(scope, "Likes tea").memory
    delete_memory(tenant=scope.tenant, memory=memory, actor=AGENT)
    Memory.unscoped.filter(pk=memory.pk).update(deleted_at=timezone.now() - timedelta(days=2))
    scope.tenant.trash_days = 1

    assert purge_trash(tenant=scope.tenant) == 1


@pytest.mark.parametrize("kind", ["clean-provisional", "fade-styles"])
def test_upkeep_is_a_job_that_says_how_much_it_did(db: None, acme: Team, kind: str) -> None:
    with tenant_scope(acme.tenant):
        aged(acme, "Perhaps likes tea")
        gone = remember(acme, "Forget me", key="gone").memory
        delete_memory(tenant=acme.tenant, memory=gone, actor=AGENT)
        Memory.unscoped.filter(pk=gone.pk).update(deleted_at=timezone.now() - timedelta(days=40))
        old = timezone.now() - timedelta(days=15)
        style = remember(
            acme, "Wants it short", key="style/short", layer="tacit", namespace="personality"
        ).memory
        Memory.unscoped.filter(pk=style.pk).update(last_reinforced=old)
        enqueue(tenant=acme.tenant, kind=kind, payload={})

    (job,) = run_jobs(acme.tenant, kind=kind)

    assert job.state == "succeeded", job.error
    assert list(job.result.values()) == [1]
    assert kind in {round_.name for round_ in list_periodic_actions()}
