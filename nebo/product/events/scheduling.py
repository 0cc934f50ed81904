"""When deliveries are due, a job of their endpoint is: one at a time, so that a receiver never gets two at once."""

from __future__ import annotations

from uuid import UUID

from django.db import connections, transaction

from nebo.jobs.lanes import Lane
from nebo.jobs.services import enqueue
from nebo.tenants.scoping import OPERATOR_ALIAS

KIND = "deliver-events"
ENDPOINTS_A_ROUND = 200

# Ids alone, of all teams: endpoints with something due, and no job that would see to it.
FIND_DUE = """
SELECT e.tenant_id, e.id, e.is_slow FROM events_endpoint e JOIN tenants_tenant t ON t.id = e.tenant_id
WHERE t.is_active AND e.state = 'active' AND (e.hold_until IS NULL OR e.hold_until <= clock_timestamp())
  AND EXISTS (
    SELECT FROM events_delivery d
    WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.state = 'pending' AND d.due_at <= clock_timestamp())
  AND NOT EXISTS (
    SELECT FROM jobs_job j
    WHERE j.tenant_id = e.tenant_id AND j.dedupe_key = 'deliver-events:' || e.id
      AND j.state IN ('queued', 'failed', 'running'))
LIMIT %s
"""


def schedule(*, tenant_id: UUID, endpoint_id: UUID, is_slow: bool = False) -> None:
    """A job that sends what is due, as part of the caller's transaction. One whose receiver is slow goes where it can't
    hold up what somebody waits for.
    """
    enqueue(
        tenant=tenant_id,
        kind=KIND,
        payload={"endpoint": str(endpoint_id)},
        dedupe_key=f"{KIND}:{endpoint_id}",
        lane=Lane.BACKFILL if is_slow else Lane.SESSION,
    )


def schedule_due() -> int:
    """A job for each endpoint with something due; how many. In the operator's scope."""
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute(FIND_DUE, [ENDPOINTS_A_ROUND])
        due: list[tuple[UUID, UUID, bool]] = cursor.fetchall()
    for tenant_id, endpoint_id, is_slow in due:
        with transaction.atomic(using=OPERATOR_ALIAS):
            schedule(tenant_id=tenant_id, endpoint_id=endpoint_id, is_slow=is_slow)
    return len(due)
