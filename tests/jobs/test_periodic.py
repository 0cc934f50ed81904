"""What comes round: taken once, a job a tenant, and no second one before its time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nebo.jobs import periodic
from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.periodic import PeriodicAction, enqueue_due, for_each_tenant, run_due
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.conftest import Team

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _no_other_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: dict[str, PeriodicAction] = {}
    monkeypatch.setattr(periodic, "_rounds", rounds)


def kinds(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        return list(Job.objects.for_tenant(team.tenant).values_list("kind", flat=True))


def age(name: str) -> None:
    with operator_scope():
        Heartbeat.objects.filter(name=f"round:{name}").update(beat_at="2020-01-01T00:00:00Z")


def test_a_round_runs_once_in_its_time(committed_db: None) -> None:
    ran: list[str] = []
    periodic.periodic("count", every=DAY)(lambda: len(ran.append("x") or ran))

    assert run_due() == {"count": 1}
    assert run_due() == {}
    age("count")
    assert run_due() == {"count": 2}


def test_each_tenant_is_given_a_job_and_no_second_one_the_same_day(
    committed_db: None, acme: Team, rival: Team
) -> None:
    for_each_tenant("echo", every=DAY)

    run_due()
    age("echo")
    run_due()

    assert (kinds(acme), kinds(rival)) == (["echo"], ["echo"])


def test_a_tenant_switched_off_is_given_none(committed_db: None, acme: Team, rival: Team) -> None:
    with operator_scope():
        Tenant.objects.filter(pk=rival.tenant.pk).update(is_active=False)
        enqueue_due("echo", every=DAY)

    assert (kinds(acme), kinds(rival)) == (["echo"], [])


def test_a_tenant_is_given_another_when_its_day_is_over(committed_db: None, acme: Team) -> None:
    with operator_scope():
        enqueue_due("echo", every=DAY)
        Job.unscoped.update(state="succeeded", created_at="2020-01-01T00:00:00Z")
        enqueue_due("echo", every=DAY)

    assert kinds(acme) == ["echo", "echo"]
