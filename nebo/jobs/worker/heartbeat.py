"""Signs of life: a row a cluster, which a worker writes when a beat came all the way through the queue."""

from __future__ import annotations

import os

from nebo.jobs.models import Heartbeat
from nebo.jobs.worker.logged_errors import LoggedErrors
from nebo.jobs.workers import cluster_name
from nebo.postgres.clock import ClockTimestamp

BEAT = "nebo.jobs.worker.heartbeat.beat"
WORKER_PREFIX = "worker:"


def beat_name() -> str:
    """The row of this process's cluster."""
    return WORKER_PREFIX + cluster_name()


def beat() -> None:
    """Say that this worker lives, by the database's clock; in silence where the database can't be reached."""
    with LoggedErrors("beat_not_written"):
        _write()


def _write() -> None:
    Heartbeat.objects.bulk_create(
        [Heartbeat(name=beat_name(), beat_at=ClockTimestamp(), detail={"pid": os.getpid()})],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["beat_at", "detail"],
    )
