"""How many jobs a second the worker of a running server takes, does and publishes.

The job does nothing but publish that it came round, in a lane that all processes take from (upkeep gets one of them).
This runs in a process of its own with the server's environment: python -m benchmarks.jobs --tenant SLUG
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

import django

KIND = "echo"
JOBS = 1_000
LIMIT_S = 600
POLL_S = 0.1


def main(arguments: list[str] | None = None) -> int:
    """Print {"jobs", "enqueued_s", "drained_s"}; the second counts from the first enqueueing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jobs", description=__doc__)
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--jobs", type=int, default=JOBS)
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    django.setup()
    json.dump(measure_jobs(chosen.tenant, chosen.jobs), sys.stdout)
    return 0


def measure_jobs(slug: str, count: int) -> dict[str, float]:
    """Enqueue so many, each in a transaction of its own as a turn would, and wait. Raises TimeoutError."""
    from nebo.jobs.models import Job  # noqa: PLC0415  Django has to be set up first
    from nebo.jobs.services import enqueue  # noqa: PLC0415
    from nebo.tenants.models import Tenant  # noqa: PLC0415
    from nebo.tenants.scoping import tenant_scope  # noqa: PLC0415

    def count_done() -> int:
        with tenant_scope(tenant):
            return Job.objects.for_tenant(tenant).filter(kind=KIND, state=Job.State.SUCCEEDED).count()

    tenant = Tenant.objects.get(slug=slug)
    before = count_done()
    began = time.perf_counter()
    for _ in range(count):
        with tenant_scope(tenant):
            enqueue(tenant=tenant, kind=KIND, payload={})
    enqueued_s = time.perf_counter() - began
    while True:
        done = count_done() - before
        passed = time.perf_counter() - began
        if done >= count:
            return {"jobs": count, "enqueued_s": enqueued_s, "drained_s": passed}
        if passed > LIMIT_S:
            raise TimeoutError(f"{done} of {count} jobs were done after {LIMIT_S} s.")
        time.sleep(POLL_S)


if __name__ == "__main__":
    sys.exit(main())
