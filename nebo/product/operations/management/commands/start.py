"""`start`: everything on one machine, from the database to a page one can open."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from nebo.env import env
from nebo.llm.errors import ConfigurationError
from nebo.product.operations.bootstrap import BEGAN_AT
from nebo.product.operations.launch import StartFailed, await_health, find_or_set_up_demo, look_after
from nebo.product.operations.local_client import open_client
from nebo.product.operations.preparing import prepare
from nebo.product.operations.processes import PROCESSES
from nebo.product.operations.ready import ready_block
from nebo.product.operations.steps import Steps
from nebo.tenants.startup import UnsafeDatabase

EXPECTED = (StartFailed, UnsafeDatabase, ConfigurationError, psycopg.Error, DatabaseError)


class Command(BaseCommand):
    """Prepares everything and looks after web server and worker; manage.py starts and stops what runs."""

    help = "Start everything on this machine: database, web server, worker; a demo on the first run."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="make no demo tenant on the first run")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run(demo=not (options["no_demo"] or env.https))
        except EXPECTED as error:
            raise CommandError(str(error)) from error
        finally:
            connections.close_all()


def run(*, demo: bool) -> None:
    """Until a signal: raises KeyboardInterrupt then, or one of EXPECTED."""
    steps = Steps(sys.stdout)
    prepare(steps)
    PROCESSES.go_on()
    with open_client() as client:
        await_health(PROCESSES, steps, client)
        found = find_or_set_up_demo(steps, client, wanted=demo)
    connections.close_all()
    PROCESSES.output.release()
    seconds = time.monotonic() - BEGAN_AT
    sys.stdout.write(ready_block(seconds=seconds, base_url=env.base_url, demo=found))
    sys.stdout.flush()
    look_after(PROCESSES)
