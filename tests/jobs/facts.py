"""A kind of job for tests that need an effect to count: it works a while, then writes one to-do a fact."""

from __future__ import annotations

import os
import signal
import time
from uuid import UUID

from django.db import connection

from memories.models import Todo
from nebo.jobs.claims import Claim
from nebo.jobs.models import Job
from nebo.jobs.registry import handler
from nebo.jobs.services import enqueue
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team

STEP_S = 0.05


@handler("fact")
def fact(claim: Claim) -> None:
    """Sleep in steps, then write `number` once; the quote tells as whom, the result how often it was tried."""
    ends = time.monotonic() + claim.payload.get("sleep_s", 0)
    while time.monotonic() < ends:
        time.sleep(STEP_S)
    with claim.publish() as result:
        Todo.objects.for_tenant(claim.tenant_id).create(
            person_id=claim.person_id, text=f"fact {claim.payload['number']}", quote=_role()
        )
        result["attempt"] = claim.attempt


@handler("poison")
def poison(claim: Claim) -> None:
    """Takes its worker with it, each time."""
    os.kill(os.getpid(), signal.SIGKILL)


@handler("refused")
def refused(claim: Claim) -> None:
    """Fails with a message no page may show."""
    raise ValueError("alice said: my password is hunter2")


def _role() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        return str(cursor.fetchone()[0])


def state_fact(team: Team, number: int, *, sleep_s: float = 0.0, **options: object) -> Job:
    """Enqueue and commit one fact."""
    payload = {"number": number, "sleep_s": sleep_s}
    with tenant_scope(team.tenant):
        return enqueue(tenant=team.tenant, kind="fact", payload=payload, person_id=team.person.pk, **options)


def list_facts(tenant: Tenant) -> list[str]:
    """The facts written so far, in the order they were written."""
    with tenant_scope(tenant):
        rows = Todo.objects.for_tenant(tenant).filter(text__startswith="fact ").order_by("created_at")
        return [text.removeprefix("fact ") for text in rows.values_list("text", flat=True)]


def load(tenant: Tenant, job_id: UUID) -> Job:
    """A job as it stands now."""
    with tenant_scope(tenant):
        return Job.objects.for_tenant(tenant).get(pk=job_id)
