"""`backup FILE`: everything there is, in one file, while Nebo runs."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from nebo.env import env
from nebo.product.operations.backup.archive import BackupFailed
from nebo.product.operations.backup.dumping import make_backup
from nebo.product.operations.steps import Steps


class Command(BaseCommand):
    help = (
        "Write everything into one file: the database as it is now, and the secret key. Nebo may be running."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="written whole or not at all; readable for you alone")
        parser.add_argument(
            "--without-key", action="store_true", help="leave the secret key out; keep it elsewhere"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        key = "" if options["without_key"] else env.secret_key
        try:
            with Steps(sys.stdout).step("Backup") as step, step.bar(1, "tables") as bar:

                def progress(done: int, total: int) -> None:
                    bar.total = total
                    bar.update(done - bar.n)

                manifest = make_backup(
                    options["file"], urls=settings.DATABASE_URLS, key=key, progress=progress
                )
                size = options["file"].stat().st_size / 1e6
                step.done = f"{manifest.rows:,} rows of {len(manifest.tables)} tables, {size:,.1f} MB"
        except (BackupFailed, psycopg.Error) as error:
            raise CommandError(str(error)) from error
