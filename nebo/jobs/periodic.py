"""Work that comes round: every so often, for each tenant or once for all.

The supervisor asks `run_due` every few seconds. A round for all is taken by one supervisor, whichever asks
first; a tenant's round is a job like any other, so it is claimed, fenced, retried and seen like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import connections, transaction

from nebo.jobs.services import enqueue
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope

TENANTS_A_ROUND = 200  # given a job at once, so that the supervisor's loop is never held up for long
LOOK_EVERY = timedelta(minutes=1)  # how often a daily kind looks for tenants whose day is over

Action = Callable[[], int]


@dataclass(frozen=True, slots=True)
class PeriodicAction:
    """What comes round: `action` runs on the operator's connection, is quick, and says how much it found."""

    name: str
    every: timedelta
    action: Action


_rounds: dict[str, PeriodicAction] = {}


def periodic(name: str, *, every: timedelta) -> Callable[[Action], Action]:
    """Register the function below it to run every so often, once for all tenants."""

    def register(action: Action) -> Action:
        _rounds[name] = PeriodicAction(name, every, action)
        return action

    return register


def for_each_tenant(kind: str, *, every: timedelta) -> None:
    """Give each active tenant a job of `kind` every so often; the kind's handler does the work."""
    _rounds[kind] = PeriodicAction(kind, LOOK_EVERY, lambda: enqueue_due(kind, every=every))


def list_periodic_actions() -> tuple[PeriodicAction, ...]:
    """Everything that comes round, by name."""
    return tuple(_rounds[name] for name in sorted(_rounds))


def run_due() -> dict[str, int]:
    """Run what is due; how much each found, of those that found anything."""
    with operator_scope():
        found = {round_.name: round_.action() for round_ in list_periodic_actions() if _take(round_)}
    return {name: count for name, count in found.items() if count}


# One statement, so that of two supervisors one alone takes the round; the database's clock decides.
TAKE = """
INSERT INTO jobs_heartbeat AS h (name, beat_at, detail) VALUES (%s, clock_timestamp(), '{}')
ON CONFLICT (name) DO UPDATE SET beat_at = excluded.beat_at
WHERE h.beat_at <= clock_timestamp() - make_interval(secs => %s)
RETURNING name
"""


def _take(round_: PeriodicAction) -> bool:
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute(TAKE, [f"round:{round_.name}", round_.every.total_seconds()])
        return cursor.fetchone() is not None


# Tenants whose last job of the kind is older than that, or who never had one.
FIND_DUE = """
SELECT t.id FROM tenants_tenant t
WHERE t.is_active AND NOT EXISTS (
    SELECT 1 FROM jobs_job j
    WHERE j.tenant_id = t.id AND j.kind = %s AND j.created_at > clock_timestamp() - make_interval(secs => %s))
ORDER BY t.id LIMIT %s
"""
# Of a distributed database, where a table that every server has can't be looked up in one that is divided.
FIND_DUE_EVERYWHERE = """
SELECT t.id FROM tenants_tenant t
WHERE t.is_active AND t.id NOT IN (
    SELECT DISTINCT j.tenant_id FROM jobs_job j
    WHERE j.kind = %s AND j.created_at > clock_timestamp() - make_interval(secs => %s))
ORDER BY t.id LIMIT %s
"""


def enqueue_due(kind: str, *, every: timedelta) -> int:
    """A job of `kind` for each tenant that is due one; how many. In the operator's scope."""
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        question = FIND_DUE_EVERYWHERE if IS_DISTRIBUTED else FIND_DUE
        cursor.execute(question, [kind, every.total_seconds(), TENANTS_A_ROUND])
        due: list[UUID] = [tenant_id for (tenant_id,) in cursor.fetchall()]
    for tenant_id in due:
        with transaction.atomic(using=OPERATOR_ALIAS):
            enqueue(tenant=tenant_id, kind=kind, payload={}, dedupe_key=kind)
    return len(due)
