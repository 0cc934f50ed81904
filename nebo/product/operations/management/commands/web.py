"""`web`: the web server alone, for those who run its processes themselves."""

from __future__ import annotations

import os
import sys
from tempfile import mkdtemp
from typing import Any

from django.core.management.base import BaseCommand

from nebo.env import env
from nebo.product.operations.processes import SETTINGS


class Command(BaseCommand):
    help = "Serve on HOST and PORT until SIGTERM; `prepare` comes first, and `worker` runs beside it."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        os.environ.setdefault("MALLOC_ARENA_MAX", "2")
        if not env.metrics_dir:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = mkdtemp(prefix="nebo-metrics-")
        command = [sys.executable, "-m", "gunicorn", "-c", SETTINGS, "nebo.wsgi"]
        os.execv(sys.executable, command)  # noqa: S606  gunicorn takes this process over
