"""What one look into the database tells Prometheus: jobs by lane, the worker's heartbeat, rows by tenant.

On the operator's connection, since it is about all tenants; only ids and numbers leave it. A database that doesn't
answer leaves these figures out, and one of them says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import DatabaseError
from django.db.models import Count, Min, Sum
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from memories.models import Memory
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.selectors import find_beat_age_s
from nebo.postgres.clock import database_now
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import operator_scope
from search.models import Corpus

COUNTED_EVERY_S = 300.0  # rows by tenant: a walk along an index, which needn't come with each scrape
OPEN = (Job.State.QUEUED, Job.State.FAILED, Job.State.RUNNING)
# Chunks are a thousand times as many as people, whose corpora know how many they have.
ROWS = {
    "people": (UserProfile, Count("pk")),
    "memories": (Memory, Count("pk")),
    "chunks": (Corpus, Sum("chunks")),
}

Counts = dict[str, dict[str, int]]  # by what is counted, then by tenant


@dataclass(eq=False)
class DatabaseFigures(Collector):
    """Asked at each scrape; counts of rows are kept for five minutes."""

    _counts: Counts = field(default_factory=dict)
    _counted_at: float = float("-inf")  # of time.monotonic()
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The figures, or just that there are none."""
        try:
            with operator_scope():
                found = [*list_job_figures(), heartbeat_figure(), *self._list_row_figures()]
        except DatabaseError:
            found = []
        yield GaugeMetricFamily("nebo_database_up", "1 if the database answers.", value=float(bool(found)))
        yield from found

    def describe(self) -> list[GaugeMetricFamily]:
        """Nothing ahead of time: a registry would ask the database as soon as it is made."""
        return []

    def _list_row_figures(self) -> Iterator[GaugeMetricFamily]:
        with self._lock:
            if time.monotonic() - self._counted_at > COUNTED_EVERY_S:
                self._counts, self._counted_at = count_rows(), time.monotonic()
            counts = self._counts
        yield GaugeMetricFamily("nebo_tenants", "Tenants.", value=Tenant.objects.count())
        for what, by_tenant in counts.items():
            family = GaugeMetricFamily(
                f"nebo_tenant_{what}",
                f"Rows by tenant: {what}, counted every five minutes.",
                labels=["tenant"],
            )
            for tenant, count in by_tenant.items():
                family.add_metric([tenant], count)
            yield family


def list_job_figures() -> Iterator[GaugeMetricFamily]:
    """Open jobs by lane and state, the age of the oldest that is due in each lane, and how many are parked."""
    count = GaugeMetricFamily("nebo_jobs", "Open jobs, by lane and state.", labels=["lane", "state"])
    overdue = GaugeMetricFamily(
        "nebo_jobs_overdue_seconds",
        "How long the oldest waiting job of a lane has been due.",
        labels=["lane"],
    )
    now = database_now(Job)
    rows = Job.unscoped.filter(state__in=OPEN).values_list("lane", "state")
    for lane, state, number, oldest in rows.annotate(Count("pk"), Min("due_at")):
        name = Lane(lane).name.lower()
        count.add_metric([name, state], number)
        if state == Job.State.QUEUED:
            overdue.add_metric([name], max(0.0, (now - oldest).total_seconds()))
    parked = Job.unscoped.filter(state=Job.State.DEAD).count()
    yield count
    yield overdue
    yield GaugeMetricFamily(
        "nebo_jobs_parked", "Jobs that were given up and wait for a person.", value=parked
    )


def heartbeat_figure() -> GaugeMetricFamily:
    """Seconds since a worker's last sign of life; none where there never was one."""
    family = GaugeMetricFamily("nebo_worker_heartbeat_seconds", "Age of the newest sign of life of a worker.")
    age_s = find_beat_age_s()
    if age_s is not None:
        family.add_metric([], age_s)
    return family


def count_rows() -> Counts:
    """Rows of each tenant, whom only the id names."""
    return {
        what: {
            str(tenant): number
            for tenant, number in model.unscoped.values_list("tenant_id").annotate(amount).order_by()
        }
        for what, (model, amount) in ROWS.items()
    }
