"""What runs: the web server on its port, and a worker behind it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
from django.db import DatabaseError

from nebo.env import Environment, env
from nebo.jobs.selectors import find_beat_age_s
from nebo.product.operations.findings import Finding, broken, note, ok
from nebo.product.operations.health import SILENT_S
from nebo.product.operations.local_client import open_client
from nebo.product.operations.ports import PortTaken, check_port

PROBE_S = 5.0


def look(*, database_works: bool, environment: Environment = env) -> Iterator[Finding]:
    """The worker can be judged only with a database, and by whether anything is being served."""
    port = look_at_port(environment)
    yield port
    if database_works:
        yield look_at_worker(is_served=port.state == "ok")


def look_at_port(environment: Environment) -> Finding:
    """Free, ours, or somebody else's."""
    name = f"Port {environment.port}"
    try:
        check_port(environment.host, environment.port)
    except PortTaken as taken:
        if _is_ours(environment):
            return ok(name, f"Nebo answers at {environment.base_url}")
        return broken(name, str(taken), "Stop that process, or choose another port with PORT=.")
    except OSError as error:
        return broken(name, f"{environment.host}: {error.strerror}", "Mend HOST and PORT.")
    return note(name, "free: no web server runs here", "`make run` starts one.")


def _is_ours(environment: Environment) -> bool:
    try:
        with open_client(environment) as client:
            answer = client.get("/healthz?live", timeout=PROBE_S)
            return answer.is_success and "parts" in answer.json()
    except (httpx.HTTPError, ValueError):
        return False


def look_at_worker(*, is_served: bool) -> Finding:
    """Its heartbeat goes through the queue, so a fresh one means that work is done."""
    try:
        age_s = find_beat_age_s()
    except DatabaseError:
        return broken("Worker", "its table can't be read", "Run `manage.py migrate`.")
    if age_s is not None and age_s <= SILENT_S:
        return ok("Worker", f"last heartbeat {age_s:.0f} s ago")
    detail = "none runs" if age_s is None else f"last heartbeat {age_s:.0f} s ago"
    if not is_served:
        return note("Worker", detail, "`make run` starts one.")
    return broken("Worker", detail, "Start one with `manage.py worker`; turns wait in the queue meanwhile.")
