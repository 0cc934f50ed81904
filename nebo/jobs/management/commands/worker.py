"""`manage.py worker`: the background work, supervised."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from nebo.env import env
from nebo.jobs.worker.supervisor import Supervisor
from nebo.tenants.startup import UnsafeDatabase, await_safe_database


class Command(BaseCommand):
    help = "Runs background jobs until Ctrl-C, and starts again whatever is killed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--processes", type=int, default=env.worker_processes, help="How many jobs may run at once."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            await_safe_database()
        except UnsafeDatabase as error:
            raise CommandError(str(error)) from error
        Supervisor(processes=max(1, options["processes"])).run()
