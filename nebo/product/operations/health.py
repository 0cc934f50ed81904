"""`/healthz`: whether process, database and worker are alive. Nobody is asked who they are; no tenant's data.

    200  {"status": "ok", "parts": {"process": {"status": "ok"}, "database": {…}, "worker": {…, "age_s": 2.1}}}
    200  {"status": "ok", "parts": {…, "embedding": {"status": "degraded", "detail": "…"}}}: found by words alone
    503  {"status": "failing", "parts": {…, "worker": {"status": "failing", "detail": "no heartbeat for 61 s"}}}

`?live` looks at the process alone: a restart does not mend a database.

`/readyz` says whether requests may be sent here. It looks at two things more: whether the database has all migrations
of this code, and whether texts can be embedded (503 where the model of this installation can't be used; a provider
elsewhere that fails only degrades). A replica that can't be read from degrades, too: the primary is read instead.
"""

from __future__ import annotations

import threading
from typing import Any

from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nebo.env import env
from nebo.jobs.selectors import find_beat_age_s
from nebo.postgres.replica import has_replica
from nebo.tenants.reading import find_fault
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope
from search.embeddings.vectors import find_failure

LOCAL = ("local/", "hashing/")  # what the names of models begin with that are computed here
SILENT_S = 45.0  # the supervisor's own patience with a worker (docs/design.md#job-numbers)

_migrated = threading.Event()

Part = dict[str, Any]
OK: Part = {"status": "ok"}


def failing(detail: str, **more: Any) -> Part:
    """A part that does not work, and why."""
    return {"status": "failing", "detail": detail, **more}


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The parts, and one word for all of them."""
    parts = {"process": OK} if "live" in request.GET else look_at_parts()
    well = are_well(parts)
    return JsonResponse({"status": "ok" if well else "failing", "parts": parts}, status=200 if well else 503)


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether this process can take requests: 503 names the parts that can't."""
    parts = look_at_parts()
    if parts["database"] == OK:
        parts |= {"migrations": migrations_part(), "embedding": embedder_part(), **replica_parts()}
    ready = are_well(parts)
    return JsonResponse(
        {"status": "ready" if ready else "not ready", "parts": parts}, status=200 if ready else 503
    )


def migrations_part() -> Part:
    """Whether the database has seen all migrations; once it has, this process needn't ask again."""
    if not _migrated.is_set():
        try:
            waiting = list_waiting_migrations()
        except DatabaseError:
            return failing("can't be read")
        if waiting:
            return failing(f"{len(waiting)} to be applied: {', '.join(waiting[:3])}")
        _migrated.set()
    return OK


def list_waiting_migrations() -> list[str]:
    """`app.name` of each that the code has and the database hasn't."""
    with operator_scope():
        loader = MigrationLoader(connections[OPERATOR_ALIAS])
    return sorted(".".join(name) for name in set(loader.disk_migrations) - set(loader.applied_migrations))


def embedder_part() -> Part:
    """A model of this installation must work; one that is asked elsewhere may come back."""
    part = embedding_part()
    if part != OK and env.embedding_model.startswith(LOCAL):
        return failing("the model of this installation can't be used: `manage.py doctor` says why")
    return part


def replica_parts() -> dict[str, Part]:
    """How the replica is, where the settings name one."""
    if not has_replica():
        return {}
    fault = find_fault()
    if fault:
        return {"replica": {"status": "degraded", "detail": f"{fault}: everything is read from the primary"}}
    return {"replica": OK}


def are_well(parts: dict[str, Part]) -> bool:
    """Whether none of them fails; a degraded part doesn't count, since the rest goes on."""
    return all(part["status"] != "failing" for part in parts.values())


def look_at_parts() -> dict[str, Part]:
    """One query tells of database and worker."""
    try:
        age_s = find_beat_age_s()
    except DatabaseError:
        return {"process": OK, "database": failing("does not answer"), "worker": failing("not known")}
    return {"process": OK, "database": OK, "worker": worker_part(age_s), "embedding": embedding_part()}


def embedding_part() -> Part:
    """Without vectors search goes on by words. The log and `doctor` have the provider's answer."""
    if not find_failure():
        return OK
    return {"status": "degraded", "detail": "no vectors are made: search finds by words alone"}


def worker_part(age_s: float | None) -> Part:
    """The worker's heartbeat; None where there is none."""
    if age_s is None:
        return failing("no worker runs")
    age = round(age_s, 1)
    if age_s > SILENT_S:
        return failing(f"no heartbeat for {age_s:.0f} s", age_s=age)
    return {**OK, "age_s": age}
