"""`distribute`: one database over several servers, by tenant."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from nebo.product.operations.distribution.catalog import has_citus, list_misplaced, list_nodes
from nebo.product.operations.distribution.distributing import (
    CannotDistribute,
    distribute,
)
from nebo.product.operations.distribution.plan import list_plan
from nebo.product.operations.distribution.session import Session, open_session
from nebo.product.operations.steps import Steps


class Command(BaseCommand):
    """There is no way back but by export and import."""

    help = (
        "Distribute the tenants over the servers of a Citus cluster. Stop Nebo first; a second run goes on."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--plan", action="store_true", help="say what would be done, and do nothing")
        parser.add_argument(
            "--shards", type=int, help="into how many parts (default: citus.shard_count, 32); fixed for good"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with open_session(settings.DATABASE_URLS) as session:
                if options["plan"]:
                    self._show_plan(session)
                else:
                    distribute(session, Steps(sys.stdout), options["shards"])
        except (CannotDistribute, psycopg.Error) as error:
            raise CommandError(str(error)) from error

    def _show_plan(self, session: Session) -> None:
        for one in list_plan():
            self.stdout.write(f"  {one.place:<11}  {one.table}")
        counts = Counter(one.place for one in list_plan())
        self.stdout.write(", ".join(f"{count} {place}" for place, count in sorted(counts.items())) + ".")
        if not has_citus(session.connection):
            self.stdout.write("This database has no Citus: all tables stand in one place.")
            return
        left = len(list_misplaced(session.connection))
        self.stdout.write(f"Servers that take shards: {', '.join(list_nodes(session.connection)) or 'none'}.")
        self.stdout.write(f"{left} tables would be placed." if left else "Every table is in its place.")
