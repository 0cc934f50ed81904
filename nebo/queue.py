"""The only module that knows django-q2: rows that wake a worker at their time, and the cluster of workers.

A wake is a hint, never the truth about work: it is taken out of the table the moment a cluster pulls it, may be
lost with the process that held it, and may come twice. Our own job rows and the sweeper make up for both.
So django-q2's retry clock, acknowledgements and attempt counts, which lie after a kill, play no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.utils import timezone
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.signing import SignedPackage

# `now()` and not `clock_timestamp()`: only a stable function can be looked up in the index on (key, lock, id).
TAKE_ONE_WAKE = """
    DELETE FROM django_q_ormq WHERE id = (
        SELECT id FROM django_q_ormq WHERE key = %s AND lock <= now()
        ORDER BY lock, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING payload
"""


def wake(task: str, arguments: Sequence[str], *, at: datetime) -> int:
    """Have a worker call `task` (a dotted path) with `arguments` (ids only) at `at`; the broker row's id.

    Part of the caller's transaction: without its commit nobody is woken.
    """
    row = OrmQ.objects.create(key=Conf.CLUSTER_NAME, payload=_package(task, arguments), lock=at)
    wake_id: int = row.pk
    return wake_id


def move_wake(wake_id: int, *, at: datetime) -> bool:
    """Let a wake come at another time; False when a cluster has already taken it."""
    return bool(OrmQ.objects.filter(pk=wake_id).update(lock=at))


def drop_wake(wake_id: int) -> bool:
    """Take a wake back; False when a cluster has already taken it."""
    deleted, _ = OrmQ.objects.filter(pk=wake_id).delete()
    return bool(deleted)


def list_lost_wakes(wake_ids: Sequence[int]) -> set[int]:
    """Those of `wake_ids` that stand in the table no longer."""
    present = OrmQ.objects.filter(pk__in=wake_ids).values_list("pk", flat=True)
    return set(wake_ids) - set(present)


def _package(task: str, arguments: Sequence[str]) -> str:
    """The signed payload as a django-q2 worker wants it."""
    package: dict[str, Any] = {
        "id": uuid4().hex,
        "name": task.rpartition(".")[2],
        "func": task,
        "args": tuple(arguments),
        "kwargs": {},
        "started": timezone.now(),
        "ack_failure": True,
    }
    signed: str = SignedPackage.dumps(package)
    return signed
