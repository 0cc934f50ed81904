"""While a handler works, a thread beside it renews the lease and shows that the worker lives."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import structlog
from django.db import Error as DatabaseError
from django.db import connections

from nebo.jobs.claims import Claim, renew_lease
from nebo.jobs.worker.heartbeat import beat
from nebo.queue import TIME_LIMIT_S

log = structlog.get_logger(__name__)

RENEW_S = 10.0  # a third of the lease
JOIN_S = 5.0  # for the thread's last statement


@contextmanager
def keep_lease(claim: Claim, *, every_s: float = RENEW_S, limit_s: float = TIME_LIMIT_S) -> Iterator[None]:
    """Renew the lease every `every_s` seconds for at most `limit_s`, so that stuck work loses it in the end."""
    ended = Event()
    thread = Thread(
        target=_renew, args=(claim, ended, every_s, limit_s), name=f"lease-{claim.job_id}", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(JOIN_S)


def _renew(claim: Claim, ended: Event, every_s: float, limit_s: float) -> None:
    """Work of less than `every_s` seconds never opens this thread's connection."""
    limit = time.monotonic() + limit_s
    try:
        while not ended.wait(every_s) and time.monotonic() < limit:
            if not _renewed(claim):
                log.warning("job_lease_gone", job_id=str(claim.job_id), attempt=claim.attempt)
                return
    finally:
        connections.close_all()  # those of this thread


def _renewed(claim: Claim) -> bool:
    """False when the lease is gone; a database that can't be reached is asked again next time."""
    try:
        beat()
        return renew_lease(claim)
    except DatabaseError as error:
        log.warning("job_lease_not_renewed", job_id=str(claim.job_id), error=type(error).__name__)
        connections.close_all()
        return True
